import AppBoot
import AppBootSystem
import AppBootTestSupport

@testable import AppBootCommands

/// The work of a service that is ready at once, or never. The test decides how and when it ends.
struct FakeWork: ServiceWork {
  var isReady = true
  var pid: Int32? { nil }
  var obstacle: String? { isReady ? nil : "no port" }
  var doubt: AnswerDoubt? { nil }
  var descriptors: [Int32] { [] }

  func nextDeadline(isReady: Bool, isStopping: Bool) -> Int64? { nil }
  func advance(isStarting: Bool) -> (progress: Service.Progress, lines: [OutputLine]) {
    (isStarting && isReady ? .ready("") : .nothing, [])
  }
  func askToStop() {}
  func kill() -> (@Sendable () -> Void)? { nil }
  func release() {}
  func words(for end: ServiceEnd) -> String { end.words }
  func error(ending end: ServiceEnd, stoppedFor reason: String?, wasReady: Bool) -> any Error { Mishap() }
}

extension Service {
  /// Returns a service without a process or a task. `start` is called at each of its starts.
  static func fake(
    _ restart: RestartPolicy = RestartPolicy(), grace: Duration = .seconds(10), startLimit: Int64? = nil,
    expect: [UInt8] = [0], onExit: ServiceExitRule = .fail, isReady: Bool = true,
    start: @escaping @Sendable () throws -> Void = {}
  ) -> Service {
    let context = LaunchPlan(sequence: [FakeService { _ in }]).detachedContexts()(0)
    return Service(
      id: "a", restart: restart, grace: grace, stopSignal: Signals.terminate, expect: expect, onExit: onExit,
      startLimit: startLimit, context: context
    ) {
      try start()
      return FakeWork(isReady: isReady)
    }
  }

  /// Starts the service and returns the time at which it is ready, which is now.
  func becomeReady() throws -> Int64 {
    try start(isFirst: !hasBeenReady)
    _ = advance()
    guard case .ready(let since) = phase else { throw Mishap() }
    return since
  }
}
