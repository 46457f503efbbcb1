import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem
import Testing
import AppBootTestSupport

@Suite("Journals with damaged numbers", .ownThread)
struct DamagedJournalTests {
  private static let hostile = ["-9223372036854775808", "9223372036854775807", "1e300"]

  /// A journal with every kind of event, and with the handlers of two events.
  private func journal() throws -> [String] {
    let tests = FileSystem.directory(of: FileSystem.directory(of: #filePath))
    let path = FileSystem.join(tests, "AppBootRecordsTests/Fixtures/journal-1-events.jsonl")
    return String(decoding: try FileSystem.readFile(path), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  @Test("A journal with a wrong number is read around the damage and shown in every format")
  func everyNumber() throws {
    let lines = try journal()
    // Most of the numbers make a line unreadable, with the same record for each of them. Lines of each kind occur
    // several times, so each of their numbers has several of the hostile ones.
    var shown: Set<String> = []
    var count = 0
    for (index, line) in lines.enumerated() {
      for match in line.matches(of: /[:,\[](-?[0-9]+)(?=[,}\]])/) {
        count += 1
        var lines = lines
        let number = Self.hostile[(count + index) % Self.hostile.count]
        lines[index].replaceSubrange(match.1.startIndex..<match.1.endIndex, with: number)
        guard let record = read(lines), shown.insert(record.json(pretty: false)).inserted else { continue }
        try show(record)
      }
    }
    #expect(shown.count > 20)
  }

  @Test("A journal with shuffled lines is shown in every format")
  func anyOrder() throws {
    let lines = try journal()
    for shift in stride(from: 1, to: lines.count - 1, by: 31) {
      let rest = Array(lines.dropFirst())
      try show(try #require(read([lines[0]] + rest[shift...] + rest[..<shift])))
    }
    try show(try #require(read([lines[0]] + lines.dropFirst().reversed())))
  }

  @Test("A journal with circular spans is shown without them", arguments: [0, 1, 7, Int(Int32.max)])
  func spans(parent: Int) throws {
    let lines = try journal()
    let step = try #require(
      lines[1...].first { $0.contains("\"started\"") }?.firstMatch(of: /"step":"([^"]*)"/))
    let span =
      "{\"kind\":\"spanStarted\",\"at\":9,\"step\":\"\(step.1)\",\"span\":0,\"parent\":\(parent),\"name\":\"x\"}"
    try show(try #require(read([lines[0], lines[1], span])))
  }

  private func read(_ lines: [String]) -> LaunchRecord? {
    try? Journal(SourceText(name: "j", text: lines.joined(separator: "\n") + "\n")).record
  }

  /// Expects that every report of the record renders, and that its JSON reads back.
  private func show(_ record: LaunchRecord) throws {
    for format in ReportFormat.allCases { _ = format.render(record) }
    let text = record.json()
    #expect(try LaunchRecord(json: SourceText(name: "copy", text: text)).json() == text)
  }
}
