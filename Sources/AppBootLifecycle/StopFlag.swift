import AppBootSystem

/// A flag that one thread sets and another thread reads.
final class StopFlag: Sendable {
  private let flag = Lock(false)

  var isSet: Bool { flag.withLock(\.self) }
  func set() { flag.withLock { $0 = true } }
}
