import AppBoot
import Testing

/// A number that keeps its text, as a decimal type does.
private struct Exact: ParameterValue, Numeric {
  var text: String

  static var parameterType: ParameterType<Exact> {
    .text("a number such as \"19.99\"", placeholder: 0) { Double($0) == nil ? nil : Exact(text: $0) }
  }

  init(text: String) { self.text = text }
  init(integerLiteral value: Int) { text = "\(value)" }
  init?<Source: BinaryInteger>(exactly source: Source) { text = "\(source)" }
  var magnitude: Double { 0 }
  static func + (left: Exact, right: Exact) -> Exact { left }
  static func - (left: Exact, right: Exact) -> Exact { left }
  static func * (left: Exact, right: Exact) -> Exact { left }
  static func *= (left: inout Exact, right: Exact) {}
}

private struct Day: ParameterValue, Equatable {
  var name: String

  static var parameterType: ParameterType<Day> {
    .text("a day such as \"Monday\"", placeholder: Day(name: "")) { text in
      text.hasSuffix("day") ? Day(name: text) : nil
    }
  }
}

private enum Mode: String, CaseIterable, ParameterValue { case fast, slow }
private enum Level: String, CaseIterable, ParameterValue { case low, high }
private enum Shape: CaseIterable, ParameterValue { case round, square }

private struct Settings: ParameterGroup {
  @Parameter("A day.") var day: Day
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

@Suite("A parameter that is written as text")
struct ParameterTypeTests {
  @Test("A type is made from text, alone and in lists, dictionaries, options and groups")
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

  @Test("A wrong text is reported with the description of the type")
  func wrong() {
    #expect(
      problems(of: Configure.self, with: #"{ "price": "x", "day": "May", "level": "low" }"#) == [
        #"2:12: "price": must be a number such as "19.99", not "x""#,
        #"2:24: "day": must be a day such as "Monday", not "May""#,
      ])
  }

  @Test("An enum needs no code, and the error for a wrong value lists the cases")
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
