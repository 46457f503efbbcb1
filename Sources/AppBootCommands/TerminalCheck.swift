import AppBootSystem

/// The schedule of the checks whether a process was stopped because it asked for the terminal.
///
/// The system stops a process outside of the terminal's foreground group that reads from the terminal (`SIGTTIN`) or
/// changes its settings (`SIGTTOU`). No descriptor reports that. Without a terminal there are no checks, because the
/// program cannot ask for one.
struct TerminalCheck: Sendable {
  /// The nanoseconds between two checks. All processes are checked at the same times, so one wake-up serves all of
  /// them.
  private let interval: Int64
  /// The time of the next check; `nil` if there are no checks.
  private(set) var due: Int64?

  /// Creates the schedule for a process.
  ///
  /// - Parameter isInteractive: True for a process that has the terminal. It is checked more often.
  init(isInteractive: Bool = false) {
    interval = isInteractive ? TerminalLoan.interval : 250_000_000
    if isInteractive || Terminal.wasControlling { due = next(after: MonotonicClock.now()) }
  }

  /// Returns true if a check is due, and sets the time of the next check.
  mutating func isDue() -> Bool {
    guard let due else { return false }
    let now = MonotonicClock.now()
    guard now >= due else { return false }
    self.due = next(after: now)
    return true
  }

  private func next(after time: Int64) -> Int64 { (time / interval + 1) * interval }
}
