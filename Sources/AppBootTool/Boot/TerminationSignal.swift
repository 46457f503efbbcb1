/// The signal that told a process to end, and what those after it are.
struct TerminationSignal: Sendable {
  /// What a signal is beside those before it.
  enum Turn: Sendable {
    case first
    /// The first one again: timeout(1) sends it to a process and to its group.
    case repeated
    case another
  }

  /// Nanoseconds within which the same signal is the first one again.
  static let repetition: Int64 = 50_000_000

  /// The first one; `nil` before it.
  private(set) var signal: Int32?
  private var time: Int64 = 0

  /// Takes a signal in that came at a time of the monotonic clock.
  mutating func turn(of signal: Int32, at now: Int64) -> Turn {
    guard let first = self.signal else {
      (self.signal, time) = (signal, now)
      return .first
    }
    return first == signal && now - time < Self.repetition ? .repeated : .another
  }
}
