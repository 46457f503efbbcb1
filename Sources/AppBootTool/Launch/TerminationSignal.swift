/// The first signal that asks a process to end. It classifies later signals.
struct TerminationSignal: Sendable {
  /// The class of a signal in relation to the first one.
  enum Turn: Sendable {
    case first
    /// The first signal again, sent twice. timeout(1) does this: it sends a signal to a process and to its group.
    case repeated
    case another
  }

  /// The nanoseconds within which the same signal counts as ``Turn/repeated``.
  static let repetition: Int64 = 50_000_000

  /// The number of the first signal; `nil` before it arrives.
  private(set) var signal: Int32?
  private var time: Int64 = 0

  /// Returns the class of a signal that arrived at a time of the monotonic clock.
  mutating func turn(of signal: Int32, at now: Int64) -> Turn {
    guard let first = self.signal else {
      (self.signal, time) = (signal, now)
      return .first
    }
    return first == signal && now - time < Self.repetition ? .repeated : .another
  }
}
