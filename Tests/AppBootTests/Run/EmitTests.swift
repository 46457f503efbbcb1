import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("An emitted event")
struct EmitTests {
  @Test("A task can emit an event after the command that started it has ended")
  func afterTheStep() async throws {
    let (hasEnded, hasEmitted) = (Gate(), Gate())
    let first = FakeAsyncCommand { context in
      Task {
        await hasEnded.passed()
        try context.emit("consentGranted", payload: "yes")
        context.note("dropped")
        hasEmitted.open()
      }
    }
    let second = FakeAsyncCommand { _ in
      hasEnded.open()
      await hasEmitted.passed()
    }
    let record = await LaunchPlan(sequence: [first, second]).run()
    #expect(record[0].details.emitted.map(\.name) == ["consentGranted"])
    #expect(record[0].details.emitted.map(\.payload) == ["yes"])
    #expect(record[0].details.note == nil)
  }

  @Test("An event that is emitted after a launch without a host is an error", arguments: [false, true])
  func withoutHost(isInline: Bool) async throws {
    let context = Lock<LaunchContext?>(nil)
    let command = FakeCommand { found in context.withLock { $0 = found } }
    let last: any Command = isInline ? FakeCommand() : FakeAsyncCommand()
    let record = await LaunchPlan(sequence: [command, last]).run()
    #expect(record.succeeded)
    let found = context.withLock { $0 }
    let late = try #require(found)
    let error = #expect(throws: EmitError.noHost(event: "consentGranted")) {
      try late.emit("consentGranted")
    }
    #expect(error?.description.hasPrefix("\"consentGranted\" was not emitted: the launch has ended") == true)
  }
}
