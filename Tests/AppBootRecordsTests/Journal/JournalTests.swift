@testable import AppBoot
@testable import AppBootRecords
import AppBootTestSupport
import Testing

@Suite("The journal reader", .ownThread)
struct JournalTests {
  private func read(_ text: String) throws -> Journal {
    try Journal(SourceText(name: "journal.jsonl", text: text))
  }

  @Test("The events of a journal add up to the record of the launch")
  func replay() throws {
    let journal = try read(RecordSample.journal())
    #expect(journal.record.json() == RecordSample.record.json())
    #expect(journal.events == RecordSample.events)
    #expect(journal.hasEnded)
    #expect(journal.running.isEmpty)
    #expect(journal.damage.isEmpty)
    #expect(journal.process == 4711)
    #expect(!journal.wasDebugged)
    #expect(try read(RecordSample.journal(wasDebugged: true)).wasDebugged)
  }

  @Test("A journal of version 1 can be read")
  func version1() throws {
    let journal = try Journal(
      SourceText(name: "journal-1.jsonl", bytes: try Fixture.bytes(of: "journal-1.jsonl")))
    #expect(journal.record.json() == RecordSample.record.json())
    #expect(journal.damage.isEmpty)
    #expect(journal.process == 4711)
  }

  @Test("A journal that is cut off after its first line can be read, and has the steps that were running")
  func everyCut() throws {
    let bytes = Array(RecordSample.journal().utf8)
    let first = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    let events = RecordSample.events
    // Every 29th byte, and the last two lengths.
    for end in Array(stride(from: first, to: bytes.count, by: 29)) + [bytes.count - 1, bytes.count] {
      let journal = try Journal(SourceText(name: "j", bytes: Array(bytes[..<end])))
      #expect(journal.damage.isEmpty)
      let whole = bytes[..<end].filter { $0 == UInt8(ascii: "\n") }.count - 1
      // A line may be complete except for its line feed.
      #expect(journal.events.count == whole || journal.events.count == whole + 1)
      var record = LaunchRecord(outline: RecordSample.plan.outline, startedAt: RecordSample.startedAt)
      for event in events.prefix(journal.events.count) { record.apply(event) }
      #expect(journal.running.map(\.id) == record.filter { $0.state == .running }.map(\.id))
      #expect(journal.hasEnded == (journal.events.count == events.count))
    }
  }

  @Test("Damaged lines are reported, and the others are read")
  func damage() throws {
    var lines = RecordSample.journal().split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    lines[2] = "\u{0}\u{0}\u{0}"
    lines[4] = "{\"kind\":\"started\",\"at\":1,\"step\":\"Nobody\",\"attempt\":1}"
    lines[5] = "[]"
    let journal = try read(lines.joined(separator: "\n"))
    #expect(journal.damage.map(\.line) == [3, 5, 6])
    #expect(journal.damage[1].description == "line 5: damaged record: no step has the id \"Nobody\"")
    #expect(journal.hasEnded)
    #expect(journal.events.count == RecordSample.events.count - 3)
  }

  @Test("At most 1000 damaged lines of a journal are reported")
  func manyDamagedLines() throws {
    let journal = try read(RecordSample.journal() + String(repeating: "x\n", count: 5000))
    #expect(journal.damage.count == 1000)
    #expect(journal.hasEnded)
  }

  @Test("A journal without one of its lines is a record that can be written and read")
  func everyLineMissing() throws {
    let lines = RecordSample.journal().split(separator: "\n").map(String.init)
    for missing in 1..<lines.count {
      var rest = lines
      rest.remove(at: missing)
      let journal = try read(rest.joined(separator: "\n"))
      let copy = try LaunchRecord(json: SourceText(name: "copy", text: journal.record.json()))
      #expect(copy.json() == journal.record.json())
    }
  }

  @Test("Unknown kinds and members of a later tool are ignored")
  func unknown() throws {
    let line =
      "{\"kind\":\"teleported\",\"at\":3,\"to\":\"Mars\"}\n{\"kind\":\"ready\",\"at\":4,\"step\":\"Push\",\"x\":[]}\n"
    let journal = try read(RecordSample.journal() + line)
    #expect(journal.damage.isEmpty)
    #expect(journal.events.count == RecordSample.events.count + 1)
  }

  @Test("A journal is refused if its first line is invalid or of a newer version")
  func refused() throws {
    for text in ["", "\n\n", "{}", "nonsense", RecordSample.record.json(pretty: false)] {
      #expect(throws: RecordError.self) { try read(text) }
    }
    let newer = "{\"format\":\"appboot-journal\",\"version\":2}\n"
    #expect(throws: RecordError.newerVersion(2, file: "journal.jsonl")) { try read(newer) }
  }
}
