#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit) || canImport(WatchKit)
import Synchronization
#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#else
import WatchKit
#endif

/// The way to the main thread.
enum MainThread {
  /// Does it at once on the main thread, and soon from any other.
  static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
    if Thread.isMainThread {
      MainActor.assumeIsolated(body)
    } else {
      Task { @MainActor in body() }
    }
  }
}

/// Completion handlers that UIKit waits for, kept on the main thread until their answer is there.
@MainActor
final class PendingCompletions<Value: Sendable> {
  private var handlers: [Int: (Value) -> Void] = [:]
  private var count = 0

  /// Keeps a handler, and gives what calls it once, from any thread.
  func keep(_ handler: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    count += 1
    let number = count
    handlers[number] = handler
    return { value in MainThread.run { self.handlers.removeValue(forKey: number)?(value) } }
  }
}

/// A value that is set once, by whoever has it first.
final class Slot<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func set(_ value: Value) { self.value.withLock { $0 = $0 ?? value } }
  var current: Value? { value.withLock { $0 } }
}
#endif
