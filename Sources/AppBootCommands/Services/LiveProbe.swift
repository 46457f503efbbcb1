import AppBoot

/// A running probe of a service that is ready. It continues until it is closed. No call blocks.
struct LiveProbe: Sendable {
  private var check: any ProbeCheck
  private let every: Int64
  private let timeout: Int64
  private let mostFailures: Int
  private var failures = 0
  /// The start time of the current check; `nil` between two checks.
  private var checkStart: Int64?
  /// The time at which the probe must be advanced; `nil` before ``begin(at:)`` and after ``close()``.
  private(set) var due: Int64?
  /// The last answer, and whether the service is healthy; `nil` before the first answer.
  private(set) var health: ServiceHealth?

  init(_ check: any ProbeCheck, every: Duration, failures: Int, timeout: Duration) {
    (self.check, self.every, self.timeout) = (check, every.nanoseconds, timeout.nanoseconds)
    mostFailures = failures
  }

  /// Begins the checks. The first one is due after the time between two checks.
  mutating func begin(at time: Int64) { due = time + every }

  /// Begins or continues a check that is due. Returns the health if it changed.
  mutating func advance(at time: Int64) -> ServiceHealth? {
    guard let due, time >= due else { return nil }
    let start = checkStart ?? time
    switch check.look(at: time) {
    case .undecided(let text):
      guard time - start >= timeout else {
        checkStart = start
        self.due = min(time + check.pace.look(after: time - start), start + timeout)
        return nil
      }
      check.close()
      endCheck(since: start, at: time)
      return fail("\(text) after \(DurationText.exact(.nanoseconds(timeout)))")
    case .unready(let text), .impossible(let text):
      endCheck(since: start, at: time)
      return fail(text)
    case .ready(let text):
      endCheck(since: start, at: time)
      failures = 0
      return become(.healthy(text))
    }
  }

  /// Ends the current check and all later ones.
  mutating func close() {
    check.close()
    due = nil
  }

  private mutating func endCheck(since start: Int64, at time: Int64) {
    checkStart = nil
    due = max(start + every, time)
  }

  private mutating func fail(_ answer: String) -> ServiceHealth? {
    failures += 1
    guard failures >= mostFailures else { return nil }
    return become(
      .unhealthy("the live probe failed \(failures == 1 ? "once" : "\(failures) times"): \(answer)"))
  }

  /// Stores the health. Returns it if it changed from healthy to unhealthy or back.
  private mutating func become(_ new: ServiceHealth) -> ServiceHealth? {
    let wasHealthy = health?.isHealthy ?? true
    health = new
    return wasHealthy == new.isHealthy ? nil : new
  }
}
