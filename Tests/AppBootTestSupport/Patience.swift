import AppBootLibC
import AppBootSystem

/// The time that a test waits for what has to happen: one minute. Only a test that fails waits that long.
package enum Patience {
  package static let nanoseconds: Int64 = 60_000_000_000

  /// The time of the monotonic clock at which a wait that begins now ends.
  package static var end: Int64 { MonotonicClock.now() + nanoseconds }

  /// Waits until a condition is true; returns false after a minute.
  package static func wait(until condition: () throws -> Bool) rethrows -> Bool {
    let end = end
    while try !condition() {
      guard MonotonicClock.now() < end else { return false }
      poll(nil, 0, 10)
    }
    return true
  }
}
