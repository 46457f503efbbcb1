import AppBoot

/// A command with a parameter of every kind that has its own form.
struct Kinds: Command {
  enum Level: String, CaseIterable, ParameterValue { case low, high }

  struct Point: ParameterGroup, Equatable {
    @Parameter("The distance to the right.") var x: Int
    @Parameter("The distance downwards.") var y: Double?
    @Parameter("The text.") var label: String?

    init() {}

    init(x: Int, y: Double? = nil, label: String? = nil) { (self.x, self.y, self.label) = (x, y, label) }

    static func == (left: Point, right: Point) -> Bool {
      (left.x, left.y, left.label) == (right.x, right.y, right.label)
    }
  }

  struct Server: ParameterGroup, Equatable {
    @Parameter("The host.") var host = "localhost"
    @Parameter("The port.") var port: UInt16
    @Parameter("Who may.") var users: [String] = []

    static func == (left: Server, right: Server) -> Bool {
      (left.host, left.port, left.users) == (right.host, right.port, right.users)
    }
  }

  @Parameter("A string.") var string = "s"
  @Parameter("A double.") var double = 0.5
  @Parameter("A float.") var float: Float = 0.25
  @Parameter("A flag.") var flag = false
  @Parameter("A duration.") var duration = Duration.milliseconds(250)
  @Parameter("An enum.") var level = Level.low
  @Parameter("A list.") var list: [Int] = [1, 2]
  @Parameter("A set.") var set: Set<String> = ["b", "a"]
  @Parameter("Durations.") var durations: [Duration] = []
  @Parameter("A dictionary.") var dictionary: [String: Int] = ["b": 2, "a": 1]
  @Parameter("A dictionary of levels.") var levels: [String: Level] = [:]
  @Parameter("A nested list.") var matrix: [[Int8]] = []
  @Parameter("A struct.") var point: Point?
  @Parameter("Structs.") var points: [Point] = []
  @Parameter("A group.") var server: Server?
  @Parameter("Groups.") var servers: [Server] = []
  @Parameter("An optional string.") var maybe: String?
  @Parameter("An optional duration.") var wait: Duration?
  @Parameter("An optional enum.") var maybeLevel: Level?

  func execute(in context: LaunchContext) {}
}

/// Every width of integer.
struct Integers: Command {
  @Parameter("") var int = 0
  @Parameter("") var int8: Int8 = 0
  @Parameter("") var int16: Int16 = 0
  @Parameter("") var int32: Int32 = 0
  @Parameter("") var int64: Int64 = 0
  @Parameter("") var uint: UInt = 0
  @Parameter("") var uint8: UInt8 = 0
  @Parameter("") var uint16: UInt16 = 0
  @Parameter("") var uint32: UInt32 = 0
  @Parameter("") var uint64: UInt64 = 0

  func execute(in context: LaunchContext) {}
}

/// Nothing has a default.
struct Required: Command {
  enum Mode: String, CaseIterable, ParameterValue { case fast, slow }
  enum Hidden: CaseIterable, ParameterValue { case one, two }

  @Parameter("The name.") var name: String
  @Parameter(required: "How.") var mode = Mode.fast
  @Parameter(required: "Which.") var hidden = Hidden.one
  @Parameter("How long.") var time: Duration
  @Parameter("") var count: Int
  @Parameter("The list.") var list: [String]
  @Parameter("The group.") var server: Kinds.Server
  @Parameter("The point.") var point: Kinds.Point

  func execute(in context: LaunchContext) {}
}

/// Has keys of other names than the properties.
struct Renamed: Command {
  @Parameter("The third.", key: "number") var third: Int
  @Parameter("The second.", key: "first") var second = "2"
  @Parameter("The first.", key: "second") var first = "1"
  @Parameter("", key: "bare") var plain: Int
  func execute(in context: LaunchContext) {}
}

/// Has stored properties that are no parameters, and parameters inside a default.
struct Mixed: Command {
  static let standard = Kinds.Server()

  var plain = 0
  @Parameter("The first.") var first = "1"
  @Parameter("The server.") var server = Mixed.standard
  @Parameter("The second.") var second = "2"
  let helper = Kinds()

  func execute(in context: LaunchContext) {}
}

/// Creates its parameters in the body of `init()`, in another order than they are declared in.
struct Reordered: Command {
  @Parameter var first: String
  @Parameter var second: String

  init() {
    _second = Parameter(wrappedValue: "2", "The second.")
    _first = Parameter(wrappedValue: "1", "The first.")
  }

  func execute(in context: LaunchContext) {}
}

/// Inherits a parameter.
class Ancestor: @unchecked Sendable {
  @CommandParameter("The inherited one.") var inherited = 1
}

final class Descendant: Ancestor, Command, @unchecked Sendable {
  @Parameter("Its own.") var own = 2
  override init() {}
  func execute(in context: LaunchContext) {}
}

/// A list of its own kind.
struct Tree: ParameterGroup {
  @Parameter("The name.") var name: String
  @Parameter("Below.") var children: [Tree] = []
  @Parameter("Beside.") var others: [String: Tree] = [:]
}

/// A group with an optional list of groups of its own type.
struct Folder: ParameterGroup {
  @Parameter("The name.") var name: String
  @Parameter("Inside.") var folders: [Folder]?
}

struct Recursive: Command {
  @Parameter("A tree.") var tree: Tree?
  @Parameter("A folder.") var folder: Folder?
  func execute(in context: LaunchContext) {}
}

/// A value with a schema of its own.
struct Version: ParameterValue {
  var parts: [Int]

  static var parameterType: ParameterType<Version> {
    ParameterType(
      .pattern(#"^[0-9]+(\.[0-9]+)*$"#, describedAs: "a version such as \"1.2\""),
      placeholder: Version(parts: [])
    ) { json, reader in
      guard let text = reader.text(json) else { return nil }
      let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard !numbers.contains(nil) else { return reader.reject("\"\(text)\" is no version", json) }
      return Version(parts: numbers.compactMap(\.self))
    }
  }
}

struct ByHand: Command {
  @Parameter("The version.") var version: Version?
  @Parameter("Versions.") var versions: [Version] = []
  @Parameter("A hidden enum.") var hidden: Required.Hidden?
  func execute(in context: LaunchContext) {}
}

/// Rejects an empty list.
struct Checked: Command {
  @Parameter("At least one.") var names: [String]
  @Parameter("More.") var more = 0

  func validate(_ validation: inout ParameterValidation) {
    if names.isEmpty { validation.reject("name at least one", at: "names") }
  }

  func execute(in context: LaunchContext) {}
}

/// A name that has to be escaped in a JSON pointer.
struct Slashed: Command {
  static let name = "a/b ~ü"
  @Parameter("") var x: Int
  func execute(in context: LaunchContext) {}
}

struct WrongKinds: Command {
  struct Policy: ParameterGroup {
    @Parameter("When.") var when: String?
    @Parameter("A count.") var attempts: Int?
  }

  @Parameter("A command line.") var arguments: [String] = []
  @Parameter("Names.") var names: [String] = []
  @Parameter("A policy.") var policy: Policy?
  func execute(in context: LaunchContext) {}
}
