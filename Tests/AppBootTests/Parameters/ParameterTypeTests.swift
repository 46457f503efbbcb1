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
private enum Size: Int, CaseIterable, ParameterValue { case small = 1, large = 10 }

private struct Port: ParameterValue, Equatable {
  var number: UInt16

  static var parameterType: ParameterType<Port> {
    UInt16.parameterType.map("a port from 1 to 65535", placeholder: Port(number: 0)) {
      $0 == 0 ? nil : Port(number: $0)
    }
  }
}

private struct Window: ParameterGroup {
  @Parameter("The number of requests.") var count: Int
}

private struct Rate: ParameterValue {
  var interval: Int

  static var parameterType: ParameterType<Rate> {
    Window.parameterType.map("a rate", placeholder: Rate(interval: 0)) { Rate(interval: 1000 / $0.count) }
  }
}

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
  @Parameter("A size.") var size = Size.large
  @Parameter("A port.") var port: Port?
  @Parameter("A rate.") var rate: Rate?
  func execute(in context: LaunchContext) {}
}

@Suite("A parameter that is written as text")
struct ParameterTypeTests {
  @Test("A type is made from text, alone and in lists, dictionaries, optionals and groups")
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

  @Test("A type can be made from values of another type, and an enum from its numbers")
  func made() throws {
    let command = try decoded(Configure.self, with: #"{ "port": 80, "size": 10, "level": "low" }"#)
    #expect(command.port?.number == 80)
    #expect(command.size == .large)
    #expect(
      problems(of: Configure.self, with: #"{ "port": 0, "size": 2, "level": "low" }"#) == [
        #"2:11: "port" must be a port from 1 to 65535"#, #"2:22: "size" must be one of 1, 10"#,
      ])
    #expect(
      problems(of: Configure.self, with: #"{ "rate": {}, "level": "low" }"#) == [
        #"2:11: "rate" needs "count" | add "count", a whole number: The number of requests."#
      ])
    #expect(
      problems(of: Configure.self, with: #"{ "port": "80", "level": "low" }"#) == [
        #"2:11: "port" must be a whole number from 0 to 65535, not a string | write 80"#
      ])
  }

  @Test("A wrong text is reported with the description of the type")
  func wrong() {
    #expect(
      problems(of: Configure.self, with: #"{ "price": "x", "day": "May", "level": "low" }"#) == [
        #"2:12: "price" must be a number such as "19.99", not "x""#,
        #"2:24: "day" must be a day such as "Monday", not "May""#,
      ])
  }

  @Test("An enum needs only the conformance, and the error for a wrong value lists the cases")
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
        "size: a whole number 10",
        "port: a whole number from 0 to 65535, or null -",
        "rate: an object, or null -",
      ])
  }
}
