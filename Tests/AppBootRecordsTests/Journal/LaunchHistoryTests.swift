@testable import AppBoot
@testable import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

import AppBootLibC

@Suite("The launch history", .ownThread)
final class LaunchHistoryTests {
  private let history: LaunchHistory

  init() throws { history = LaunchHistory(directory: try FileSystem.makeTemporaryDirectory()) }

  deinit { try? FileSystem.removeTree(history.directory) }

  private func keep(_ startedAt: String, process: Int32 = 1) throws {
    let file = try #require(try ExclusiveFile.open(history.journal))
    try file.append(Array(startedAt.utf8))
    try history.keep(file, stamp: try #require(LaunchID.stamp(of: startedAt)), process: process)
    file.close()
  }

  /// Returns the start times of the stored launches, the oldest first.
  private func kept() throws -> [String] {
    try history.kept().map { String(decoding: try FileSystem.readFile($0), as: UTF8.self) }
  }

  @Test("Launches keep their order if the wall clock goes back, and the newest is never pruned")
  func clockGoesBack() throws {
    let moments = (10..<31).map { "2026-01-01T00:00:\($0).000Z" }
    for moment in moments { try keep(moment) }
    #expect(try kept() == Array(moments.suffix(20)))
    let early = (10..<25).map { "1970-01-01T00:00:\($0 % 3 + 10).000Z" }
    for moment in early { try keep(moment) }
    #expect(try kept() == Array((moments + early).suffix(20)))
    try keep("2026-01-01T00:00:30.000Z")
    try keep("2026-02-01T00:00:00.000Z")
    #expect(try kept().suffix(2) == ["2026-01-01T00:00:30.000Z", "2026-02-01T00:00:00.000Z"])
    #expect(history.kept().last?.hasSuffix("/20260201T000000.000Z-1.jsonl") == true)
  }

  @Test("A launch is not pruned while its app still writes event handlers")
  func held() throws {
    let app = try #require(try ExclusiveFile.open(history.journal))
    try app.append(Array("app".utf8))
    try history.keep(app, stamp: "20260101T000000.000Z", process: 7)
    for second in 10..<40 { try keep("2026-01-01T00:00:\(second).000Z") }
    #expect(try kept().first == "app" && kept().count == 21)
    app.close()
    try keep("2026-01-01T00:00:40.000Z")
    #expect(try kept().first == "2026-01-01T00:00:21.000Z" && kept().count == 20)
  }

  @Test("The history has the interrupted event handlers of a process only after it crashed")
  func interrupted() throws {
    let fixture = try Fixture.bytes(of: "journal-1-events.jsonl")
    let app = try #require(try ExclusiveFile.open(history.journal))
    try app.append(fixture)
    try history.keep(app, stamp: "20260101T000000.000Z", process: 7)
    #expect(RecordArchive.interruptedHandlers(in: history.directory, process: 7).isEmpty)
    app.close()
    try keep("2026-01-02T00:00:00.000Z", process: 77)
    #expect(RecordArchive.interruptedHandlers(in: history.directory, process: 7).map(\.event) == ["openURL"])
    #expect(RecordArchive.interruptedHandlers(in: history.directory, process: 77).isEmpty)
    #expect(RecordArchive.interruptedHandlers(in: history.directory, process: 8).isEmpty)
  }

  /// Returns the journal of a launch that began at this second and crashed in the fixture's first step.
  private func crashedJournal(_ second: Int) throws -> [UInt8] {
    let lines = try Fixture.bytes(of: "journal-1.jsonl").split(separator: UInt8(ascii: "\n"))
    let first = try #require(
      lines.firstIndex { String(decoding: $0, as: UTF8.self).contains(#""kind":"started""#) })
    var text = lines[...first].map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    let name = try #require(text.firstRange(of: #""startedAt":""#))
    let end = try #require(text[name.upperBound...].firstIndex(of: "\""))
    text.replaceSubrange(name.upperBound..<end, with: "2026-03-01T00:00:\(second).000Z")
    let process = try #require(text.firstRange(of: #""process":{"#))
    let origin = try #require(FileSystem.origin(of: history.directory))
    text.replaceSubrange(process.upperBound..<process.upperBound, with: "\"origin\":\"\(origin)\",")
    return Array(text.utf8)
  }

  private func store(_ bytes: [UInt8], second: Int, isMarked: Bool = true) throws {
    let file = try #require(try ExclusiveFile.open(history.journal))
    try file.append(bytes)
    if isMarked { history.note(try Journal(SourceText(name: "j", bytes: bytes))) }
    try history.keep(file, stamp: "20260301T0000\(second).000Z", process: 1)
    file.close()
  }

  @Test("Each crash is counted once, from the crash markers or from the records")
  func crashes() throws {
    try store(crashedJournal(10), second: 10)
    #expect(history.launchesSinceHealthy().count == 1)
    // An empty marker, as after a full disk: the crash comes from the records, and the next one is added.
    try FileSystem.writeFile(atomically: [], to: history.crashMarkerPath)
    #expect(history.launchesSinceHealthy().count == 1)
    try store(crashedJournal(11), second: 11)
    #expect(history.launchesSinceHealthy().count == 2)
    // A crash that could not be marked, and one that is marked twice.
    try store(crashedJournal(12), second: 12, isMarked: false)
    #expect(history.launchesSinceHealthy().count == 3)
    let last = try crashedJournal(13)
    history.note(try Journal(SourceText(name: "j", bytes: last)))
    try store(last, second: 13)
    #expect(history.launchesSinceHealthy().count == 4)
    #expect(
      CrashMarker.read(history.crashMarkerPath).map(\.startedAt).map { String($0.suffix(7)) }
        == (10...13).map { "\($0).000Z" })
    // Many steps with long names.
    let wide = CrashMarker(
      startedAt: "x", process: 7, origin: nil,
      running: (0..<5000).map { "\($0)" + String(repeating: "a", count: 900) })
    #expect(wide.running.count == 1000)
    #expect(CrashMarker.text(of: Array(repeating: wide, count: 8)).count <= 4 << 20)
  }

  @Test("The history does not wait for a pipe in place of the journal")
  func pipe() throws {
    #expect(mkfifo(history.journal, 0o600) == 0)
    #expect(history.launchesSinceHealthy().isEmpty)
  }

  @Test("Launches that began at the same time are all stored, in the order of their ends")
  func sameMoment() throws {
    for process: Int32 in [9, 9, 10, 8] { try keep("2026-01-01T00:00:00.000Z", process: process) }
    let names = history.kept().map(FileSystem.lastComponent)
    #expect(
      names == [
        "20260101T000000.000Z-9.jsonl", "20260101T000000.000Z.00000001-9.jsonl",
        "20260101T000000.000Z.00000002-10.jsonl", "20260101T000000.000Z.00000003-8.jsonl",
      ])
  }

  @Test(
    "A malformed time has no stamp", arguments: ["", "yesterday", "2026-01-01", "../../etc/passwdZ"])
  func malformedTime(text: String) {
    #expect(LaunchID.stamp(of: text) == nil)
  }
}
