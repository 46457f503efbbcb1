import AppBoot
import AppBootRecords
import AppBootTestKit
import AppBootTestSupport
import Testing
import AppBootSystem

private enum CallingThread {
  @TaskLocal static var isHere = false
}

private func step(
  _ id: String, _ command: any Command, after: [String]? = nil,
  _ change: (inout LaunchStep) -> Void = { _ in }
) -> (step: LaunchStep, after: [String]?) {
  var step = LaunchStep(command, id: id)
  change(&step)
  return (step, after)
}

@Suite("A runner", .ownThread)
struct LaunchRunnerTests {
  @Test("A snapshot of a running sequence has its steps", arguments: [false, true])
  func snapshotOfSequence(isAsync: Bool) async {
    let (isRunning, gate) = (Gate(), Gate())
    let plan = LaunchPlan(sequence: [
      FakeCommand(),
      FakeCommand { _ in
        isRunning.open()
        gate.wait()
      },
    ])
    let runner = LaunchRunner(plan)
    async let launch = isAsync ? runner.run() : onThread { runner.runBlocking() }
    await isRunning.passed()
    let record = runner.snapshot().record
    #expect(record["Fake"]?.state == .succeeded)
    #expect(record["Fake-2"]?.state == .running)
    #expect(record.reasonText(of: 1) == nil)
    gate.open()
    #expect(await launch.succeeded)
  }

  @Test("A plain list runs in order, with the task-local values of the caller")
  func sequence() {
    let log = Log()
    let commands = ["a", "b", "c"].map { name in
      FakeCommand { _ in if CallingThread.isHere { log.add(name) } }
    }
    let record = CallingThread.$isHere.withValue(true) { LaunchPlan(sequence: commands).runBlocking() }
    #expect(log.all == ["a", "b", "c"])
    #expect(record.succeeded)
    #expect(record.map(\.id) == ["Fake", "Fake-2", "Fake-3"])
  }

  @Test("The record of a sequence has no gaps: the end of a step is the start of the next")
  func boundaries() {
    let record = LaunchPlan(sequence: [FakeCommand(), FakeCommand(), FakeCommand()]).runBlocking()
    #expect(record[0].execution.endTime == record[1].execution.startTime)
    #expect(record[1].execution.endTime == record[2].execution.startTime)
    #expect(record[2].execution.endTime == record.elapsedTime)
  }

  @Test("A failure stops the launch, and every later step records why it did not run")
  func stop() {
    let record = LaunchPlan(sequence: [FakeCommand(), FakeCommand { _ in throw Mishap() }, FakeCommand()])
      .runBlocking()
    #expect(record.outcome == .failed(step: 1))
    #expect(record[0].state == .succeeded)
    #expect(record[1].state.failure?.message == "out of paper")
    #expect(record[2].state == .skipped(.stopped(by: 1)))
    #expect(record.causeChain(of: 2) == [1])
  }

  @Test("The launch continues after an allowed failure")
  func goOn() throws {
    let plan = try LaunchPlan(steps: [
      step("a", FakeCommand { _ in throw Mishap() }) { $0.onFailure = .continue }, step("b", FakeCommand()),
    ])
    let record = plan.runBlocking()
    #expect(record.outcome == .succeeded)
    #expect(record.toleratedFailures.map(\.id) == ["a"])
    #expect(record["b"]?.state == .succeeded)
  }

  @Test("Only the steps after a failure are skipped, with the whole chain of causes")
  func skipDependents() throws {
    let plan = try LaunchPlan(steps: [
      step("a", FakeCommand { _ in throw Mishap() }) { $0.onFailure = .skipDependents },
      step("b", FakeCommand(), after: ["a"]), step("c", FakeCommand(), after: ["b"]),
      step("d", FakeCommand(), after: []),
    ])
    let record = plan.runBlocking()
    #expect(record.outcome == .failed(step: 0))
    #expect(record["c"]?.state == .skipped(.dependency(1)))
    #expect(record.causeChain(of: 2) == [0, 1])
    #expect(record["d"]?.state == .succeeded)
  }

  @Test("A rollback undoes the newest step first, and continues after an undo that fails")
  func rollback() throws {
    let log = Log()
    let plan = try LaunchPlan(steps: [
      step("a", FakeCommand({ _ in }, undo: { _ in log.add("a") })),
      step("b", FakeBackgroundCommand({ _ in }, undo: { _ in throw Mishap() })),
      step("c", FakeCommand({ _ in }, undo: { _ in log.add("c") })),
      step("d", FakeCommand { _ in throw Mishap() }) { $0.onFailure = .rollback },
    ])
    let record = plan.runBlocking()
    #expect(log.all == ["c", "a"])
    #expect(record["b"]?.details.undo?.failure?.message == "out of paper")
    #expect(record["a"]?.details.undo?.endTime != nil)
    #expect(record.outcome == .failed(step: 3))
  }

  @Test("An error whose description cancels the launch does not block it")
  func curiousError() throws {
    let box = Lock<LaunchRunner?>(nil)
    let runner = LaunchRunner(LaunchPlan(sequence: [FakeCommand { _ in throw Curious(runner: box) }]))
    box.withLock { $0 = runner }
    let outcome = Lock<LaunchOutcome?>(nil)
    let hasEnded = Gate()
    Thread.detach(name: "launch") {
      let record = runner.runBlocking()
      outcome.withLock { $0 = record.outcome }
      hasEnded.open()
    }
    hasEnded.wait()
    #expect(outcome.withLock(\.self) == .cancelled("curious"))
    box.withLock { $0 = nil }
  }

  @Test("A step is retried as often as its policy allows, and every attempt is recorded")
  func retry() throws {
    let log = Log()
    let plan = try LaunchPlan(steps: [
      step(
        "a",
        FakeCommand { _ in
          log.add("try")
          if log.all.count < 3 { throw Mishap() }
        }
      ) { $0.retry = RetryPolicy(attempts: 5, backoff: .microseconds(1)) }
    ])
    let record = plan.runBlocking()
    #expect(record.succeeded)
    #expect(record["a"]?.details.attempts.count == 3)
    #expect(record["a"]?.details.attempts.map { $0.failure != nil } == [true, true, false])
  }

  @Test("Background steps run in parallel")
  func parallel() throws {
    let (first, second) = (Gate(), Gate())
    let plan = try LaunchPlan(steps: [
      step(
        "a",
        FakeBackgroundCommand { _ in
          first.open(); second.wait()
        }, after: []),
      step(
        "b",
        FakeBackgroundCommand { _ in
          second.open(); first.wait()
        }, after: []),
    ])
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 2
    #expect(LaunchRunner(plan, configuration: configuration).runBlocking().succeeded)
  }

  @Test("Asynchronous commands run as tasks, in both forms of run", arguments: [false, true])
  func tasks(isAsync: Bool) async throws {
    let plan = try LaunchPlan(steps: [
      step("a", FakeAsyncCommand { context in context.note(CallingThread.isHere ? "here" : "elsewhere") }),
      step("b", FakeCommand()), step("c", FakeAsyncCommand { _ in await Task.yield() }, after: []),
    ])
    let record: LaunchRecord
    if isAsync {
      record = await plan.run()
    } else {
      record = await onThread { CallingThread.$isHere.withValue(true) { plan.runBlocking() } }
    }
    #expect(record.succeeded)
    #expect(record["a"]?.details.note == "elsewhere")
  }

  @Test("Main-lane steps stay on the caller's actor in the asynchronous form") @MainActor
  func mainActor() async throws {
    let plan = try LaunchPlan(steps: [
      step("a", FakeCommand { _ in MainActor.assertIsolated() }),
      step("b", FakeAsyncCommand { _ in await MainActor.run {} }),
      step("c", FakeBackgroundCommand()), step("d", FakeCommand { _ in MainActor.assertIsolated() }),
    ])
    #expect(await plan.run().succeeded)
  }

  @Test("A background step that hangs is abandoned at its timeout")
  func hungBackground() throws {
    let gate = Gate()
    defer { gate.open() }
    let plan = try LaunchPlan(steps: [
      step("a", FakeBackgroundCommand { _ in gate.wait() }) {
        $0.timeout = .milliseconds(5)
        $0.onFailure = .continue
      },
      step("b", FakeBackgroundCommand()),
    ])
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 1
    let record = LaunchRunner(plan, configuration: configuration).runBlocking()
    #expect(record["a"]?.state.name == "timedOut")
    #expect(record["a"]?.state.failure?.message == "timed out after 5ms")
    #expect(record["b"]?.state == .succeeded)
  }

  @Test("An asynchronous step that ignores its cancellation is abandoned", arguments: [false, true])
  func hungTask(isAsync: Bool) async throws {
    let gate = Gate()
    defer { gate.open() }
    let plan = try LaunchPlan(steps: [
      step(
        "a",
        FakeAsyncCommand { _ in
          await withCheckedContinuation { continuation in
            Task.detached {
              await gate.passed(); continuation.resume()
            }
          }
        }
      ) { $0.timeout = .milliseconds(5) },
      step("b", FakeCommand()),
    ])
    let record = isAsync ? await plan.run() : await onThread { plan.runBlocking() }
    #expect(record["a"]?.state.name == "timedOut")
    #expect(record["b"]?.state == .skipped(.stopped(by: 0)))
  }

  @Test("A main-lane step is reported at its timeout, and recorded when it returns")
  func overrunningMain() throws {
    let gate = Gate()
    let observer = RecordingObserver()
    let plan = try LaunchPlan(steps: [
      step("a", FakeCommand { _ in gate.wait() }) { $0.timeout = .milliseconds(5) }
    ])
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [observer, Opener(gate) { if case .overran = $0 { true } else { false } }]
    let record = LaunchRunner(plan, configuration: configuration).runBlocking()
    #expect(record["a"]?.details.overran == true)
    #expect(record["a"]?.state.name == "timedOut")
  }

  @Test("A program whose main lane hangs receives the complete record")
  func hang() throws {
    let gate = Gate()
    let seen = Lock<LaunchRecord?>(nil)
    let plan = try LaunchPlan(steps: [
      step("a", FakeCommand { _ in gate.wait() }) { $0.timeout = .milliseconds(5) }, step("b", FakeCommand()),
    ])
    var configuration = LaunchRunner.Configuration()
    configuration.grace = .milliseconds(5)
    configuration.onHang = { record in
      seen.withLock { $0 = record }
      gate.open()
    }
    let record = LaunchRunner(plan, configuration: configuration).runBlocking()
    #expect(seen.withLock { $0?["a"]?.state.name } == "timedOut")
    #expect(seen.withLock { $0?["b"]?.state } == .cancelled(.requested("the main lane hangs in a")))
    #expect(record.outcome == .failed(step: 0))
  }

  @Test("The events of a step after its timeout are dropped")
  func lateReturn() throws {
    let (gate, done) = (Gate(), Gate())
    let plan = try LaunchPlan(steps: [
      step(
        "a",
        FakeBackgroundCommand { context in
          gate.wait()
          context.note("too late")
          done.open()
        }
      ) {
        $0.timeout = .milliseconds(5)
        $0.onFailure = .continue
      },
      step(
        "b",
        FakeCommand { _ in
          gate.open(); done.wait()
        }),
    ])
    let record = plan.runBlocking()
    #expect(record["a"]?.state.name == "timedOut")
    #expect(record["a"]?.details.note == nil)
    #expect(record["b"]?.state == .succeeded)
  }

  @Test("A command that cancels itself counts as a failure with that reason")
  func selfCancelled() throws {
    let plan = try LaunchPlan(steps: [
      step("a", FakeCommand { _ in throw CancellationError() }), step("b", FakeCommand()),
    ])
    let record = plan.runBlocking()
    #expect(record["a"]?.state == .cancelled(.selfCancelled))
    #expect(record["b"]?.state == .skipped(.stopped(by: 0)))
    #expect(record.outcome == .failed(step: 0))
  }

  @Test("A launch ends at its timeout, even if a step hangs")
  func launchLimit() throws {
    let gate = Gate()
    defer { gate.open() }
    let plan = try LaunchPlan(
      steps: [step("a", FakeBackgroundCommand { _ in gate.wait() }), step("b", FakeCommand())],
      timeout: .milliseconds(5))
    var configuration = LaunchRunner.Configuration()
    configuration.grace = .zero
    let record = LaunchRunner(plan, configuration: configuration).runBlocking()
    #expect(record.outcome == .timedOut)
    #expect(record.map(\.state) == [.cancelled(.deadline), .cancelled(.deadline)])
  }

  @Test("A cancellation from another thread stops the running steps and cancels the waiting ones")
  func cancellation() throws {
    let told = Gate()
    let runner = Lock<LaunchRunner?>(nil)
    let plan = try LaunchPlan(steps: [
      step(
        "a",
        FakeBackgroundCommand { context in
          runner.withLock { $0 }?.cancel("the user")
          while !context.isCancelled {}
          told.open()
          try context.checkCancellation()
        }),
      step("b", FakeCommand()),
    ])
    let made = LaunchRunner(plan)
    runner.withLock { $0 = made }
    let record = made.runBlocking()
    #expect(record.outcome == .cancelled("the user"))
    #expect(record.map(\.state) == [.cancelled(.requested("the user")), .cancelled(.requested("the user"))])
  }

  @Test("A launch that was cancelled before it began runs no step, and its events are in order")
  func earlyCancellation() throws {
    let ran = Lock(false)
    let plan = try LaunchPlan(steps: [
      step("a", FakeBackgroundCommand { _ in ran.withLock { $0 = true } }),
      step("b", FakeCommand { _ in ran.withLock { $0 = true } }),
    ])
    let kinds = Lock<[String]>([])
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [KindObserver(kinds: kinds)]
    let runner = LaunchRunner(plan, configuration: configuration)
    runner.cancel("the user")
    let record = runner.runBlocking()
    #expect(!ran.withLock { $0 })
    #expect(record.outcome == .cancelled("the user"))
    #expect(record.map(\.state) == [.cancelled(.requested("the user")), .cancelled(.requested("the user"))])
    #expect(kinds.withLock { $0 } == ["launchStarted", "cancelled", "ended", "ended", "launchEnded"])
  }

  @Test("A cancelled plain list stops between two steps")
  func inlineCancellation() {
    let runner = Lock<LaunchRunner?>(nil)
    let plan = LaunchPlan(sequence: [
      FakeCommand { _ in runner.withLock { $0 }?.cancel("the user") }, FakeCommand(), FakeCommand(),
    ])
    let made = LaunchRunner(plan)
    runner.withLock { $0 = made }
    let record = made.runBlocking()
    #expect(record.map(\.state.name) == ["succeeded", "cancelled", "cancelled"])
    #expect(record.outcome == .cancelled("the user"))
  }

  @Test("A launch is cancelled with the task that awaits it")
  func taskCancellation() async throws {
    let started = Gate()
    let plan = try LaunchPlan(steps: [
      step(
        "a",
        FakeAsyncCommand { _ in
          started.open()
          let told = Gate()
          await withTaskCancellationHandler {
            await told.passed()
          } onCancel: {
            told.open()
          }
          throw CancellationError()
        })
    ])
    let task = Task { await plan.run() }
    await started.passed()
    task.cancel()
    let record = await task.value
    #expect(record["a"]?.state == .cancelled(.requested("the task was cancelled")))
  }

  @Test("A step that ends as soon as it notices the cancellation of a launch has the launch's reason")
  func noticedCancellation() async throws {
    for _ in 0..<200 {
      let started = Gate()
      let plan = try LaunchPlan(steps: [
        step(
          "a",
          FakeBackgroundCommand { context in
            started.open()
            while !context.isCancelled {}
            throw CancellationError()
          })
      ])
      let runner = LaunchRunner(plan)
      async let record = runner.run()
      await started.passed()
      runner.cancel("the user")
      try #require(await record["a"]?.state == .cancelled(.requested("the user")))
    }
  }

  @Test("A runner runs its plan once, inline and with an engine", arguments: [false, true])
  func runsOnce(isObserved: Bool) {
    let count = Lock(0)
    let plan = LaunchPlan(sequence: [FakeCommand { _ in count.withLock { $0 += 1 } }])
    var configuration = LaunchRunner.Configuration()
    if isObserved { configuration.observers = [RecordingObserver()] }
    let runner = LaunchRunner(plan, configuration: configuration)
    let first = runner.runBlocking()
    let second = runner.runBlocking()
    #expect(count.withLock { $0 } == 1)
    #expect(first.succeeded)
    let reason = "this runner has already run its plan: create a LaunchRunner for each launch"
    #expect(second.cancellation == .requested(reason))
    #expect(second[0].state == .cancelled(.requested(reason)))
    #expect(runner.snapshot().record.succeeded)
    let error = #expect(throws: LaunchFailed.self) { try runner.launchBlocking() }
    #expect(error?.description == "the launch was cancelled: \(reason)")
  }

  @Test("A runner that is cancelled before it runs starts no step")
  func cancelledBefore() {
    let runner = LaunchRunner(LaunchPlan(sequence: [FakeCommand { _ in Issue.record("it ran") }]))
    runner.cancel("first")
    runner.cancel("second")
    #expect(runner.runBlocking().cancellation == .requested("first"))
  }
}

/// Opens a gate at the first event that matches.
private struct Opener: LaunchObserver {
  let gate: Gate
  let matches: @Sendable (LaunchEvent.Kind) -> Bool

  init(_ gate: Gate, _ matches: @escaping @Sendable (LaunchEvent.Kind) -> Bool) {
    self.gate = gate
    self.matches = matches
  }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    if matches(event.kind) { gate.open() }
  }
}

/// Keeps the kinds of the events, in order.
private struct KindObserver: LaunchObserver {
  let kinds: Lock<[String]>

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    let root = try? JSONDocument(parsing: SourceText(name: "event", text: event.json(in: outline))).root
    kinds.withLock { $0.append(root?["kind"]?.string ?? "") }
  }
}

/// An error whose description is code of the app that uses the launch.
private struct Curious: Error, CustomStringConvertible {
  let runner: Lock<LaunchRunner?>

  var description: String {
    runner.withLock(\.self)?.cancel("curious")
    return "curious"
  }
}
