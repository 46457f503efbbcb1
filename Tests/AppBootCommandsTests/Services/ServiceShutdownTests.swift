import AppBoot
import AppBootCommands
import AppBootSystem
import AppBootTestSupport
import Testing

/// Guarantees of swift-service-lifecycle's graceful shutdown, each as one of AppBoot.
@Suite("The shutdown of services")
struct ServiceShutdownTests {
  private let log = Log()
  /// It is opened when all services are ready.
  private let isReady = Gate()

  private func runner(_ steps: [LaunchStep]) throws -> ServiceRunner {
    let last = LaunchStep(FakeAsyncCommand { [isReady] _ in isReady.open() }, id: "ready")
    return try ServiceRunner(
      LaunchPlan(steps: (steps + [last]).map { ($0, nil) }), configuration: .patient)
  }

  /// Runs a service, and shuts it down when it is ready.
  private func shutDown(_ body: @escaping @Sendable (RunningService) async throws -> Void) async throws {
    let runner = try runner([LaunchStep(FakeService(body: body), id: "a")])
    let run = Task { try await runner.run() }
    await isReady.passed()
    runner.shutDown()
    _ = try await run.value
  }

  @Test(
    "A service that fails while it shuts down does not change the shutdown of the others, and the record has it"
  )
  func failureDuringShutdown() async throws {
    let log = log
    let failing = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      log.add("fails")
      throw Mishap()
    }
    let runner = try runner([
      FakeService.logging("a", in: log), LaunchStep(failing, id: "b"), FakeService.logging("c", in: log),
    ])
    let run = Task { try await runner.run() }
    await isReady.passed()
    runner.shutDown()
    let record = try await run.value
    #expect(log.all == ["c", "fails", "a"])
    #expect(record.succeeded)
    #expect(record["b"]?.details.note == "later it failed: out of paper, during the shutdown")
    #expect(record["a"]?.details.note == nil)
  }

  @Test("The first failure is the error of the run, also if another service fails while it shuts down")
  func secondFailure() async throws {
    let isReady = isReady
    let first = FakeService { service in
      service.markReady()
      await isReady.passed()
      throw Mishap()
    }
    let second = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      throw CancellationError()
    }
    let runner = try runner([LaunchStep(second, id: "second"), LaunchStep(first, id: "first")])
    let error = await #expect(throws: ServiceFailed.self) { try await runner.run() }
    #expect(error?.service == "first" && error?.end == "failed: out of paper")
  }

  @Test("Cancelling the run during the shutdown cancels the services that still shut down")
  func cancellationDuringShutdown() async throws {
    let (log, isShuttingDown) = (log, Gate())
    let slow = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      isShuttingDown.open()
      do { try await untilCancelled() } catch { log.add("cancelled") }
    }
    let runner = try runner([LaunchStep(slow, id: "slow")])
    let run = Task { try await runner.run() }
    await isReady.passed()
    runner.shutDown()
    await isShuttingDown.passed()
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(log.all == ["cancelled"])
  }

  @Test("A runner that runs cannot run again")
  func secondRun() async throws {
    let runner = try runner([FakeService.logging("a", in: log)])
    let run = Task { try await runner.run() }
    await isReady.passed()
    await #expect(throws: RunnerReused()) { try await runner.run() }
    #expect(runner.services["a"] == .ready)
    runner.shutDown()
    _ = try await run.value
  }

  @Test("Nested handlers of a graceful shutdown are all called once, the outer one first")
  func nestedHandlers() async throws {
    let log = log
    try await shutDown { service in
      service.markReady()
      let isClosed = Gate()
      await service.withGracefulShutdownHandler {
        await service.withGracefulShutdownHandler {
          await isClosed.passed()
        } onGracefulShutdown: {
          log.add("inner")
          isClosed.open()
        }
      } onGracefulShutdown: {
        log.add("outer")
      }
    }
    #expect(log.all == ["outer", "inner"])
  }

  @Test("A handler of a graceful shutdown is not called after its operation has ended")
  func endedOperation() async throws {
    let log = log
    try await shutDown { service in
      await service.withGracefulShutdownHandler {
      } onGracefulShutdown: {
        log.add("handler")
      }
      service.markReady()
      try await service.untilShutdown()
      log.add("end")
    }
    #expect(log.all == ["end"])
  }

  @Test("Child tasks of a service wait for its shutdown too")
  func childTasks() async throws {
    let log = log
    try await shutDown { service in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            try await service.untilShutdown()
            log.add("child")
          }
        }
        service.markReady()
        try await group.waitForAll()
      }
      // The shutdown has begun: this returns at once.
      try await service.untilShutdown()
    }
    #expect(log.all == ["child", "child", "child"])
  }

  @Test("Waiting for the shutdown ends with an error if the task is cancelled before")
  func cancelledWait() async throws {
    let log = log
    try await shutDown { service in
      let wait = Task { try await service.untilShutdown() }
      wait.cancel()
      do { try await wait.value } catch is CancellationError { log.add("cancelled") }
      service.markReady()
      try await service.untilShutdown()
    }
    #expect(log.all == ["cancelled"])
  }

  @Test("An operation that the shutdown would cancel may end earlier, and its error is rethrown")
  func endedBeforeShutdown() async throws {
    let log = log
    try await shutDown { service in
      try await service.cancelWhenGracefulShutdown { log.add("ended") }
      do {
        try await service.cancelWhenGracefulShutdown { throw Mishap() }
      } catch {
        log.add("\(error)")
      }
      service.markReady()
      try await service.untilShutdown()
    }
    #expect(log.all == ["ended", "out of paper"])
  }
}
