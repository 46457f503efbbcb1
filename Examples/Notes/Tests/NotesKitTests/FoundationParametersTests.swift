import AppBoot
import AppBootRecords
import Testing

@Suite("Parameters of Foundation's types")
struct FoundationParametersTests {
  private func plan(_ parameters: String) throws -> LaunchPlan {
    let text = #"{ "commands": [{ "command": "Upload", "with": \#(parameters) }] }"#
    return try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Upload.self))
      .environment(["UPLOAD_TOKEN": "hunter22"]).build()
  }

  @Test("URLs, decimals, dates, enums and secrets are written as text")
  func text() throws {
    let plan = try plan(
      #"""
      { "endpoint": "https://example.com/notes", "price": 19.99, "end": "2026-01-31T08:00:00Z",
        "quality": "low", "token": "{env.UPLOAD_TOKEN}" }
      """#)
    let record = plan.runBlocking()
    #expect(record["Upload"]?.details.note == "example.com 19.99 1769846400.0 low")
    #expect(!record.json().contains("hunter22"))
  }

  @Test("A wrong text is reported with the description of its type")
  func wrong() throws {
    let error = try #require(throws: PlanError.self) {
      try plan(#"{ "endpoint": "a b", "price": "1x", "end": 5, "quality": "hi", "token": "t" }"#)
    }
    #expect(
      error.mistakes.map(\.message) == [
        #""endpoint" must be a URL like "https://example.com", with spaces and non-ASCII characters percent-encoded, "#
          + #"not "a b""#,
        #""price" must be a decimal number like "19.99" with at most 38 digits, not "1x""#,
        #""end" must be a time with its zone like "2026-01-31T08:00:00Z", or a day like "2026-01-31", not a number"#,
        #""quality" cannot be "hi""#,
      ])
  }
}
