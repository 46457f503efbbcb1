#if THREAD_SANITIZER
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What stands for `Synchronization.Mutex` in a build for the thread sanitizer, with the same methods.
///
/// On Linux the sanitizer does not see the futex of `Mutex`, whose code is in the runtime library, and takes what it
/// protects for races; it knows `pthread_mutex_t`. Each module that is checked has a `typealias Mutex` to this.
///
/// `@unchecked Sendable`: the value is touched only with the mutex held, which stays at one address.
package final class SanitizedMutex<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

typealias Mutex = SanitizedMutex
#endif
