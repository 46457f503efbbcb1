@testable import AppBoot
@testable import AppBootRecords
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("A record read back from JSON", .ownThread)
struct LaunchRecordReadingTests {
  private func read(_ text: String) throws -> LaunchRecord {
    try LaunchRecord(json: SourceText(name: "record.json", text: text))
  }

  private func damage(_ old: String, _ new: String) throws -> RecordError? {
    let text = RecordSample.record.json(pretty: false)
    let pieces = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(pieces.count == 2, "nothing to damage: \(old)")
    do {
      _ = try LaunchRecord(json: SourceText(name: "record.json", text: pieces[0] + new + pieces[1]))
      return nil
    } catch {
      return error
    }
  }

  @Test("A record is the same after it is read back", arguments: [true, false])
  func roundTrip(pretty: Bool) throws {
    let record = RecordSample.record
    let copy = try read(record.json(pretty: pretty))
    #expect(copy.json() == record.json())
    #expect(copy.executions == record.executions)
    #expect(copy.details == record.details)
    #expect(copy.outcome == record.outcome)
    #expect(copy.header == record.header)
    #expect(copy.outline.options == record.outline.options)
    #expect(copy.outline.locations() == record.outline.locations())
    #expect(copy.map(\.step.commandName) == record.map(\.step.commandName))
    #expect(copy.map(\.step.lane) == record.map(\.step.lane))
    #expect(copy.map(\.step.retry) == record.map(\.step.retry))
    #expect(CriticalPath(of: copy).steps == CriticalPath(of: record).steps)
  }

  @Test("A record is read from a text, and a mistake in it has a place")
  func text() throws {
    let record = RecordSample.record
    #expect(try LaunchRecord(json: record.json()).json() == record.json())
    let half = #expect(throws: RecordUnreadable.self) { try LaunchRecord(json: "{") }
    #expect(half?.description.contains("record:1:") == true)
    #expect(half?.newerVersion == nil)
    let newer = #"{ "format": "\#(LaunchRecord.formatName)", "version": 99 }"#
    #expect(throws: RecordUnreadable.self) { try LaunchRecord(json: newer) }
    let error = #expect(throws: RecordUnreadable.self) { try LaunchRecord(json: newer) }
    #expect(error?.newerVersion == 99)
    #expect(RecordUnreadable("no record", newerVersion: 2).description == "no record")
  }

  @Test("Every outcome of a launch is read back")
  func outcomes() throws {
    let ends: [(LaunchOutcome, CancelReason?)] = [
      (.running, nil), (.succeeded, nil), (.timedOut, .deadline),
      (.cancelled("SIGINT"), .requested("SIGINT")),
      (.failed(step: 2), nil), (.cancelled(""), .selfCancelled),
    ]
    for (outcome, reason) in ends {
      var record = LaunchRecord(outline: RecordSample.plan.outline, startedAt: "now")
      if let reason { record.apply(LaunchEvent(.cancelled(reason: reason), at: 5)) }
      record.apply(LaunchEvent(.launchEnded(outcome), at: 7))
      let copy = try read(record.json())
      #expect(copy.outcome == outcome)
      #expect(copy.cancellation == reason)
      #expect(copy.json() == record.json())
    }
  }

  @Test("A record without steps is read back")
  func empty() throws {
    let record = LaunchPlan(sequence: []).runBlocking()
    #expect(try read(record.json()).json() == record.json())
  }

  @Test("A record of 500 steps has the same text after it is read back")
  func large() throws {
    let commands = (0..<500).map { _ in FakeCommand() }
    let record = LaunchPlan(sequence: commands).runBlocking()
    #expect(try read(record.json(pretty: false)).json() == record.json())
  }

  @Test("A record keeps the text that a step announced last")
  func announcement() throws {
    var record = RecordSample.record
    for text in ["one", "two\nlines"] {
      record.apply(LaunchEvent(.announced(step: 1, text: text), at: 1))
    }
    #expect(record[1].details.announcement == "two\nlines")
    #expect(try read(record.json(pretty: false)).json() == record.json())
  }

  @Test("A record of version 1 can be read")
  func version1() throws {
    let path = FileSystem.directory(of: #filePath) + "/../Fixtures/record-1.json"
    let bytes = try FileSystem.readFile(path)
    let record = try LaunchRecord(json: SourceText(name: path, bytes: bytes))
    var expected = LaunchRecord(outline: RecordSample.plan.outline, startedAt: RecordSample.startedAt)
    expected.header = RecordSample.header
    for event in RecordSample.events {
      // Kinds of events that the format did not have when the fixture was recorded.
      switch event.kind {
      case .usedCPU, .markedHealthy: continue
      default: expected.apply(event)
      }
    }
    for step in expected.indices { expected.details[step]?.lastOutputTime = nil }
    #expect(record.json(pretty: false) == expected.json(pretty: false))
  }

  @Test("A record may have members and kinds of a later version")
  func unknownMembers() throws {
    let text = RecordSample.record.json(pretty: false)
    let later = text.split(separator: "\"id\":", omittingEmptySubsequences: false)
      .joined(separator: "\"colour\":{\"x\":[null]},\"id\":")
    #expect(try read(later).json(pretty: false) == text)
    #expect(try damage("\"kind\":\"condition\"", "\"kind\":\"moonPhase\"") == nil)
    #expect(try damage("\"column\":5", "\"column\":null") == nil)
  }

  @Test("Derived members are computed again, whatever the record says")
  func derivedMembers() throws {
    #expect(try damage("\"critical\":true", "\"critical\":1") == nil)
    #expect(try damage("\"waiting\":", "\"slack\":-1,\"waiting\":") == nil)
  }

  @Test("A record of a newer version is refused with its version")
  func newerVersion() throws {
    let error = try damage("\"version\":1", "\"version\":2")
    #expect(error == .newerVersion(2, file: "record.json"))
    #expect(
      error?.description
        == "record.json is a record of version 2, and this tool reads versions up to 1: use a newer tool")
  }

  @Test("A text that is not a record is refused")
  func notARecord() {
    #expect(throws: RecordError.notARecord(file: "record.json", format: nil)) { try read("{}") }
    #expect(throws: RecordError.notARecord(file: "record.json", format: nil)) { try read("[1]") }
    #expect(throws: RecordError.notARecord(file: "record.json", format: "appboot-events")) {
      try read("{\"format\": \"appboot-events\"}")
    }
  }

  @Test("A record that is cut off anywhere is refused")
  func cutOff() {
    let text = Array(RecordSample.record.json(pretty: false).utf8)
    for length in stride(from: 0, to: text.count, by: 31) {
      #expect(throws: RecordError.self) {
        try LaunchRecord(json: SourceText(name: "record.json", bytes: Array(text[..<length])))
      }
    }
  }

  @Test("The first span has no parent, whatever the record says")
  func firstSpan() throws {
    let text = RecordSample.record.json(pretty: false)
    let first = #""name":"unlock","id":0,"#
    #expect(text.contains(first))
    #expect(
      try read(text.replacing(first, with: #"\#(first)"parent":7,"#)).json() == RecordSample.record.json())
  }

  @Test(
    "A damaged record is refused with the location of the damage",
    arguments: [
      ("\"state\":\"succeeded\"", "\"state\":\"done\"", "there is no state \"done\""),
      ("\"outcome\":\"failed\"", "\"outcome\":\"fine\"", "there is no outcome \"fine\""),
      ("\"failedStep\":\"Database\"", "\"failedStep\":\"Base\"", "no step has the id \"Base\""),
      ("\"id\":\"Analytics\"", "\"id\":\"Keychain\"", "two steps have the id \"Keychain\""),
      (
        "\"after\":[\"Keychain\"]", "\"after\":[\"Keys\"]",
        "it comes after \"Keys\", and no step has that id"
      ),
      ("\"after\":[]", "\"after\":[\"Keychain\"]", "it comes after itself"),
      ("\"duration\":41000000", "\"duration\":-1", "-1 is not between 0 and 315576000000000000"),
      ("\"duration\":41000000", "\"duration\":\"41ms\"", "expected a number, found a string"),
      ("\"end\":6000000", "\"end\":1", "\"end\" is earlier than the time before it"),
      ("\"lane\":\"main\"", "\"lane\":\"fast\"", "there is no lane \"fast\""),
      ("\"id\":1,\"parent\":0", "\"id\":1,\"parent\":1", "1 is not between 0 and 0"),
      ("\"startedAt\":", "\"began\":", "\"startedAt\" is missing"),
      ("\"spans\":[", "\"spans\":[3,", "expected an object, found a number"),
      ("\"reads\":[\"credentials\"]", "\"reads\":{}", "expected an array, found an object"),
    ])
  func damaged(old: String, new: String, message: String) throws {
    guard case .damaged(let diagnostic, let source) = try damage(old, new) else {
      Issue.record("not refused as damaged: \(new)")
      return
    }
    #expect(diagnostic.message == "damaged record: \(message)")
    #expect(RecordError.damaged(diagnostic, in: source).description.hasPrefix("record.json:1:"))
  }
}
