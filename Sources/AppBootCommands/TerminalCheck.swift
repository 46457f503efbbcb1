import AppBootSystem

/// The times at which a process is checked: did it stop because it asked for the terminal?
///
/// The system stops a process outside of the terminal's foreground group that reads from the terminal (`SIGTTIN`) or
/// changes its settings (`SIGTTOU`). No descriptor reports that. Without a terminal there are no checks: the program
/// finds no terminal to ask for.
struct TerminalCheck: Sendable {
  /// The nanoseconds between two checks. All processes are checked at the same times, so they share wake-ups.
  private let interval: Int64
  /// The time of the next check; nil if there is none.
  private(set) var due: Int64?

  /// - Parameter isInteractive: True for a process that has the terminal. It is checked more often.
  init(isInteractive: Bool = false) {
    interval = isInteractive ? TerminalLoan.interval : 250_000_000
    if isInteractive || Terminal.wasControlling { due = next(after: MonotonicClock.now()) }
  }

  /// Returns true if the time of a check has come, and sets the next one.
  mutating func isDue() -> Bool {
    guard let due else { return false }
    let now = MonotonicClock.now()
    guard now >= due else { return false }
    self.due = next(after: now)
    return true
  }

  private func next(after time: Int64) -> Int64 { (time / interval + 1) * interval }
}
