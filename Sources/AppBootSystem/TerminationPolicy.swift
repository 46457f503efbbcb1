/// The policy for the end of a launch or an app: the effect of a signal, after those before it.
///
/// | | first signal | the same within 50 ms | another, or the same later |
/// |---|---|---|---|
/// | `INT`, `TERM`, `HUP` | end | nothing | end at once |
/// | `QUIT` | end at once | nothing | end at once |
package struct TerminationPolicy: Sendable {
  /// The effect of a signal.
  package enum Effect: Sendable {
    /// The end begins. If it has already begun, it no longer waits for slow readers and handlers.
    case end
    case nothing
    /// The process ends by the signal.
    case endAtOnce
  }

  /// The nanoseconds within which the same signal counts as sent twice. timeout(1) does this: it sends a signal to a
  /// process and to its group.
  package static let repetition: Int64 = 50_000_000

  /// The first signal; `nil` before it arrives.
  package private(set) var signal: Int32?
  private var time: Int64 = 0
  /// True if the first `INT` ends the process at once, because nothing has to be stopped.
  private let interruptsAtOnce: Bool

  package init(interruptsAtOnce: Bool = false) { self.interruptsAtOnce = interruptsAtOnce }

  /// Returns the effect of a signal that arrived at a time of the monotonic clock.
  package mutating func receive(_ signal: Int32, at now: Int64) -> Effect {
    if let first = self.signal {
      return first == signal && now - time < Self.repetition ? .nothing : .endAtOnce
    }
    (self.signal, time) = (signal, now)
    return signal == Signals.quit || (signal == Signals.interrupt && interruptsAtOnce) ? .endAtOnce : .end
  }
}
