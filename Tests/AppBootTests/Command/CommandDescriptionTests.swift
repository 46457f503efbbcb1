@testable import AppBoot
import Testing

@Suite("Describing commands")
struct CommandDescriptionTests {
  @Test("Every parameter has its shape, its help and its default as JSON")
  func fields() {
    let fields = CommandDescription(of: Kinds.self).parameters
    #expect(
      fields.map { "\($0.name): \($0.schema.description) = \($0.defaultText ?? "-")" } == [
        "string: a string = \"s\"",
        "double: a number = 0.5",
        "float: a number = 0.25",
        "flag: true or false = false",
        "duration: a duration such as \"250ms\" = \"250ms\"",
        "level: one of \"low\", \"high\" = \"low\"",
        "list: a list of whole numbers = [1, 2]",
        "set: a list of strings = [\"a\", \"b\"]",
        "durations: a list of durations such as \"250ms\" = []",
        "dictionary: an object of whole numbers = {\"a\": 1, \"b\": 2}",
        "levels: an object of values from \"low\", \"high\" = {}",
        "matrix: a list of lists of whole numbers from -128 to 127 = []",
        "point: an object, or null = -",
        "points: a list of objects = []",
        "server: an object, or null = -",
        "servers: a list of objects = []",
        "maybe: a string, or null = -",
        "wait: a duration such as \"250ms\", or null = -",
        "maybeLevel: one of \"low\", \"high\", or null = -",
      ])
    #expect(fields.filter(\.isRequired).isEmpty)
    #expect(fields[0].help == "A string.")
  }

  @Test("Only the optional fields of a struct may be left out")
  func nested() throws {
    guard case .optional(.object(let point)) = CommandDescription(of: Kinds.self).parameters[12].schema else {
      Issue.record("point is no object")
      return
    }
    #expect(point.map(\.name) == ["x", "y", "label"])
    #expect(point.map(\.isRequired) == [true, false, false])
    guard case .optional(.object(let server)) = CommandDescription(of: Kinds.self).parameters[14].schema
    else {
      Issue.record("server is no object")
      return
    }
    #expect(server.map(\.name) == ["host", "port", "users"])
    #expect(server.map(\.isRequired) == [false, true, false])
    #expect(server.map(\.help) == ["The host.", "The port.", "Who may."])
  }

  @Test("A type that contains itself has a finite shape")
  func recursive() {
    let fields = CommandDescription(of: Recursive.self).parameters
    #expect(fields.map(\.name) == ["tree", "folder"])
    guard case .optional(.object(let tree)) = fields[0].schema else {
      Issue.record("tree is no object")
      return
    }
    #expect(tree.map(\.name) == ["name", "children", "others"])
    #expect(tree[1].schema == .array(.any))
    #expect(tree[2].schema == .dictionary(.any))
  }

  @Test("The manifest name is the type's without its suffix")
  func names() {
    struct SaveCommand: Command { func execute(in context: LaunchContext) {} }
    #expect(SaveCommand.name == "Save")
    #expect(Plain.name == "Plain")
  }
}

@Suite("Registering commands")
struct CommandRegistryTests {
  private enum Shop { struct Open: Command { func execute(in context: LaunchContext) {} } }
  private enum Door { struct Open: Command { func execute(in context: LaunchContext) {} } }

  @Test("Registering a type again changes nothing, and the order stays")
  func again() {
    var registry = CommandRegistry(Plain.self, Other.self, Plain.self)
    registry.register([Other.self, Kinds.self])
    #expect(registry.names == ["Plain", "Other", "Kinds"])
    #expect(registry.commands.map(\.name) == registry.names)
    #expect(registry["Kinds"]?.parameters.count == 19)
    #expect(registry["Nothing"] == nil)
  }

  @Test("Two types with the same name are rejected when the plan is built")
  func conflict() throws {
    let registry = CommandRegistry(Shop.Open.self, Plain.self, Door.Open.self)
    let error = #expect(throws: PlanError.self) { try plan(#"{ "commands": ["Plain", "Open"] }"#, registry) }
    let mistake = try #require(error?.mistakes.first)
    #expect(error?.mistakes.count == 1)
    #expect(mistake.column == 25)
    #expect(mistake.message.hasPrefix("two commands are named \"Open\": "))
    #expect(mistake.message.contains("Shop.Open and "))
    #expect(mistake.message.hasSuffix("Door.Open"))
    #expect(mistake.help == ["give one of them another `static var name`"])
  }
}

@Suite("Commands made in code")
struct CommandInCodeTests {
  @Test("A required parameter without a value reads as the empty value")
  func emptyValues() {
    let command = Required()
    #expect(command.name == "")
    #expect(command.mode == .fast)
    #expect(command.time == .zero)
    #expect(command.count == 0)
    #expect(command.list.isEmpty)
    #expect(command.server.host == "localhost")
    #expect(command.server.port == 0)
    #expect(command.point == Kinds.Point(x: 0))
  }

  @Test("A step lists the required parameters that its command lacks")
  func misuse() {
    var command = Required()
    #expect(
      ParameterReview(of: command).misuse
        == .parametersMissing(
          command: "Required",
          names: ["name", "mode", "hidden", "time", "count", "list", "server", "point"]))
    command.name = "n"
    command.mode = .slow
    command.hidden = .one
    command.time = .zero
    command.count = 1
    command.list = []
    command.point = Kinds.Point(x: 1)
    command.server = Kinds.Server()
    let misuse = ParameterReview(of: command).misuse
    #expect(misuse == .parametersMissing(command: "Required", names: ["server.port"]))
    #expect(
      misuse?.description == "Required needs \"server.port\": set it before the plan is made")
    command.server.port = 1
    #expect(ParameterReview(of: command).misuse == nil)
    #expect(ParameterReview(of: Kinds()).misuse == nil)
  }

  @Test("Each group in a list is checked for missing parameters")
  func listedGroups() {
    var command = Kinds()
    var server = Kinds.Server()
    command.servers = [server]
    server.port = 1
    command.server = server
    #expect(
      ParameterReview(of: command).misuse == .parametersMissing(command: "Kinds", names: ["servers[0].port"]))
  }
}
