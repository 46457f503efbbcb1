import AppBootSystem

/// The times at which a process is checked for a stop, because it asked for the terminal; none without a terminal.
///
/// The system stops a process outside of the terminal's foreground group that reads from the terminal (`SIGTTIN`) or
/// changes its settings (`SIGTTOU`). No descriptor reports that. Without a terminal it cannot happen: the program
/// finds none.
struct TerminalCheck: Sendable {
  /// The nanoseconds between two checks. All processes share the times, and with them the wake-ups.
  static let interval: Int64 = 250_000_000

  /// The time of the next check; nil if there is none.
  private(set) var due: Int64?

  init() {
    if Terminal.wasControlling { due = Self.next(after: MonotonicClock.now()) }
  }

  /// Returns the signal by which a process asked for the terminal; nil before the next check, or if it did not.
  mutating func request(of process: Subprocess) -> Int32? {
    guard let due else { return nil }
    let now = MonotonicClock.now()
    guard now >= due else { return nil }
    self.due = Self.next(after: now)
    return process.terminalRequest
  }

  private static func next(after time: Int64) -> Int64 { (time / interval + 1) * interval }
}
