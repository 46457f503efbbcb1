import AppBootLibC

/// A reference that has a separate value on each thread (`pthread_getspecific(3)`).
package final class ThreadReference: Sendable {
  /// The system's key; `nil` if the process has no key left. The reference is then `nil` on every thread.
  private let key: pthread_key_t?

  package init() {
    var key = pthread_key_t()
    self.key = pthread_key_create(&key, nil) == 0 ? key : nil
  }

  deinit { if let key { pthread_key_delete(key) } }

  /// The object of the calling thread; `nil` if it has none.
  package var current: AnyObject? {
    guard let key, let object = pthread_getspecific(key) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
  }

  /// Sets the object of the calling thread while a closure runs. Afterwards restores the previous object.
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
