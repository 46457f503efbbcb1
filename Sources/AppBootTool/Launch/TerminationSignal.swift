/// The first signal that asks a process to end, and the classification of later ones.
struct TerminationSignal: Sendable {
  /// The class of a signal, in relation to the first one.
  enum Turn: Sendable {
    case first
    /// The first one again, because timeout(1) sends it to a process and to its group.
    case repeated
    case another
  }

  /// The nanoseconds within which the same signal counts as repeated.
  static let repetition: Int64 = 50_000_000

  /// The first signal; `nil` before it.
  private(set) var signal: Int32?
  private var time: Int64 = 0

  /// Classifies a signal that arrived at a time of the monotonic clock.
  mutating func turn(of signal: Int32, at now: Int64) -> Turn {
    guard let first = self.signal else {
      (self.signal, time) = (signal, now)
      return .first
    }
    return first == signal && now - time < Self.repetition ? .repeated : .another
  }
}
