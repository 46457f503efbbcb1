#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A reference with a separate value on each thread (`pthread_getspecific(3)`).
package final class ThreadReference: Sendable {
  /// `nil` if the process has no key left: the reference is `nil` on every thread then.
  private let key: pthread_key_t?

  package init() {
    var key = pthread_key_t()
    self.key = pthread_key_create(&key, nil) == 0 ? key : nil
  }

  deinit { if let key { pthread_key_delete(key) } }

  /// The calling thread's object.
  package var current: AnyObject? {
    guard let key, let object = pthread_getspecific(key) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
  }

  /// Sets this thread's object while a closure runs, and restores the former object afterwards.
  package func with<Result>(_ object: AnyObject?, _ body: () throws -> Result) rethrows -> Result {
    guard let key else { return try body() }
    let former = pthread_getspecific(key)
    pthread_setspecific(key, object.map { Unmanaged.passUnretained($0).toOpaque() })
    defer {
      pthread_setspecific(key, former)
      withExtendedLifetime(object) {}
    }
    return try body()
  }
}
