@testable import AppBoot
@testable import AppBootRecords
import AppBootSystem
import Testing

@Suite("Docs/record.md")
struct RecordDocumentTests {
  private var document: String {
    get throws {
      let path = FileSystem.directory(of: #filePath) + "/../../../Docs/record.md"
      return String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    }
  }

  @Test("Docs/record.md describes every kind of event, and has the current version")
  func kinds() throws {
    let document = try document
    let kinds: [LaunchEvent.Kind] = [
      .launchStarted, .ready(step: 0), .started(step: 0, attempt: 1),
      .retrying(.init(step: 0, attempt: 1, failure: Failure(message: "", type: ""), delay: .nanoseconds(1))),
      .overran(step: 0),
      .noted(step: 0, text: ""), .announced(step: 0, text: ""),
      .output(.init(step: 0, attempt: 1, stream: .stdout, line: "")),
      .spanStarted(.init(step: 0, span: 0, parent: 0, name: "")),
      .spanEnded(.init(step: 0, span: 0, error: "")), .valueRead(.init(step: 0, name: "", found: true)),
      .valueProvided(step: 0, name: ""), .emitted(.init(step: 0, event: "", payload: "")),
      .usedCPU(step: 0, time: .nanoseconds(1)), .killed(step: 0, after: .nanoseconds(1)), .markedHealthy,
      .ended(step: 0, state: .skipped(.dependency(0))), .undoStarted(step: 0),
      .undoEnded(step: 0, failure: nil),
      .cancelled(reason: .deadline), .launchEnded(.failed(step: 0)),
    ]
    for kind in kinds {
      #expect(document.contains("| `\(kind.name)` |"), "\(kind.name) is not described")
      let line = LaunchEvent(kind, at: 0).json(in: RecordSample.plan.outline)
      let root = try JSONDocument(parsing: SourceText(name: "x", text: line)).root
      for member in root.members { #expect(document.contains("`\(member.key.string)`"), "\(member.key)") }
    }
    #expect(document.contains("now **\(LaunchRecord.formatVersion)**"))
  }
}
