import AppBoot
import AppBootSystem

@testable import AppBootCommands

/// The work of a service that is ready at once. The test decides how and when it ends.
struct FakeWork: ServiceWork {
  var pid: Int32? { nil }
  var obstacle: String? { nil }
  var doubt: AnswerDoubt? { nil }
  var descriptors: [Int32] { [] }

  func nextDeadline(isReady: Bool, isStopping: Bool) -> Int64? { nil }
  func advance(isStarting: Bool) -> (progress: Service.Progress, lines: [OutputLine]) {
    (isStarting ? .ready("") : .nothing, [])
  }
  func askToStop() {}
  func kill() -> (@Sendable () -> Void)? { nil }
  func abandon() -> ServiceEnd { .abandoned }
  func release() {}
  func words(for end: ServiceEnd) -> String { end.words }
  func error(ending end: ServiceEnd, stoppedFor reason: String?, wasReady: Bool) -> any Error { Mishap() }
}

extension Service {
  /// Returns a service without a process or a task. `start` is called at each of its starts.
  static func fake(
    _ restart: RestartPolicy = RestartPolicy(), grace: Duration = .seconds(10),
    start: @escaping @Sendable () -> Void = {}
  ) -> Service {
    let context = StartupPlan(sequence: [FakeService { _ in }]).detachedContexts()(0)
    return Service(
      id: "a", restart: restart, grace: grace, stopSignal: Signals.terminate, onExit: .fail, context: context
    ) {
      start()
      return FakeWork()
    }
  }

  /// Starts the service and returns the time at which it is ready, which is now.
  func becomeReady() throws -> Int64 {
    try start()
    _ = advance()
    guard case .ready(let since) = phase else { throw Mishap() }
    return since
  }
}
