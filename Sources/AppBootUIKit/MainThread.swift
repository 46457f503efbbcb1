#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit) || canImport(WatchKit)
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
#endif
