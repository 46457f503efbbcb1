import AppBoot
import Testing

/// A group that an empty object satisfies.
private struct Undemanding: ParameterGroup {
  @Parameter("May be left out.") var title: String?
}

/// A group that rejects a host.
private struct Server: ParameterGroup {
  @Parameter("The host.") var host = "localhost"
  @Parameter("The port.") var port: UInt16

  func validate(_ validation: inout ParameterValidation) {
    if host.isEmpty { validation.reject("must not be empty", at: "host") }
  }
}

/// Validates parameters of every shape.
private struct Validated: Command {
  @Parameter("Required.") var name: String
  @Parameter("With a default.") var count = 3
  @Parameter("Optional.") var note: String?
  @Parameter("A list.") var levels: [Kinds.Level] = [.low]
  @Parameter("A dictionary.") var limits: [String: Duration] = [:]
  @Parameter("Groups.") var servers: [Server] = []
  @Parameter("Groups by name.") var named: [String: Server] = [:]
  @Parameter("Groups that need nothing, by name.") var optional: [String: Undemanding] = [:]

  func validate(_ validation: inout ParameterValidation) {
    if name == "rejected" { validation.reject("is rejected", at: "servers", .index(0), "port") }
    if name.isEmpty { validation.reject("must not be empty", at: "name") }
    if count > 9 { validation.reject("is too high", at: "count") }
    for name in limits.keys where name.hasPrefix("_") {
      validation.reject("is not a name", at: "limits", .key(name))
    }
    for (index, server) in servers.enumerated() where server.host == "nowhere" {
      validation.reject("is not a host", at: "servers", .index(index), "host")
    }
    if validation.isReadable("count"), let note, note.count > count {
      validation.reject("is longer than \"count\"", at: "note")
    }
  }

  func execute(in context: LaunchContext) {}
}

@Suite("ParameterValidation")
struct ParameterValidationTests {
  @Test("A command without mistakes is read, with the defaults of its groups")
  func values() throws {
    let text = #"""
      { "name": "n", "note": null, "levels": ["high", "low"], "limits": { "a": "2s" },
        "servers": [{ "port": 1 }, { "port": 2, "host": "h" }], "named": { "x": { "port": 3 } } }
      """#
    let command = try decoded(Validated.self, with: text)
    #expect(command.name == "n")
    #expect(command.count == 3)
    #expect(command.note == nil)
    #expect(command.levels == [.high, .low])
    #expect(command.limits == ["a": .seconds(2)])
    #expect(command.servers.map(\.host) == ["localhost", "h"])
    #expect(command.named["x"]?.port == 3)
  }

  @Test(
    "A wrong type is reported once, whatever the command rejects",
    arguments: [
      ("{}", 1), (#"{ "name": 1 }"#, 1), (#"{ "name": null }"#, 1), (#"{ "name": "n", "count": "3" }"#, 1),
      (#"{ "name": "n", "count": 99999999999999999999 }"#, 1), (#"{ "name": "n", "levels": "high" }"#, 1),
      (#"{ "name": "n", "levels": ["hihg", "lo"] }"#, 2), (#"{ "name": "n", "limits": ["2s"] }"#, 1),
      (#"{ "name": "n", "limits": { "a": 2 } }"#, 1), (#"{ "name": "n", "servers": [{}] }"#, 1),
      (#"{ "name": "n", "servers": [{ "port": 70000 }] }"#, 1),
      (#"{ "name": "n", "servers": [{ "port": 1, "prt": 2 }] }"#, 1),
      (#"{ "name": "n", "named": { "x": [] } }"#, 1), (#"{ "name": "n", "optional": { "x": "text" } }"#, 1),
      (#"{ "name": "n", "optional": { "x": null } }"#, 1), (#"{ "name": "n", "nmae": "m" }"#, 1), ("[]", 2),
    ])
  func mistakes(text: String, count: Int) {
    #expect(problems(of: Validated.self, with: text).count == count)
  }

  @Test("The rejections of a group and of its elements are reported at their places")
  func groups() {
    let text =
      #"{ "name": "n", "servers": [{ "port": 1, "host": "" }, { "port": 2, "host": "nowhere" }], "named": { "x": { "port": 3, "host": "" } } }"#
    #expect(
      problems(of: Validated.self, with: text) == [
        #"2:49: "servers[0].host" must not be empty"#, #"2:76: "servers[1].host" is not a host"#,
        #"2:127: "named.x.host" must not be empty"#,
      ])
  }

  @Test("A check of two parameters is skipped until both could be read")
  func dependent() {
    #expect(
      problems(of: Validated.self, with: #"{ "name": "n", "note": "long", "count": 2 }"#) == [
        #"2:24: "note" is longer than "count""#
      ])
    #expect(
      problems(of: Validated.self, with: #"{ "name": "n", "note": "long", "count": "2" }"#) == [
        #"2:41: "count" must be a whole number, not a string | write 2"#
      ])
  }

  @Test("A rejection of two parameters together is reported at its place")
  func refusal() {
    let found = problems(of: Validated.self, with: #"{ "name": "rejected", "servers": [{ "port": 7 }] }"#)
    #expect(found == [#"2:45: "servers[0].port" is rejected"#])
  }

  /// Needs a context value in a group. The default of the other group is created only once.
  private struct Needy: Command {
    struct Group: ParameterGroup {
      @Parameter("The text.") var text = ""

      func validate(_ validation: inout ParameterValidation) { validation.require("value", at: "text") }
    }

    static let standard = Kinds.Point(x: 1)
    @Parameter("The first group.") var first = Group()
    @Parameter("The second group.") var second = Needy.standard

    func execute(in context: LaunchContext) {}
  }

  private struct Provider: Command {
    static let options = CommandOptions(provides: ContextKey<String>("value"))
    func execute(in context: LaunchContext) {}
  }

  @Test("A context value that a group needs is reported once")
  func requirementOfGroup() {
    let text = #"{ "commands": [{ "command": "Needy", "with": { "first": { "text": "a" } } }, "Provider"] }"#
    #expect(
      problems(in: text, CommandRegistry(Needy.self, Provider.self)) == [
        #"1:67: "first.text": the context value "value" has no value before "Provider" provides it "#
          + #"| run "Needy" after "Provider""#
      ])
  }

  @Test("Rejections are reported together with wrong types and unknown keys")
  func everything() {
    let text =
      #"{ "name": "", "count": 10, "levels": "high", "nmae": "m", "servers": [{}, { "port": "x" }] }"#
    #expect(
      problems(of: Validated.self, with: text).map { $0.prefix { $0 != "|" } }
        == [
          #"2:11: "name" must not be empty"#, #"2:24: "count" is too high"#,
          #"2:38: "levels" must be a list of values from "low", "high", not a string "#,
          #"2:46: unknown key "nmae" in Validated "#, #"2:71: "servers[0]" needs "port" "#,
          #"2:85: "servers[1].port" must be a whole number from 0 to 65535, not a string"#,
        ])
  }

  @Test("Elements that were read are validated even if others could not be read")
  func besideOthers() {
    let text =
      #"{ "name": "n", "limits": { "a": 2, "_b": "2s" }, "servers": [{}, { "port": 1, "host": "nowhere" }] }"#
    #expect(
      problems(of: Validated.self, with: text).map { $0.prefix { $0 != "|" } }
        == [
          #"2:33: "limits.a" must be a duration such as "250ms", not a number "#,
          #"2:42: "limits._b" is not a name"#, #"2:62: "servers[0]" needs "port" "#,
          #"2:87: "servers[1].host" is not a host"#,
        ])
  }

  @Test("The last of two canonically equivalent keys is used")
  func canonicalKeys() throws {
    let text = #"{ "name": "n", "limits": { "\u00e9": "1s", "e\u0301": "2s" } }"#
    #expect(try decoded(Validated.self, with: text).limits == ["é": .seconds(2)])
  }

  @Test("A parameter that could not be read is not also rejected")
  func once() {
    #expect(
      problems(of: Validated.self, with: #"{ "count": 10 }"#).map { $0.prefix { $0 != "|" } }
        == [#"1:29: Validated needs "name" "#, #"2:12: "count" is too high"#])
    #expect(
      problems(of: Validated.self, with: #"{ "name": 1 }"#) == [
        #"2:11: "name" must be a string, not a number | write "1""#
      ])
  }

  private struct Route: ParameterGroup {
    @Parameter("The path.") var path = "/"

    func validate(_ validation: inout ParameterValidation) {
      if path.isEmpty { validation.reject("must not be empty", at: "path") }
    }
  }

  private struct Router: Command {
    @Parameter("The routes.") var routes: [Route] = []

    func validate(_ validation: inout ParameterValidation) {
      if routes.count < 2 { validation.reject("must have at least two routes", at: "routes") }
    }

    func execute(in context: LaunchContext) {}
  }

  @Test("A list and a group inside it can both be rejected")
  func nestedRejection() {
    #expect(
      problems(of: Router.self, with: #"{ "routes": [{ "path": "" }] }"#).sorted()
        == [#"2:13: "routes" must have at least two routes"#, #"2:24: "routes[0].path" must not be empty"#])
    #expect(problems(of: Router.self, with: #"{ "routes": [{ "path": 5 }] }"#).count == 1)
  }
}
