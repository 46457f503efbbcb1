import AppBoot
import AppBootTestKit
import AppBootTestSupport
import Testing

/// Asks a server until it answers, with a longer pause after each attempt.
private struct Poll: AsyncCommand {
  var attempts = 3

  func execute(in context: LaunchContext) async throws {
    let start = context.clock.now
    try await context.measure("poll") {
      for attempt in 1...attempts { try await context.clock.sleep(for: .seconds(attempt)) }
    }
    context.note("\(start.duration(to: context.clock.now))")
  }
}

/// Ends with the first of two waits.
private struct Race: AsyncCommand {
  func execute(in context: LaunchContext) async throws {
    let clock = context.clock
    let winner = try await withThrowingTaskGroup(of: String.self) { group in
      group.addTask {
        try await clock.sleep(for: .seconds(5))
        return "slow"
      }
      group.addTask {
        try await clock.sleep(for: .seconds(1))
        return "fast"
      }
      defer { group.cancelAll() }
      return try await group.next() ?? "none"
    }
    context.note(winner)
  }
}

/// A command whose undo takes a minute.
private struct SlowUndo: AsyncUndoableCommand {
  func execute(in context: LaunchContext) async throws {}
  func undo(in context: LaunchContext) async throws { try await context.clock.sleep(for: .seconds(60)) }
}

@Suite("A virtual clock")
struct VirtualClockTests {
  private let clock = VirtualClock()

  @Test("A command that sleeps needs no time, and its span and its record have the virtual times")
  func virtualTimes() async {
    let result = await CommandTester(Poll()).clock(clock).run()
    #expect(result.failure == nil)
    #expect(result.note == "6.0 seconds")
    #expect(result.spans == ["poll"])
    let span = result.step.details.spans.first
    #expect(span?.end == span.map { $0.start + .seconds(6) })
    #expect(clock.elapsed == .seconds(6))
  }

  @Test("A timeout ends a command at its virtual time")
  func timeout() async {
    let result = await CommandTester(Poll(attempts: 100)).clock(clock).timeout(.seconds(9)).run()
    #expect(result.step.state.name == "timedOut")
    #expect(result.step.execution.running == .seconds(9))
  }

  @Test("The timeout of an undo ends it at its virtual time")
  func undoTimeout() async {
    for _ in 0..<200 {
      let clock = VirtualClock()
      let result = await CommandTester(SlowUndo()).clock(clock).runAndUndo()
      #expect(result.step.details.undo?.failure?.message == "undo timed out after 10s")
      #expect(clock.elapsed == .seconds(10))
    }
  }

  @Test("A manual clock ends the sleeps of several tasks in the order of their deadlines")
  func manual() async {
    let clock = VirtualClock(isManual: true)
    async let result = CommandTester(Race()).clock(clock).run()
    await clock.untilSleeping(2)
    clock.advance(by: .milliseconds(1500))
    #expect(await result.note == "fast")
    #expect(clock.elapsed == .milliseconds(1500))
  }

  @Test("A manual clock fires a timeout when it passes the deadline")
  func manualTimeout() async {
    let clock = VirtualClock(isManual: true)
    async let result = CommandTester(Race()).clock(clock).timeout(.milliseconds(500)).run()
    await clock.untilSleeping(2)
    clock.advance(by: .seconds(9))
    #expect(await result.step.state.name == "timedOut")
  }

  @Test("A command can react to its timeout before a manual clock ends its grace period")
  func grace() async {
    let clock = VirtualClock(isManual: true)
    let wait = FakeAsyncCommand { context in try? await context.clock.sleep(for: .seconds(60)) }
    async let result = CommandTester(wait).clock(clock).timeout(.seconds(1)).run()
    await clock.untilSleeping()
    clock.advance(by: .seconds(1))
    #expect(await result.step.state.name == "timedOut")
    #expect(clock.elapsed == .seconds(1))
  }

  @Test("A manual clock stops at its latest time")
  func latest() {
    let clock = VirtualClock(isManual: true)
    clock.advance(by: .seconds(1))
    clock.advance(by: .nanoseconds(Int64.max))
    let latest = clock.elapsed
    #expect(latest > .seconds(4_600_000_000))
    clock.advance(by: .seconds(1))
    #expect(clock.elapsed == latest)
  }

  @Test("Without a virtual clock, the clock of a launch is real")
  func real() async {
    let wait = FakeAsyncCommand { context in
      let start = context.clock.now
      try await context.clock.sleep(for: .nanoseconds(1))
      context.note("\(start < context.clock.now)")
    }
    #expect(await CommandTester(wait).run().note == "true")
  }
}
