import AppBoot
import AppBootFoundation
import Foundation
import Testing

private struct Publish: Command {
  @Parameter("The address.") var address: URL
  @Parameter("The prices.") var prices: [Decimal] = []
  @Parameter("The start.") var start = Date.distantPast
  @Parameter("The day.") var day: Date?
  @Parameter("The key.") var key = Data()
  @Parameter("The identifier.") var id: UUID?

  func execute(in context: LaunchContext) {
    context.note(
      "\(address.host() ?? "-") \(prices) \(start.timeIntervalSince1970) \(day?.timeIntervalSince1970 ?? 0) "
        + "\(key.count) \(id?.uuidString ?? "-")")
  }
}

@Suite("A parameter of a type of Foundation")
struct FoundationParametersTests {
  private func build(_ parameters: String) throws -> LaunchPlan {
    try StartupCommandsBuilder(
      parsing: #"{ "commands": [{ "command": "Publish", "with": \#(parameters) }] }"#,
      registry: CommandRegistry(Publish.self)
    ).build()
  }

  @Test("URL, Decimal, Date, Data and UUID are written as text")
  func text() async throws {
    let plan = try build(
      #"""
      { "address": "https://example.com/a", "prices": ["19.99", 0.1], "start": "1970-01-01T00:00:01.5Z",
        "day": "1970-01-02", "key": "aGVsbG8=", "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F" }
      """#)
    let record = await plan.run()
    #expect(
      record.first?.details.note
        == "example.com [19.99, 0.1] 1.5 86400.0 5 E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
  }

  private func note(_ parameters: String) async throws -> String? {
    await (try build(#"{ "address": "x:y", \#(parameters) }"#)).run().first?.details.note
  }

  @Test(
    "A date is a time in any form of RFC 3339, or a day",
    arguments: [
      ("2026-01-31", 0.0), ("2026-01-31T08:00:00Z", 28_800), ("2026-01-31t08:00:00z", 28_800),
      ("2026-01-31 08:00:00Z", 28_800), ("2026-01-31T08:00:00.25Z", 28_800.25),
      ("2026-01-31T08:00:00.123456Z", 28_800.123456), ("2026-01-31T08:00:00+02:00", 21_600),
      ("2026-01-31T00:30:00.5-01:30", 7_200.5), ("2026-01-31T08:00:00-00:00", 28_800),
      ("2026-01-31T23:58:00+23:58", 0), ("2026-01-31T23:59:60Z", 86_400),
      ("2026-01-31T15:59:60-08:00", 86_400), ("2026-02-01T00:59:60+01:00", 86_400),
    ])
  func date(text: String, secondsOfDay: Double) async throws {
    let note = try await note(#""start": "\#(text)""#)
    #expect(note == "- [] \(1_769_817_600 + secondsOfDay) 0.0 0 -")
  }

  @Test(
    "A date in another form, or one that does not exist, is an error",
    arguments: [
      "2026-01-31T08:00:00", "2026-01-31T08:00Z", "2026-01-31T8:00:00Z", "2026-01-31T08:00:00,5Z",
      "2026-01-31T08:00:00.Z", "2026-01-31T08:00:00+0200", "2026-01-31T08:00:00+02",
      "2026-01-31T08:00:00+24:00", "2026-01-31T08:00:00+02:60", "2026-01-31T08:00:00Zgarbage",
      "2026-01-31_08:00:00Z", "2026-01-31  08:00:00Z", "2026-01-31Z", "2026-01-31hello", " 2026-01-31",
      "2026-01-31 ", "2026-02-30", "2026-02-29T00:00:00Z", "2026-00-01", "2026-13-01", "2026-01-00",
      "2026-1-31", "20260131", "2026-W05-6", "2026-031", "02026-01-31", "-026-01-31", "٢٠٢٦-01-31",
      "2026-01-31T24:00:00Z", "2026-01-31T25:00:00Z", "2026-01-31T08:60:00Z", "2026-01-31T08:00:60Z",
      "2026-01-31T08:00:61Z", "2026-01-31T23:59:60+01:00", "",
    ])
  func wrongDate(text: String) {
    let error = #expect(throws: PlanError.self) {
      try build(#"{ "address": "x:y", "start": "\#(text)" }"#)
    }
    #expect(
      error?.mistakes.first?.message == """
        "start" must be a time with its zone like "2026-01-31T08:00:00Z", or a day like "2026-01-31", \
        not "\(text)"
        """)
  }

  @Test(
    "A decimal number has the digits of its text",
    arguments: [
      ("\"-0.10\"", "-0.1"), ("1.50e3", "1500"), ("\"+1.5E-2\"", "0.015"), ("\".5\"", "0.5"), ("-0", "0"),
      ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"),
      ("1e45", "1" + String(repeating: "0", count: 45)),
    ])
  func decimal(text: String, value: String) async throws {
    #expect(
      try await note("\"prices\": [\(text)]")
        == "- [\(value)] \(Date.distantPast.timeIntervalSince1970) 0.0 0 -")
  }

  @Test(
    "A decimal number in another notation, or with more digits than it can have, is an error",
    arguments: [
      "\"0x10\"", "\"0xE1\"", "\"nan\"", "\"inf\"", "\"1e\"", "\"1_0\"", "\" 1\"", "\"1.5abc\"", "\"\"",
      "1e200",
      "1e-200", "1234567890123456789012345678901234567890.123", "0.12345678901234567890123456789012345678901",
    ])
  func wrongDecimal(text: String) {
    let error = #expect(throws: PlanError.self) {
      try build("{ \"address\": \"x:y\", \"prices\": [\(text)] }")
    }
    #expect(
      error?.mistakes.first?.message.hasPrefix(
        #""prices[0]" must be a decimal number like "19.99" with at most 38 digits, not "#) == true)
  }

  @Test(
    "A wrong text is reported with an example of a right one",
    arguments: [
      (#""address": "a b""#, "a URL like"),
      (
        #""address": "https://e.com/ü""#,
        #"a URL like "https://example.com", with spaces and non-ASCII characters percent-encoded, not "https://e.com/ü""#
      ),
      (#""address": "x:y", "prices": ["1,5"]"#, "a decimal number like"),
      (#""address": "x:y", "start": "today""#, "a time with its zone like"),
      (#""address": "x:y", "key": "?""#, "Base64 like"), (#""address": "x:y", "id": "7""#, "a UUID like"),
    ])
  func wrong(parameters: String, words: String) {
    let error = #expect(throws: PlanError.self) { try build("{ \(parameters) }") }
    #expect(error?.description.contains(words) == true)
  }
}

@Suite("Values of Foundation in a launch")
struct FoundationValuesTests {
  private struct Note: Codable, Equatable {
    let id: Int
  }

  @Test("A state store has Codable values as JSON")
  func state() throws {
    let store = MemoryStateStore()
    #expect(try store.value("note", as: Note.self) == nil)
    try store.write("note", value: Note(id: 7))
    #expect(try store.value("note") == Note(id: 7))
    store.write("note", [UInt8](#"{"id":"seven"}"#.utf8))
    #expect(throws: DecodingError.self) { try store.value("note", as: Note.self) }
  }

  @Test("Launch options have their URL and their payload as values")
  func options() throws {
    let options = LaunchOptions(url: "notes://note/7", payload: #"{"id":7}"#)
    #expect(options.foundationURL?.host() == "note")
    #expect(try options.payload(as: Note.self) == Note(id: 7))
    #expect(LaunchOptions().foundationURL == nil)
    #expect(try LaunchOptions().payload(as: Note.self) == nil)
    #expect(throws: DecodingError.self) { try LaunchOptions(payload: "7").payload(as: Note.self) }
  }
}
