#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
import AppBootLifecycle
import AppBootSystem

/// A completion handler of the platform. It is called on the main thread, at most once.
final class OneShot<Value: Sendable>: Sendable {
  private let handler: Lock<UncheckedSendable<(Value) -> Void>?>

  init(_ handler: @escaping (Value) -> Void) { self.handler = Lock(UncheckedSendable(handler)) }

  /// Calls the handler: at once on the main thread, and later from another thread. Further calls have no effect.
  func callAsFunction(_ value: Value) {
    let taken = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    guard let taken else { return }
    MainQueue.run { taken.value(value) }
  }
}

/// A value that can be set once. Later calls of `set` have no effect.
final class Slot<Value: Sendable>: Sendable {
  private let value = Lock<Value?>(nil)

  func set(_ value: Value) { self.value.withLock { $0 = $0 ?? value } }
  var current: Value? { value.withLock(\.self) }
}
#endif
