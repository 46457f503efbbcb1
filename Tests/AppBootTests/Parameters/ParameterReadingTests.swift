import AppBoot
import Testing

@Suite("Reading parameters")
struct ParameterReadingTests {
  @Test("A parameter that the manifest leaves out has its default")
  func defaults() throws {
    let command = try decoded(Kinds.self, with: "{}")
    #expect(command.string == "s")
    #expect(command.double == 0.5)
    #expect(command.float == 0.25)
    #expect(command.flag == false)
    #expect(command.duration == .milliseconds(250))
    #expect(command.level == .low)
    #expect(command.list == [1, 2])
    #expect(command.set == ["a", "b"])
    #expect(command.dictionary == ["a": 1, "b": 2])
    #expect(command.point == nil)
    #expect(command.server == nil)
    #expect(command.maybe == nil)
  }

  @Test("Every kind of value is read")
  func everyKind() throws {
    let command = try decoded(
      Kinds.self,
      with: #"""
        { "string": "é\n", "double": 2, "float": -1.5e2, "flag": true, "duration": "1m30s", "level": "high",
          "list": [], "set": ["x", "x"], "durations": ["1ms", "2s"], "dictionary": { "x-a": 7 },
          "levels": { "a": "high" }, "matrix": [[1, -128], []], "points": [{ "x": 1.0 }, { "x": 1e2, "y": 3 }],
          "point": { "x": -1, "y": null, "label": "p" }, "maybe": "m", "wait": "0s", "maybeLevel": "low" }
        """#)
    #expect(command.string == "é\n")
    #expect(command.double == 2)
    #expect(command.float == -150)
    #expect(command.flag)
    #expect(command.duration == .seconds(90))
    #expect(command.level == .high)
    #expect(command.list.isEmpty)
    #expect(command.set == ["x"])
    #expect(command.durations == [.milliseconds(1), .seconds(2)])
    #expect(command.dictionary == ["x-a": 7])
    #expect(command.levels == ["a": .high])
    #expect(command.matrix == [[1, -128], []])
    #expect(command.points == [Kinds.Point(x: 1), Kinds.Point(x: 100, y: 3)])
    #expect(command.point == Kinds.Point(x: -1, label: "p"))
    #expect(command.maybe == "m")
    #expect(command.wait == .zero)
    #expect(command.maybeLevel == .low)
  }

  @Test("A group's fields have their own defaults, at any depth")
  func groups() throws {
    let command = try decoded(
      Kinds.self,
      with:
        #"{ "server": { "port": 80 }, "servers": [{ "port": 1, "host": "a" }, { "port": 2, "users": ["u"] }] }"#
    )
    #expect(command.server?.host == "localhost")
    #expect(command.server?.port == 80)
    #expect(command.servers.map(\.host) == ["a", "localhost"])
    #expect(command.servers.map(\.port) == [1, 2])
    #expect(command.servers.map(\.users) == [[], ["u"]])
  }

  @Test("Only an optional parameter may be null")
  func null() throws {
    let command = try decoded(
      Kinds.self, with: #"{ "maybe": null, "point": null, "server": null, "wait": null }"#)
    #expect(command.maybe == nil)
    #expect(command.point == nil)
    #expect(command.server == nil)
    #expect(command.wait == nil)
    #expect(
      problems(of: Kinds.self, with: #"{ "string": null, "list": [null] }"#) == [
        "2:13: \"string\" must be a string, not null",
        "2:28: \"list[0]\" must be a whole number, not null",
      ])
  }

  @Test("Integers of every width are exact up to their bounds, and may be written 1.0 or 1e2")
  func integers() throws {
    let command = try decoded(
      Integers.self,
      with: """
        { "int": 9223372036854775807, "int8": -128, "int16": 32767, "int32": -2147483648,
          "int64": -9223372036854775808, "uint": 1.0, "uint8": 255,
          "uint16": 1e2, "uint32": 4294967295, "uint64": 18446744073709551615 }
        """)
    #expect(command.int == .max)
    #expect(command.int8 == .min)
    #expect(command.int16 == .max)
    #expect(command.int32 == .min)
    #expect(command.int64 == .min)
    #expect(command.uint == 1)
    #expect(command.uint8 == .max)
    #expect(command.uint16 == 100)
    #expect(command.uint32 == .max)
    #expect(command.uint64 == .max)
  }

  @Test(
    "The error for an integer out of range names the range",
    arguments: [
      ("int8", "128", "from -128 to 127"), ("int8", "-129", "from -128 to 127"),
      ("uint8", "-1", "from 0 to 255"), ("uint8", "256", "from 0 to 255"),
      ("int16", "32768", "from -32768 to 32767"), ("uint16", "65536", "from 0 to 65535"),
      ("int32", "2147483648", "from -2147483648 to 2147483647"),
      ("uint32", "4294967296", "from 0 to 4294967295"),
      ("int64", "9223372036854775808", "from -9223372036854775808 to 9223372036854775807"),
      ("uint64", "18446744073709551616", "from 0 to 18446744073709551615"),
      ("int", "1e400", "from -9223372036854775808 to 9223372036854775807"),
      ("int64", "-9223372036854775809", "from -9223372036854775808 to 9223372036854775807"),
      ("int", "-1e400", "from -9223372036854775808 to 9223372036854775807"),
    ])
  func integerRange(key: String, text: String, range: String) {
    #expect(
      problems(of: Integers.self, with: "{ \"\(key)\": \(text) }") == [
        "2:\(key.count + 7): \"\(key)\" must be a whole number \(range), not \(text)"
      ])
  }

  @Test("A fraction is not an integer, and a very long number is shortened in the message")
  func fractions() {
    #expect(
      problems(of: Integers.self, with: #"{ "int": 1.5, "uint8": 0.1 }"#) == [
        "2:10: \"int\" must be a whole number, not 1.5",
        "2:24: \"uint8\" must be a whole number from 0 to 255, not 0.1",
      ])
    let long = String(repeating: "9", count: 1000)
    #expect(
      problems(of: Integers.self, with: "{ \"uint8\": \(long) }") == [
        "2:12: \"uint8\" must be a whole number from 0 to 255, not \(long.prefix(60))…"
      ])
  }

  @Test("Keys that begin with x- are ignored, in `with` and in nested objects")
  func userKeys() throws {
    let command = try decoded(
      Kinds.self,
      with: #"{ "x-mine": [1], "server": { "port": 1, "x-y": null }, "point": { "x": 1, "x-": 2 } }"#)
    #expect(command.server?.port == 1)
    #expect(command.point?.x == 1)
  }

  @Test("Parameters keep their names next to other properties, in any order and if inherited")
  func layouts() throws {
    let mixed = try decoded(Mixed.self, with: #"{ "second": "B", "server": { "port": 1 } }"#)
    #expect(mixed.first == "1")
    #expect(mixed.second == "B")
    #expect(mixed.server.port == 1)
    #expect(CommandDescription(of: Mixed.self).parameters.map(\.name) == ["first", "server", "second"])
    let reordered = try decoded(Reordered.self, with: #"{ "first": "A" }"#)
    #expect(reordered.first == "A")
    #expect(reordered.second == "2")
    let descendant = try decoded(Descendant.self, with: #"{ "inherited": 3, "own": 4 }"#)
    #expect(descendant.inherited == 3)
    #expect(descendant.own == 4)
  }

  @Test("A parameter's key may differ from its property's name")
  func renamed() throws {
    let command = try decoded(
      Renamed.self, with: #"{ "number": 3, "first": "B", "bare": 4 }"#)
    #expect(command.first == "1")
    #expect(command.second == "B")
    #expect(command.third == 3)
    #expect(command.plain == 4)
    let fields = CommandDescription(of: Renamed.self).parameters
    #expect(fields.map(\.name) == ["number", "first", "second", "bare"])
    #expect(fields.map(\.help) == ["The third.", "The second.", "The first.", ""])
    #expect(fields.map(\.defaultText) == [nil, "\"2\"", "\"1\"", nil])
    #expect(fields.map(\.isRequired) == [true, false, false, true])
  }

  @Test("A stored property without @Parameter is not a key")
  func bareProperty() {
    #expect(
      problems(of: Mixed.self, with: #"{ "plain": 3, "server": { "port": 1 } }"#) == [
        "2:3: \"plain\" is a stored property of Mixed, but not a parameter "
          + "| declare it with @Parameter in Swift, or remove it here"
      ])
  }

  @Test("Types that contain themselves are read to any depth")
  func recursive() throws {
    let command = try decoded(
      Recursive.self,
      with: #"""
        { "tree": { "name": "a", "children": [{ "name": "b", "children": [{ "name": "c" }] }] },
          "folder": { "name": "f", "folders": [{ "name": "g", "folders": [{ "name": "h" }] }] } }
        """#)
    #expect(command.tree?.children[0].children[0].name == "c")
    #expect(command.tree?.children[0].others.isEmpty == true)
    #expect(command.folder?.folders?[0].folders?[0].name == "h")
    #expect(
      problems(of: Recursive.self, with: #"{ "folder": { "name": "f", "folders": [{ "name": 1 }] } }"#) == [
        "2:50: \"folder.folders[0].name\" must be a string, not a number | write \"1\""
      ])
  }

  @Test("A mistyped key is found at any depth of a type that contains itself")
  func deep() {
    let text = #"{ "tree": { "name": "a", "children": [{ "name": "b", "children": [{ "nmae": "c" }] }] } }"#
    #expect(
      problems(of: Recursive.self, with: text) == [
        #"2:69: unknown key "nmae" in "tree.children[0].children[0]" | did you mean "name"? "#
          + #"| its keys are name, children, others; custom keys begin with "x-""#
      ])
  }

  @Test(
    "A closure that returns the same command or copies of one is an error, and changes no command",
    arguments: [false, true])
  func shared(copies: Bool) {
    let one = Renamed()
    var registry = CommandRegistry()
    registry.register(Renamed.self) {
      var command = one
      if copies { command.first = "a" }
      return command
    }
    let found = problems(
      in: #"{ "commands": [{ "command": "Renamed", "with": { "number": 1, "bare": 2 } }] }"#, registry)
    #expect(
      found == [
        "1:29: Renamed: its commands share parameters: its init(), or its closure in register(_:make:), "
          + "must create new ones each time"
      ])
    #expect(one.third == 0 && one.plain == 0)
  }

  private struct Sharing: Command {
    private static let count = CommandParameter(wrappedValue: 0, "")
    @Parameter("") var count = 0
    init() { _count = Self.count }
    func execute(in context: LaunchContext) {}
  }

  @Test("A second command whose init() shares the storage of its parameters with the first is an error")
  func sharingInit() {
    let entry = #"{ "command": "Sharing", "with": { "count": 1 } }"#
    let found = problems(
      in: #"{ "commands": [\#(entry), "Appearance", \#(entry)] }"#, CommandRegistry(Sharing.self))
    #expect(found.count { $0.contains("Sharing: its commands share parameters: its init(), or") } == 1)
  }

  private struct Twins: ParameterGroup {
    @Parameter("", key: "size") var width = 0
    @Parameter("", key: "size") var height = 0
  }

  private struct Repeating: Command {
    @Parameter("") var twins: Twins?
    @Parameter("", key: "twins") var others = 0
    func execute(in context: LaunchContext) {}
  }

  private struct Grouping: Command {
    @Parameter("") var twins: Twins?
    func execute(in context: LaunchContext) {}
  }

  @Test("Two parameters with the same key are an error, even if the manifest sets neither")
  func repeatedKey() {
    let text = #"Repeating has two parameters with the key "twins": give one of them another key in Swift"#
    #expect(problems(of: Repeating.self, with: "{}") == ["1:29: \(text)"])
    let registry = CommandRegistry(Repeating.self)
    #expect(problems(in: #"{ "commands": ["Repeating"] }"#, registry) == ["1:16: \(text)"])
    #expect(
      problems(of: Grouping.self, with: #"{ "twins": {} }"#) == [
        #"2:12: "twins" has two parameters with the key "size": give one of them another key in Swift"#
      ])
    #expect(problems(of: Grouping.self, with: "{}").isEmpty)
  }

  private struct Storing: Command {
    let lane = Lane.background
    func execute(in context: LaunchContext) {}
  }

  @Test("A stored property that was meant to be static is an error, in a manifest and in code")
  func storedLane() {
    let text =
      #"Storing has "lane" as a stored property, but a launch reads the type: make it static in Swift"#
    #expect(problems(of: Storing.self, with: "{}") == ["1:29: \(text)"])
    let record = LaunchPlan(sequence: [Storing()]).runBlocking()
    #expect(record["Storing"]?.state.failure?.message == text)
    #expect(throws: PlanError.self) { try LaunchPlan { Storing() } }
  }

  private struct Address: ParameterGroup {
    @Parameter("") var host: String
  }

  private struct Route: ParameterGroup {
    @Parameter("") var target = Address()
  }

  private struct Defaulting: Command {
    @Parameter("") var route = Route()
    init() {}
    init(host: String) { route.target.host = host }
    func execute(in context: LaunchContext) {}
  }

  private struct Containing: Command {
    @Parameter("") var one: Address? = Address()
    @Parameter("") var list = [Address()]
    @Parameter("") var map = ["a": [Address()]]
    func execute(in context: LaunchContext) {}
  }

  @Test("An optional group, a list or a dictionary that lacks a required parameter is no default")
  func incompleteContents() {
    #expect(CommandDescription(of: Containing.self).parameters.map(\.isRequired) == [true, true, true])
  }

  @Test("A group that lacks a required parameter does not count as a default, at any depth")
  func incompleteDefault() throws {
    #expect(
      problems(of: Defaulting.self, with: "{}") == [
        #"1:29: Defaulting needs "route" | add "route", an object"#
      ])
    #expect(
      problems(of: Defaulting.self, with: #"{ "route": {} }"#) == [
        #"2:12: "route" needs "target" | add "target", an object"#
      ])
    #expect(CommandDescription(of: Defaulting.self).parameters.map(\.isRequired) == [true])
    let text = #"{ "route": { "target": { "host": "h" } } }"#
    #expect(try decoded(Defaulting.self, with: text).route.target.host == "h")
    var registry = CommandRegistry()
    registry.register(Defaulting.self) { Defaulting(host: "h") }
    #expect(problems(in: #"{ "commands": ["Defaulting"] }"#, registry).isEmpty)
  }

  private struct Outer: ParameterGroup {
    @Parameter("") var inner: Inner?
  }

  private struct Inner: ParameterGroup {
    @Parameter("") var outer: Outer?
    @Parameter("") var name = ""
  }

  private struct Nested: Command {
    @Parameter("") var outer: Outer?
    func execute(in context: LaunchContext) {}
  }

  @Test("A mistake in groups that contain each other is reported once")
  func mutual() {
    let text = #"{ "outer": { "inner": { "outer": { "inner": { "outer": { "inner": { "nmae": 1 } } } } } } }"#
    #expect(
      problems(of: Nested.self, with: text) == [
        #"2:69: unknown key "nmae" in "outer.inner.outer.inner.outer.inner" | did you mean "name"? "#
          + #"| its keys are outer, name; custom keys begin with "x-""#
      ])
  }

  @Test("An error that a type finds in a text is reported at its place with its message")
  func byHand() throws {
    let command = try decoded(
      ByHand.self,
      with:
        #"{ "version": "1.2", "versions": ["3"], "hidden": "one" }"#
    )
    #expect(command.version?.parts == [1, 2])
    #expect(command.versions.map(\.parts) == [[3]])
    #expect(command.hidden == .one)
    let mistakes: [(String, String)] = [
      (#"{ "version": "1.x" }"#, "2:14: \"version\": \"1.x\" is no version"),
      (#"{ "version": 1 }"#, "2:14: \"version\" must be a version such as \"1.2\", not a number"),
      (#"{ "versions": ["1", "b"] }"#, "2:21: \"versions[1]\": \"b\" is no version"),
      (
        #"{ "hidden": "three" }"#,
        "2:13: \"hidden\" cannot be \"three\" | it is one of \"one\", \"two\""
      ),
    ]
    for (parameters, message) in mistakes {
      #expect(problems(of: ByHand.self, with: parameters) == [message])
    }
  }

  @Test("A command that can reject a value accepts a valid one")
  func checked() throws {
    #expect(CommandDescription(of: Checked.self).parameters.map(\.name) == ["names", "more"])
    #expect(try decoded(Checked.self, with: #"{ "names": ["a"], "more": 2 }"#).more == 2)
    #expect(try decoded(Checked.self, with: #"{ "names": ["a"] }"#).more == 0)
    #expect(
      problems(of: Checked.self, with: #"{ "names": [] }"#) == ["2:12: \"names\": name at least one"])
  }

  @Test("A float accepts only the values that a float can represent")
  func floats() {
    #expect(
      problems(of: Kinds.self, with: #"{ "float": 1e300, "double": 1e300 }"#) == [
        "2:12: \"float\" is out of range"
      ])
    #expect(
      problems(of: Kinds.self, with: #"{ "double": 1e400 }"#) == [
        "2:13: \"double\" is out of range: 1e400 is not between -1.7976931348623157e+308 and 1.7976931348623157e+308"
      ])
  }
}
