import AppBoot
import Testing

/// A number that keeps its text, as a decimal type does.
private struct Exact: ExpressibleByParameter, Numeric, Sendable {
  var text: String
  init?(parameter text: String) {
    guard Double(text) != nil else { return nil }
    self.text = text
  }
  static var parameterDescription: String { "a number such as \"19.99\"" }

  init(integerLiteral value: Int) { text = "\(value)" }
  init?<Source: BinaryInteger>(exactly source: Source) { text = "\(source)" }
  var magnitude: Double { 0 }
  static func + (left: Exact, right: Exact) -> Exact { left }
  static func - (left: Exact, right: Exact) -> Exact { left }
  static func * (left: Exact, right: Exact) -> Exact { left }
  static func *= (left: inout Exact, right: Exact) {}
}

/// A type that would be decoded from a number if it were not for its conformance.
private struct Day: Sendable, Equatable {
  var name: String
}

extension Day: Decodable {
  init(from decoder: any Decoder) throws {
    name = "\(try decoder.singleValueContainer().decode(Double.self))"
  }
}

extension Day: ExpressibleByParameter {
  init?(parameter text: String) {
    guard text.hasSuffix("day") else { return nil }
    name = text
  }
  static var parameterDescription: String { "a day such as \"Monday\"" }
}

private enum Mode: String { case fast, slow }
private enum Level: String, CaseIterable { case low, high }
private enum Shape: CaseIterable, Decodable { case round, square }

private struct Region: Decodable, Sendable {
  var name: String
}

private struct Settings: Decodable, Sendable {
  var day: Day
}

private struct Configure: Command {
  @Parameter("A price.") var price: Exact = 1
  @Parameter("A day.") var day: Day?
  @Parameter("Days.") var days: [Day] = []
  @Parameter("Days by name.") var named: [String: Day] = [:]
  @Parameter("Settings.") var settings: Settings?
  @Parameter("A mode.") var mode = Mode.fast
  @Parameter(required: "A level.") var level = Level.low
  @Parameter("Another level.") var other: Level?
  @Parameter("A shape.") var shape = Shape.square
  func execute(in context: LaunchContext) {}
}

/// An address that rejects the empty text, as Foundation's URL does. Its schema is therefore unknown.
private struct Address: Decodable, Sendable {
  let text: String

  init(text: String) { self.text = text }

  private enum Key: CodingKey { case relative }

  init(from decoder: any Decoder) throws {
    text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .relative)
    guard text.isEmpty else { return }
    throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "invalid URL"))
  }
}

@Suite("A parameter that is written as text")
struct ExpressibleByParameterTests {
  @Test("A conforming type is made from text, alone and in lists, dictionaries, options and structs")
  func text() throws {
    let command = try decoded(
      Configure.self,
      with: #"""
        { "price": "1.10", "day": "Monday", "days": ["Sunday"], "named": { "x": "Friday" }, "level": "high",
          "settings": { "day": "Tuesday" } }
        """#)
    #expect(command.price.text == "1.10")
    #expect(command.day?.name == "Monday")
    #expect(command.days.map(\.name) == ["Sunday"])
    #expect(command.named["x"]?.name == "Friday")
    #expect(command.settings?.day.name == "Tuesday")
  }

  @Test("A numeric type is also made from the exact text of a number, and no other type is")
  func numbers() throws {
    #expect(try decoded(Configure.self, with: #"{ "price": 19.90, "level": "low" }"#).price.text == "19.90")
    let found = problems(
      of: Configure.self, with: #"{ "day": 5, "days": [6], "settings": { "day": 7 }, "level": "low" }"#)
    #expect(
      found == [
        #"2:10: "day" must be a day such as "Monday", not a number"#,
        #"2:22: "days[0]" must be a day such as "Monday", not a number"#,
        #"2:47: "settings.day" must be a day such as "Monday", not a number"#,
      ])
  }

  @Test("The text of a type that is only Decodable is an error, which says how to make it a parameter")
  func decodable() {
    struct Upload: Command {
      @Parameter("The region.") var region: Region?
      func execute(in context: LaunchContext) {}
    }
    let builder = #"{ "commands": [{ "command": "Upload", "with": { "region": "eu" } }] }"#
    let error = #expect(throws: ManifestError.self) {
      try StartupCommandsBuilder(parsing: builder, registry: CommandRegistry(Upload.self)).build()
    }
    let mistake = error?.mistakes.first
    #expect(mistake?.message == #""region" must be an object, not a string"#)
    #expect(mistake?.help.count == 1)
    #expect(
      mistake?.help.first?.hasSuffix("conform to ExpressibleByParameter: a manifest then has its text")
        == true)
  }

  @Test("The text of a type that decodes itself from an object is an error with the same help")
  func decodesItself() {
    struct Upload: Command {
      @Parameter(required: "The address.") var address = Address(text: "a:b")
      func execute(in context: LaunchContext) {}
    }
    let builder = #"{ "commands": [{ "command": "Upload", "with": { "address": "a:b" } }] }"#
    let error = #expect(throws: ManifestError.self) {
      try StartupCommandsBuilder(parsing: builder, registry: CommandRegistry(Upload.self)).build()
    }
    #expect(error?.mistakes.first?.message == #""address": expected an object, not a string"#)
    #expect(
      error?.mistakes.first?.help.first?.hasSuffix(
        "Address conform to ExpressibleByParameter: a manifest then has its text")
        == true)
  }

  @Test("A wrong text is reported with the description of the type")
  func wrong() {
    #expect(
      problems(of: Configure.self, with: #"{ "price": "x", "day": "May", "level": "low" }"#) == [
        #"2:12: "price": must be a number such as "19.99", not "x""#,
        #"2:24: "day": must be a day such as "Monday", not "May""#,
      ])
  }

  @Test("An enum with raw values needs no conformance, and a wrong value lists the cases")
  func enums() throws {
    let command = try decoded(
      Configure.self, with: #"{ "mode": "slow", "level": "high", "other": "low", "shape": "round" }"#)
    #expect(command.mode == .slow)
    #expect(command.level == .high)
    #expect(command.other == .low)
    #expect(command.shape == .round)
    #expect(
      problems(of: Configure.self, with: #"{ "level": "hi", "other": "medium", "shape": "rund" }"#) == [
        #"2:12: "level" cannot be "hi" | it is one of "low", "high""#,
        #"2:27: "other" cannot be "medium" | it is one of "low", "high""#,
        #"2:46: "shape" cannot be "rund" | did you mean "round"? | it is one of "round", "square""#,
      ])
    #expect(
      problems(of: Configure.self, with: #"{ "mode": "fat", "level": "low" }"#) == [
        #"2:11: "mode" cannot be "fat" | did you mean "fast"? | it is one of "fast", "slow""#
      ])
    #expect(problems(of: Configure.self, with: "{}").count == 1)
  }

  @Test("Help and schema show the descriptions, the cases and the defaults")
  func catalogue() {
    let fields = CommandDescription(of: Configure.self).parameters
    let texts = fields.map { "\($0.name): \($0.schema.description) \($0.defaultText ?? "-")" }
    #expect(
      texts == [
        "price: a number such as \"19.99\", or a number -",
        "day: a day such as \"Monday\", or null -",
        "days: a list of values, each a day such as \"Monday\" []",
        "named: an object of values, each a day such as \"Monday\" {}",
        "settings: an object, or null -",
        "mode: one of \"fast\", \"slow\" \"fast\"",
        "level: one of \"low\", \"high\" -",
        "other: one of \"low\", \"high\", or null -",
        "shape: one of \"round\", \"square\" \"square\"",
      ])
  }
}
