import AppBootLibC

/// The signals that are blocked in a thread (`pthread_sigmask`, POSIX).
struct SignalMask: Sendable {
  private let set: sigset_t

  /// The mask of the calling thread.
  static var current: SignalMask { change(SIG_BLOCK, none) }

  /// Blocks all signals in the calling thread. Returns the previous mask.
  @discardableResult
  static func blockAll() -> SignalMask {
    var all = sigset_t()
    sigfillset(&all)
    return change(SIG_SETMASK, all)
  }

  /// Blocks a signal in the calling thread. Returns the previous mask.
  static func block(_ signal: Int32) -> SignalMask { change(SIG_BLOCK, only([signal])) }

  /// Unblocks signals in the calling thread.
  static func unblock(_ signals: [Int32]) { _ = change(SIG_UNBLOCK, only(signals)) }

  /// Makes this mask the mask of the calling thread.
  func restore() { _ = Self.change(SIG_SETMASK, set) }

  private static var none: sigset_t { only([]) }

  private static func only(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }

  private static func change(_ how: Int32, _ set: sigset_t) -> SignalMask {
    var set = set
    var before = sigset_t()
    pthread_sigmask(how, &set, &before)
    return SignalMask(set: before)
  }
}
