import AppBootTestKit
import Testing

@testable import AppBoot
@testable import AppBootRecords

@Suite("Emitted events in a record")
struct EmittedEventTests {
  private let token = String(repeating: "0123456789abcdef", count: 4)

  private var record: LaunchRecord {
    var record = LaunchRecord(outline: LaunchPlan(sequence: [FakeCommand()]).outline, startedAt: "")
    record.apply(LaunchEvent(.started(step: 0, attempt: 1), at: 1))
    record.apply(emitted("didRegisterForRemoteNotifications", token))
    record.apply(emitted("consentGranted", token))
    return record
  }

  private func emitted(_ event: String, _ payload: String) -> LaunchEvent {
    LaunchEvent(.emitted(.init(step: 0, event: event, payload: payload)), at: 2)
  }

  @Test("The description of an event has the masked payload only")
  func description() {
    var event = EmittedEvent(name: "signedIn", payload: "***")
    event.handled = Secret("abcdefgh12345")
    #expect(!"\([event])".contains("abcdefgh12345"))
    #expect("\([event])".contains("signedIn"))
  }

  @Test("A device token is shortened in the event stream and in the record's JSON")
  func shortened() {
    let event = emitted("didRegisterForRemoteNotifications", token).json(in: record.outline)
    #expect(event.contains("01234567… (32 bytes)") && !event.contains(token))
    #expect(record.json().contains("01234567… (32 bytes)"))
  }

  @Test("Other payloads are written whole, and the record has the whole token in memory")
  func others() {
    #expect(emitted("consentGranted", token).json(in: record.outline).contains(token))
    #expect(record[0].details.emitted.map(\.payload) == [token, token])
  }
}
