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

  private func query(_ place: Int, on records: [LaunchRecord]) throws -> [[String]] {
    try query(place, on: records.map { $0.json(pretty: false) })
  }

  private func query(_ place: Int, on lines: [String]) throws -> [[String]] {
    let file = directory.file("records")
    try FileSystem.writeFile(atomically: Array(lines.joined(separator: "\n").utf8), to: file)
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
  private func launches(_ count: Int) -> [LaunchRecord] {
    (1...count).map { number in
      var record = LaunchRecord(outline: RecordSample.plan.outline, startedAt: RecordSample.startedAt)
      record.header.labels = [LaunchLabel("version", number.isMultiple(of: 4) ? "2.1" : "2.0")]
      let time = Int64(number) * 1_000_000
      record.executions[0] = StepExecution(succeededFrom: 0, to: time / 10)
      record.executions[3] = StepExecution(succeededFrom: 0, to: time)
      let isFailed = number.isMultiple(of: 4)
      record.apply(LaunchEvent(.launchEnded(isFailed ? .failed(step: 3) : .succeeded), at: time))
      return record
    }
  }

  @Test("The first query returns the share of failed launches by label, with the step that stopped them")
  func failures() throws {
    #expect(try query(0, on: launches(8)) == [["2.1", "2", "100.0", "Database"], ["2.0", "6", "0.0", ""]])
  }

  @Test("The last queries return the step and the pair of labels behind the slowest launches")
  func slowest() throws {
    #expect(queries.count == 3)
    let lines = fleet(5_000)
    #expect(try query(1, on: lines).first?.first == "Keychain")
    let pairs = try query(2, on: lines)
    #expect(pairs.first?.prefix(2) == ["region=eu", "version=2.1"])
    // A host has 5 launches, of some hosts all slow: a rare pair.
    #expect(!pairs.joined().contains { $0.hasPrefix("host.name=") })
  }

  /// Returns launches of four versions in three regions. `Keychain` is slow in many launches of one version in one
  /// region; `Database` takes longest in all launches.
  private func fleet(_ count: Int) -> [String] {
    var random = SeededGenerator(seed: 5)
    let parts = (0..<400).map { number in
      let version = ["2.0", "2.1", "1.9", "1.8"][number % 4]
      let region = ["us", "eu", "us", "asia", "eu"][number / 4 % 5]
      let isSlow = version == "2.1" && region == "eu" && Int.random(in: 0..<10, using: &random) < 4
      var record = LaunchRecord(outline: RecordSample.plan.outline, startedAt: RecordSample.startedAt)
      record.header.labels = [
        LaunchLabel("host.name", "HOST"), LaunchLabel("region", region), LaunchLabel("version", version),
      ]
      let first = Int64.random(in: 10_000_000..<15_000_000, using: &random) + (isSlow ? 60_000_000 : 0)
      let end = first + Int64.random(in: 100_000_000..<120_000_000, using: &random)
      record.executions[0] = StepExecution(succeededFrom: 0, to: first)
      record.executions[3] = StepExecution(succeededFrom: first, to: end)
      record.apply(LaunchEvent(.launchEnded(.succeeded), at: end))
      return record.json(pretty: false).split(separator: "HOST")
    }
    return (0..<count).map { parts[$0 % parts.count].joined(separator: "h\($0 % parts.count)-\($0 / 2_000)") }
  }
}
