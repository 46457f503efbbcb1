@testable import AppBoot
@testable import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The record archive")
struct RecordArchiveTests {
  private let directory: String

  init() throws {
    directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-archive")
  }

  private func write(_ text: String, as name: String) throws -> String {
    let path = FileSystem.join(directory, name)
    try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
    return path
  }

  @Test("The archive reads records and journals")
  func bothForms() throws {
    defer { try? FileSystem.removeTree(directory) }
    let record = RecordSample.record
    for (text, name) in [
      (record.json(), "a.json"), (record.json(pretty: false), "b.json"), (RecordSample.journal(), "c.jsonl"),
    ] {
      let entry = try RecordArchive.read(try write(text, as: name))
      #expect(entry.record.json() == record.json())
      #expect(!entry.isUnfinished)
      #expect(entry.damage.isEmpty)
      #expect(entry.path.hasSuffix(name))
    }
  }

  @Test("The launch of a journal without its last event is unfinished")
  func unfinished() throws {
    defer { try? FileSystem.removeTree(directory) }
    let lines = RecordSample.journal().split(separator: "\n").dropLast()
    let entry = try RecordArchive.read(try write(lines.joined(separator: "\n") + "\n", as: "x.jsonl"))
    #expect(entry.isUnfinished)
    #expect(entry.record.outcome == .running)
  }

  @Test("A launch that holds its journal is running, also before it has written the first line")
  func firstLine() throws {
    defer { try? FileSystem.removeTree(directory) }
    let path = LaunchHistory(directory: directory).journal
    #expect(try RecordArchive.running(in: directory) == nil)
    let journal = try #require(try ExclusiveFile.open(path))
    #expect(try RecordArchive.running(in: directory, within: 0) == nil)
    let lines = RecordSample.journal().split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    let hasBegun = Gate()
    _ = try Thread.start(name: "journal") {
      hasBegun.wait()
      try? journal.append(Array(lines.utf8))
    }
    hasBegun.open()
    let running = try RecordArchive.running(in: directory, within: Patience.end - MonotonicClock.now())
    #expect(running?.record.outcome == .running)
    journal.close()
  }

  @Test("The archive lists record files by name, and for a state directory its records")
  func list() throws {
    defer { try? FileSystem.removeTree(directory) }
    for name in ["b.jsonl", "a.json", "notes.txt", ".hidden.json"] { _ = try write("", as: name) }
    let names = ["a.json", "b.jsonl"].map { FileSystem.join(directory, $0) }
    #expect(try RecordArchive.list(directory) == names)
    try FileSystem.createDirectory(FileSystem.join(directory, "records"))
    let stored = try write("", as: "records/20260101T000000.000Z-1.jsonl")
    #expect(try RecordArchive.list(directory) == [stored])
    #expect(FileSystem.isDirectory(directory))
    #expect(!FileSystem.isDirectory(stored))
  }

  @Test("A missing file or directory is an error")
  func unreadable() throws {
    defer { try? FileSystem.removeTree(directory) }
    let missing = FileSystem.join(directory, "missing.json")
    let error = #expect(throws: RecordError.self) { try RecordArchive.read(missing) }
    #expect(error?.description == "cannot open \"\(missing)\": no such file or directory")
    #expect(throws: RecordError.self) { try RecordArchive.list(missing) }
  }
}
