#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit) || canImport(WatchKit)
import Synchronization
#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#else
import WatchKit
#endif

/// A helper that runs closures on the main thread.
enum MainThread {
  /// Runs `body` at once if called on the main thread, otherwise later on the main thread.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if Thread.isMainThread {
      MainActor.assumeIsolated(body)
    } else {
      Task { @MainActor in body() }
    }
  }
}

/// A store for UIKit's completion handlers. It keeps each handler until its answer is available.
@MainActor
final class PendingCompletions<Value: Sendable> {
  private var handlers: [Int: (Value) -> Void] = [:]
  private var count = 0

  /// Stores a completion handler. Returns a function that calls it on the main thread, at most once.
  ///
  /// Any thread can call the returned function.
  func store(_ handler: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    count += 1
    let number = count
    handlers[number] = handler
    return { value in MainThread.run { self.handlers.removeValue(forKey: number)?(value) } }
  }
}

/// A value that can be set once. Later calls of `set` have no effect.
final class Slot<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func set(_ value: Value) { self.value.withLock { $0 = $0 ?? value } }
  var current: Value? { value.withLock { $0 } }
}
#endif
