import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords

@Suite("Docs/fleet.md", .ownThread)
struct FleetDocumentTests {
  /// A program that runs a query on the records of a file, with the SQLite of Python.
  private static let program = """
    import sqlite3, sys
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE launches (record TEXT)")
    database.executemany("INSERT INTO launches VALUES (?)", ([line] for line in open(sys.argv[1])))
    for row in database.execute(sys.argv[2]):
        print(*("" if value is None else value for value in row), sep="\t")
    """

  /// The SQL blocks of the page, in order.
  private let queries: [String]
  private let directory: TemporaryDirectory

  init() throws {
    let path = FileSystem.directory(of: #filePath) + "/../../../Docs/fleet.md"
    let page = String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    queries = page.split(separator: "```sql\n").dropFirst().map { block in
      String(block.prefix(upTo: block.firstRange(of: "```")?.lowerBound ?? block.endIndex))
    }
    directory = try TemporaryDirectory()
  }

  private func query(_ place: Int, on records: [StartupRecord]) throws -> [[String]] {
    let file = directory.file("records")
    let lines = records.map { $0.json(pretty: false) + "\n" }.joined()
    try FileSystem.writeFile(atomically: Array(lines.utf8), to: file)
    let query = try #require(queries.indices.contains(place) ? queries[place] : nil)
    let process = try ProcessRequest(["python3", "-c", Self.program, file, query], captureOutput: true)
      .start()
    #expect(process.wait() == .exited(0))
    var output: [UInt8] = []
    _ = process.readOutput { output += $0 }
    process.finish()
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  /// Returns launches whose step `Database` takes 1 ms, 2 ms, … and `Keychain` a tenth of that.
  private func launches(_ count: Int) -> [StartupRecord] {
    (1...count).map { number in
      var record = StartupRecord(outline: RecordSample.plan.outline, startedAt: RecordSample.startedAt)
      record.header.labels = [LaunchLabel("version", number.isMultiple(of: 4) ? "2.1" : "2.0")]
      let time = Int64(number) * 1_000_000
      record.executions[0] = StepExecution(succeededFrom: 0, to: time / 10)
      record.executions[3] = StepExecution(succeededFrom: 0, to: time)
      let isFailed = number.isMultiple(of: 4)
      record.apply(StartupEvent(.launchEnded(isFailed ? .failed(step: 3) : .succeeded), at: time))
      return record
    }
  }

  @Test("The first query returns the percentiles of each step, slowest first")
  func percentiles() throws {
    #expect(
      try query(0, on: launches(200)) == [
        ["Database", "200", "100.0", "190.0", "198.0"], ["Keychain", "200", "10.0", "19.0", "19.8"],
      ])
  }

  @Test("The second query returns the share of failed launches by label, with the step that stopped them")
  func failures() throws {
    #expect(try query(1, on: launches(8)) == [["2.1", "2", "100.0", "Database"], ["2.0", "6", "0.0", ""]])
  }

  @Test("The third query returns the steps that needed a second attempt")
  func retries() throws {
    #expect(
      try query(2, on: [StartupRecord](repeating: RecordSample.record, count: 3)) == [["Fonts", "3", "2"]])
    #expect(queries.count == 3)
  }
}
