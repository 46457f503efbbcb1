import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

/// The rules of `restart` and `stop` in Docs/services.md. All times are numbers: no test waits.
@Suite("The rules of a service for restart and stop")
struct ServiceRestartTests {
  /// Starts a service, and ends it some time after it was ready.
  ///
  /// Returns the pause before its restart, or "end" or "stop".
  private func live(
    _ service: Service, for time: Duration = .seconds(1), _ end: ServiceEnd = .exited(1),
    stoppedFor reason: Service.StopReason? = nil
  ) throws -> String {
    let now = try service.becomeReady() + time.nanoseconds
    if let reason { #expect(service.beginToStop(for: reason, at: now)) }
    switch service.decide(after: end, at: now) {
    case .restart: return DurationText.exact(.nanoseconds(service.status.pause ?? -1))
    case .stop: return "stop"
    case .end: return "end"
    }
  }

  private static func policy(attempts: Int, backoff: Duration, maxBackoff: Duration) -> RestartPolicy {
    var policy = RestartPolicy(.onFailure, attempts: attempts, backoff: backoff)
    policy.maxBackoff = maxBackoff
    return policy
  }

  @Test(
    "The pause doubles before each restart in a row up to maxBackoff, and attempts is the number of restarts",
    arguments: [
      (RestartPolicy(.onFailure), "500ms 1s 2s 4s 8s end"),
      (RestartPolicy(.onFailure, attempts: 1), "500ms end"),
      (RestartPolicy(.onFailure, attempts: 8), "500ms 1s 2s 4s 8s 16s 30s 30s end"),
      (policy(attempts: 4, backoff: .seconds(1), maxBackoff: .seconds(3)), "1s 2s 3s 3s end"),
      (policy(attempts: 2, backoff: .zero, maxBackoff: .seconds(3)), "0s 0s end"),
    ])
  func row(policy: RestartPolicy, expected: String) throws {
    let service = Service.fake(policy)
    let pauses = try expected.split(separator: " ").map { _ in try live(service) }
    #expect(pauses.joined(separator: " ") == expected)
    #expect(service.status.restarts == policy.attempts)
  }

  @Test(
    "The count of restarts in a row begins again after a service was ready for resetAfter, and not earlier",
    arguments: [(Duration.seconds(60), "500ms"), (.seconds(60) - .nanoseconds(1), "end")])
  func reset(time: Duration, expected: String) throws {
    let service = Service.fake(RestartPolicy(.onFailure, attempts: 2))
    #expect(try [live(service), live(service)] == ["500ms", "1s"])
    #expect(try live(service, for: time) == expected)
  }

  @Test(
    "An exit code of expect is a success for restart and for onExit, and other ends are failures",
    arguments: [
      (ServiceEnd.exited(0), true), (.exited(3), false), (.exited(7), false), (.process(.signalled(9)), true),
    ])
  func expected(end: ServiceEnd, isFailure: Bool) throws {
    let rule = ServiceExitRule(success: .finish, failure: .ignore)
    let restarted = Service.fake(RestartPolicy(.onFailure), expect: [3, 7], onExit: rule)
    #expect(try live(restarted, end) == (isFailure ? "500ms" : "end"))
    let ended = Service.fake(expect: [3, 7], onExit: rule)
    #expect(try live(ended, end) == "end")
    #expect(ended.exitPolicy == (isFailure ? .ignore : .finish))
    #expect(ended.status.onExit == ended.exitPolicy)
  }

  @Test(
    "Without an effect for success, onExit uses the effect of a failure; the status of a running service shows it"
  )
  func exitRules() throws {
    let service = Service.fake(onExit: ServiceExitRule(failure: .finish))
    #expect(try live(service, .exited(0)) == "end")
    #expect(service.exitPolicy == .finish)
    let running = Service.fake(onExit: ServiceExitRule(success: .ignore, failure: .fail))
    _ = try running.becomeReady()
    #expect(running.status.onExit == .fail)
  }

  @Test("A restart that cannot start is one of the attempts, however long the service was ready before")
  func failedStarts() throws {
    let service = Service.fake(RestartPolicy(.onFailure, attempts: 2))
    let end = try service.becomeReady() + Duration.seconds(60).nanoseconds
    let effects = (0..<3).map { service.decide(after: .exited(1), at: end + $0) }
    #expect(effects == [.restart, .restart, .end])
  }

  @Test(
    "when decides which ends lead to a restart",
    arguments: [
      (RestartPolicy.Condition.never, ServiceEnd.exited(1), false), (.onFailure, .exited(0), false),
      (.onFailure, .exited(1), true), (.onFailure, .process(.signalled(9)), true),
      (.onFailure, .returned, false), (.onFailure, .threw("out of paper"), true),
      (.always, .exited(0), true), (.always, .returned, true),
    ])
  func condition(when: RestartPolicy.Condition, end: ServiceEnd, restarts: Bool) throws {
    #expect(try live(.fake(RestartPolicy(when)), end) == (restarts ? "500ms" : "end"))
  }

  @Test("A restart with another service has no pause, and does not count as one of the attempts")
  func restartedWith() throws {
    let service = Service.fake(RestartPolicy(.onFailure, attempts: 2, with: ["db"]))
    let together = { try live(service, .exited(0), stoppedFor: .restarted("db")) }
    let lives = try [
      together(), together(), together(), live(service), together(), live(service), together(), live(service),
    ]
    #expect(lives == ["0s", "0s", "0s", "500ms", "0s", "1s", "0s", "end"])
    #expect(service.status.restarts == 7)
  }

  @Test("The words for used-up restarts have their number, and the time since the first end")
  func exhaustion() throws {
    let service = Service.fake(RestartPolicy(.onFailure, attempts: 2))
    let start = try service.becomeReady()
    for second in [1, 20] as [Int64] {
      #expect(service.decide(after: .exited(1), at: start + second * 1_000_000_000) == .restart)
      #expect(service.exhaustion == nil)
    }
    #expect(service.decide(after: .exited(1), at: start + 51_000_000_000) == .end)
    #expect(service.exhaustion == "after 2 restarts in 50.0 s, \"restart.attempts\" allows no more")
  }

  @Test("A service that was asked to stop is reported after a second, and killed after its grace")
  func grace() throws {
    let service = Service.fake(grace: .seconds(10))
    let second: Int64 = 1_000_000_000
    let start = try service.becomeReady()
    #expect(service.killIfDue(at: .max) == nil)
    service.beginToStop(at: start)
    #expect(service.takeDelay(at: start + second - 1) == nil)
    #expect(service.nextDeadline == start + second)
    #expect(service.takeDelay(at: start + second) == 9 * second)
    #expect(service.killIfDue(at: start + 10 * second - 1) == nil)
    #expect(service.nextDeadline == start + 10 * second)
    #expect(service.killIfDue(at: start + 10 * second) == 10 * second)
    #expect(service.killIfDue(at: .max) == nil)
    #expect(service.status.wasKilled)
  }

  @Test("A stop during the pause before a restart leaves the number of restarts as it was")
  func stopInPause() throws {
    let service = Service.fake(RestartPolicy(.onFailure))
    #expect(try [live(service), live(service)] == ["500ms", "1s"])
    #expect(service.status.restarts == 1)
    service.beginToStop(at: 0)
    #expect(service.status.restarts == 1 && service.status.state == .stopped)
  }

  @Test("A start on request that fails ends the service with the reason, without a restart")
  func failedRequest() throws {
    let service = Service.fake(RestartPolicy(.always), isReady: false)
    try service.start()
    service.failStart("was not ready within 1s", at: 5)
    #expect(service.words(for: .exited(0)) == "was not ready within 1s")
    #expect(service.decide(after: .exited(0), at: 6) == .stop)
    #expect(service.status.state == .failed)
  }

  @Test("The grace of a service is 10 s by default")
  func defaultGrace() {
    #expect(RunService().grace == Duration.seconds(10).nanoseconds)
    #expect(FakeStop().serviceOptions.shutdownGrace == .seconds(10))
  }

  private struct FakeStop: ServiceCommand {
    func run(in service: RunningService) async throws {}
  }

  @Test(
    "A service is missed if it is required and not ready, or ready and unhealthy",
    arguments: [
      (ServiceExitPolicy.fail, ServiceState.ready, nil, false), (.fail, .ready, .healthy(), false),
      (.fail, .ready, .unhealthy("full"), true), (.fail, .starting, nil, true), (.fail, .stopped, nil, true),
      (.ignore, .stopped, nil, false), (.finish, .stopped, nil, false), (nil, .skipped, nil, false),
    ] as [(ServiceExitPolicy?, ServiceState, ServiceHealth?, Bool)])
  func missed(onExit: ServiceExitPolicy?, state: ServiceState, health: ServiceHealth?, expected: Bool) {
    var status = ServiceStatus(id: "a", state: state, onExit: onExit)
    status.health = health
    #expect(status.isMissed == expected)
  }

  @Test(
    "A service is over if it only starts again on request, and its end does not end the app",
    arguments: [
      (ServiceExitPolicy.ignore, ServiceState.ended, true), (.fail, .ended, false),
      (.finish, .ended, false), (nil, .ended, false), (nil, .failed, true), (nil, .skipped, true),
      (.ignore, .stopped, false), (.ignore, .restarting, false), (.ignore, .ready, false),
    ] as [(ServiceExitPolicy?, ServiceState, Bool)])
  func over(effect: ServiceExitPolicy?, state: ServiceState, expected: Bool) {
    var status = ServiceStatus(id: "a", state: state, onExit: .ignore)
    status.appliedExit = effect
    #expect(status.isOver == expected)
  }

  @Test("A restarted service that is not ready within its step's timeout is stopped and counts as failed")
  func startLimit() throws {
    let service = Service.fake(
      RestartPolicy(.onFailure, attempts: 2), startLimit: 1_000_000_000, isReady: false)
    try service.start(isFirst: true, at: 0)
    #expect(service.stopIfOverdue(at: .max) == nil, "the engine has the timeout of the first start")
    try service.start(at: 5)
    #expect(service.nextDeadline == 1_000_000_005)
    #expect(service.stopIfOverdue(at: 1_000_000_004) == nil)
    #expect(service.stopIfOverdue(at: 1_000_000_005) == "was not ready within 1s: no port")
    let stop = try #require(service.phase.stop)
    #expect(stop.since == 1_000_000_005 && stop.deadline == 11_000_000_005)
    #expect(service.decide(after: .exited(0), at: 2_000_000_000) == .restart)
    #expect(service.words(for: .exited(0)) == "exited with code 0")
  }

  @Test("A service that cannot be started again has the error as its last end")
  func failedStart() throws {
    let starts = Lock(0)
    let service = Service.fake {
      let isFirst = starts.withLock { starts in
        starts += 1
        return starts == 1
      }
      if !isFirst { throw Mishap() }
    }
    _ = try service.becomeReady()
    #expect(throws: Mishap.self) { try service.start(at: 0) }
    #expect(service.status.end == "could not be started again: out of paper")
  }
}
