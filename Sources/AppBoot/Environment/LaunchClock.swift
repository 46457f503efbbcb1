import AppBootBase

/// The clock of a launch. A command that waits or measures time uses it, so that a test can use a virtual clock.
///
/// ```swift
/// try await context.clock.sleep(for: .seconds(5))
/// ```
public struct LaunchClock: Clock {
  /// A point in time of the clock.
  public struct Instant: InstantProtocol {
    let nanoseconds: Int64

    /// Returns the point in time after a duration.
    public func advanced(by duration: Duration) -> Instant {
      let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
      return Instant(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// Returns the duration until another point in time.
    public func duration(to other: Instant) -> Duration {
      .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Returns whether the first point in time is earlier.
    public static func < (first: Instant, second: Instant) -> Bool { first.nanoseconds < second.nanoseconds }
  }

  let source: (any LaunchClockSource)?

  /// The current time.
  public var now: Instant { Instant(nanoseconds: source?.now() ?? MonotonicClock.now()) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until a point in time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    if let source { return try await source.sleep(until: deadline.nanoseconds) }
    try await SuspendingClock().sleep(for: now.duration(to: deadline), tolerance: tolerance)
  }
}

/// A source of virtual time for a launch. All times are nanoseconds of its own clock.
package protocol LaunchClockSource: AnyObject, Sendable {
  /// Returns the current time.
  func now() -> Int64

  /// Suspends the task until a point in time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(until deadline: Int64) async throws

  /// Sets the launch whose timers depend on this clock.
  func drive(_ timers: any LaunchTimers)
}

/// The timers of a launch with virtual time.
package protocol LaunchTimers: AnyObject, Sendable {
  /// The time of the next timer on the launch's clock, in nanoseconds; `nil` if there is none.
  var nextTimer: Int64? { get }

  /// Handles the timers that are due.
  func fireTimers()
}
