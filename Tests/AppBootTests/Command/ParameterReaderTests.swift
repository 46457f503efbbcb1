import AppBoot
import Testing

/// A group that an empty object satisfies, read by hand.
private struct Undemanding: ParameterGroup {
  @Parameter("May be left out.") var title: String?

  init() {}

  init(from decoder: any Decoder) throws {
    try ParameterReader.read(decoder) { $0.read(&_title, "title") }
  }
}

/// Requires a value of a type that no empty value satisfies, and looks at it while it decodes.
private struct Picky: Command {
  struct Port: Decodable, Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
      if number == 0 { throw Refusal() }
    }

    struct Refusal: Error {}
  }

  @Parameter(required: "The port.") var port = Port(80)

  init() {}

  init(from decoder: any Decoder) throws {
    try ParameterReader.read(decoder) { parameters in
      parameters.read(&_port, "port")
      if port.number > 65535 { parameters.refuse("is none", at: "port") }
    }
  }

  func execute(in context: LaunchContext) {}
}

/// Parameters of every shape that the reader knows, read by hand.
private struct ReadByHand: Command {
  static let name = "Twin"

  @Parameter("Required.") var name: String
  @Parameter("With a default.") var count = 3
  @Parameter("Optional.") var note: String?
  @Parameter("A list.") var levels: [Kinds.Level] = [.low]
  @Parameter("A dictionary.") var limits: [String: Duration] = [:]
  @Parameter("Groups.") var servers: [Kinds.Server] = []
  @Parameter("Groups by name.") var named: [String: Kinds.Server] = [:]
  @Parameter("Groups that need nothing, by name.") var optional: [String: Undemanding] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    try ParameterReader.read(decoder) { parameters in
      parameters.read(&_name, "name")
      parameters.read(&_count, "count")
      parameters.read(&_note, "note")
      parameters.read(&_levels, "levels")
      parameters.read(&_limits, "limits")
      parameters.read(&_servers, "servers")
      parameters.read(&_named, "named")
      parameters.read(&_optional, "optional")
      if name == "refused" { parameters.refuse("is refused", at: "servers", .index(0), "port") }
      if name.isEmpty { parameters.refuse("must not be empty", at: "name") }
      if count > 9 { parameters.refuse("is too many", at: "count") }
      for name in limits.keys where name.hasPrefix("_") {
        parameters.refuse("is no name", at: "limits", ParameterKey(stringValue: name))
      }
      for (index, server) in servers.enumerated() where server.host == "nowhere" {
        parameters.refuse("is no host", at: "servers", .index(index), "host")
      }
    }
  }

  func execute(in context: LaunchContext) {}
}

/// The same, left to the compiler.
private struct ReadByCompiler: Command {
  static let name = "Twin"

  @Parameter("Required.") var name: String
  @Parameter("With a default.") var count = 3
  @Parameter("Optional.") var note: String?
  @Parameter("A list.") var levels: [Kinds.Level] = [.low]
  @Parameter("A dictionary.") var limits: [String: Duration] = [:]
  @Parameter("Groups.") var servers: [Kinds.Server] = []
  @Parameter("Groups by name.") var named: [String: Kinds.Server] = [:]
  @Parameter("Groups that need nothing, by name.") var optional: [String: Undemanding] = [:]

  func execute(in context: LaunchContext) {}
}

@Suite("ParameterReader")
struct ParameterReaderTests {
  @Test("tells the same parameters as synthesized decoding")
  func sameParameters() {
    #expect(
      CommandDescription(of: ReadByHand.self).parameters
        == CommandDescription(of: ReadByCompiler.self).parameters)
  }

  @Test("reads what synthesized decoding reads, defaults of groups included")
  func sameValues() throws {
    let text = #"""
      { "name": "n", "note": null, "levels": ["high", "low"], "limits": { "a": "2s" },
        "servers": [{ "port": 1 }, { "port": 2, "host": "h", "users": ["u"] }], "named": { "x": { "port": 3 } } }
      """#
    let (byHand, synthesized) = try (
      decoded(ReadByHand.self, with: text), decoded(ReadByCompiler.self, with: text)
    )
    #expect(byHand.name == "n" && synthesized.name == "n")
    #expect(byHand.count == 3 && synthesized.count == 3)
    #expect(byHand.note == nil && synthesized.note == nil)
    #expect(byHand.levels == [.high, .low] && synthesized.levels == [.high, .low])
    #expect(byHand.limits == ["a": .seconds(2)] && synthesized.limits == byHand.limits)
    #expect(byHand.servers.map(\.host) == ["localhost", "h"] && synthesized.servers == byHand.servers)
    #expect(byHand.named["x"]?.port == 3 && synthesized.named == byHand.named)
  }

  @Test(
    "finds the mistakes that synthesized decoding finds",
    arguments: [
      "{}", #"{ "name": 1 }"#, #"{ "name": null }"#, #"{ "name": "n", "count": "3" }"#,
      #"{ "name": "n", "count": 99999999999999999999 }"#, #"{ "name": "n", "levels": "high" }"#,
      #"{ "name": "n", "levels": ["hihg"] }"#, #"{ "name": "n", "limits": ["2s"] }"#,
      #"{ "name": "n", "limits": { "a": 2 } }"#, #"{ "name": "n", "servers": [{}] }"#,
      #"{ "name": "n", "servers": [{ "port": 70000 }] }"#,
      #"{ "name": "n", "servers": [{ "port": 1, "prt": 2 }] }"#,
      #"{ "name": "n", "named": { "x": [] } }"#, #"{ "name": "n", "optional": { "x": "text" } }"#,
      #"{ "name": "n", "optional": { "x": null } }"#, #"{ "name": "n", "nmae": "m" }"#, "[]",
    ])
  func sameMistakes(text: String) {
    let found = (problems(of: ReadByHand.self, with: text), problems(of: ReadByCompiler.self, with: text))
    #expect(!found.0.isEmpty)
    #expect(found.0 == found.1)
  }

  @Test("asks a type that no empty value satisfies for its shape, whatever its own decoding looks at")
  func picky() throws {
    #expect(Picky().port.number == 80)
    #expect(CommandDescription(of: Picky.self).parameters.map(\.name) == ["port"])
    #expect(CommandDescription(of: Picky.self).parameters.map(\.isRequired) == [true])
    #expect(problems(of: Picky.self, with: "{}").count == 1)
    #expect(try decoded(Picky.self, with: #"{ "port": 443 }"#).port.number == 443)
  }

  @Test("lets a type refuse what its parameters make together, at their place")
  func refusal() {
    let found = problems(of: ReadByHand.self, with: #"{ "name": "refused", "servers": [{ "port": 7 }] }"#)
    #expect(found == [#"2:44: "servers[0].port": is refused"#])
  }

  @Test("reports what a type refuses together with wrong types and unknown keys")
  func everything() {
    let text =
      #"{ "name": "", "count": 10, "levels": "high", "nmae": "m", "servers": [{}, { "port": "x" }] }"#
    #expect(
      problems(of: ReadByHand.self, with: text).map { $0.prefix { $0 != "|" } }
        == [
          #"2:11: "name": must not be empty"#, #"2:24: "count": is too many"#,
          #"2:38: "levels" must be a list, each item one of "low", "high", not a string"#,
          #"2:46: unknown key "nmae" in Twin "#, #"2:71: "servers[0]" needs "port" "#,
          #"2:85: "servers[1].port" must be a whole number from 0 to 65535, not a string"#,
        ])
  }

  @Test("reports what a type refuses of the elements that are right beside those that are not")
  func besideOthers() {
    let text =
      #"{ "name": "n", "limits": { "a": 2, "_b": "2s" }, "servers": [{}, { "port": 1, "host": "nowhere" }] }"#
    #expect(
      problems(of: ReadByHand.self, with: text).map { $0.prefix { $0 != "|" } }
        == [
          #"2:33: "limits.a" must be a duration such as "250ms", not a number "#,
          #"2:42: "limits._b": is no name"#, #"2:62: "servers[0]" needs "port" "#,
          #"2:87: "servers[1].host": is no host"#,
        ])
  }

  @Test("takes two keys that are the same characters in other code points for one: the last")
  func canonicalKeys() throws {
    let text = #"{ "name": "n", "limits": { "\u00e9": "1s", "e\u0301": "2s" } }"#
    #expect(try decoded(ReadByHand.self, with: text).limits == ["é": .seconds(2)])
  }

  @Test("does not report what a type refuses of a parameter that could not be read")
  func once() {
    #expect(
      problems(of: ReadByHand.self, with: #"{ "count": 10 }"#).map { $0.prefix { $0 != "|" } }
        == [#"1:29: Twin needs "name" "#, #"2:12: "count": is too many"#])
    #expect(
      problems(of: ReadByHand.self, with: #"{ "name": 1 }"#) == [
        #"2:11: "name" must be a string, not a number"#
      ])
  }
}
