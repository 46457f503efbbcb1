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
  private func build(_ parameters: String) throws -> StartupPlan {
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

  @Test(
    "A wrong text is reported with an example of a right one",
    arguments: [
      (#""address": "a b""#, "a URL like"),
      (#""address": "x:y", "prices": ["1,5"]"#, "a decimal number like"),
      (#""address": "x:y", "start": "today""#, "a time like"),
      (#""address": "x:y", "key": "?""#, "Base64 like"), (#""address": "x:y", "id": "7""#, "a UUID like"),
    ])
  func wrong(parameters: String, words: String) {
    let error = #expect(throws: PlanError.self) { try build("{ \(parameters) }") }
    #expect(error?.description.contains(words) == true)
  }
}
