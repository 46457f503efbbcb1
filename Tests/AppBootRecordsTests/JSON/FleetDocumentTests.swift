import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords

/// These tests fail if the machine has no SQLite: install the package libsqlite3-0.
@Suite("Docs/fleet.md")
struct FleetDocumentTests {
  /// The SQL blocks of the page, in order.
  private let queries: [String]
  private let database: SQLiteConnection

  init() throws {
    let path = FileSystem.directory(of: #filePath) + "/../../../Docs/fleet.md"
    let page = String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    queries = page.split(separator: "```sql\n").dropFirst().map { block in
      String(block.prefix(upTo: block.firstRange(of: "```")?.lowerBound ?? block.endIndex))
    }
    database = try SQLiteConnection(":memory:", library: try SQLiteLibrary())
    try database.execute("CREATE TABLE launches (record TEXT)")
  }

  private func insert(_ record: StartupRecord) throws {
    try database.execute("INSERT INTO launches VALUES (?)", record.json(pretty: false))
  }

  private func query(_ place: Int) throws -> [[String]] {
    try database.rows(try #require(queries.indices.contains(place) ? queries[place] : nil))
  }

  /// Inserts launches whose step `Database` takes 1 ms, 2 ms, … and `Keychain` a tenth of that.
  private func insertLaunches(_ count: Int) throws {
    for number in 1...count {
      var record = StartupRecord(outline: RecordSample.plan.outline, startedAt: RecordSample.startedAt)
      record.header.labels = [LaunchLabel("version", number.isMultiple(of: 4) ? "2.1" : "2.0")]
      let time = Int64(number) * 1_000_000
      record.executions[0] = StepExecution(succeededFrom: 0, to: time / 10)
      record.executions[3] = StepExecution(succeededFrom: 0, to: time)
      let isFailed = number.isMultiple(of: 4)
      record.apply(StartupEvent(.launchEnded(isFailed ? .failed(step: 3) : .succeeded), at: time))
      try insert(record)
    }
  }

  @Test("The first query returns the percentiles of each step, slowest first")
  func percentiles() throws {
    try insertLaunches(200)
    #expect(
      try query(0) == [
        ["Database", "200", "100.0", "190.0", "198.0"], ["Keychain", "200", "10.0", "19.0", "19.8"],
      ])
  }

  @Test("The second query returns the share of failed launches by label, with the step that stopped them")
  func failures() throws {
    try insertLaunches(8)
    #expect(try query(1) == [["2.1", "2", "100.0", "Database"], ["2.0", "6", "0.0", ""]])
  }

  @Test("The third query returns the steps that needed a second attempt")
  func retries() throws {
    for _ in 0..<3 { try insert(RecordSample.record) }
    #expect(try query(2) == [["Fonts", "3", "2"]])
    #expect(queries.count == 3)
  }
}
