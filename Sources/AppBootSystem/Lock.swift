#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// State behind a lock (`pthread_mutex_t`, POSIX).
///
/// `Synchronization.Mutex` would do, but the thread sanitizer does not see its system calls on Linux and
/// reports every use of it as a race; a lock that can be checked is worth more here.
///
/// `@unchecked Sendable`: the state is touched only with the mutex held, and the mutex, which stays at one
/// address for its whole life, only through pthread functions.
package final class Lock<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // No dynamic check of exclusive access: the mutex grants it, and a body that calls this lock again waits for ever.
  @exclusivity(unchecked)
  @usableFromInline var state: State

  package init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    initializeMutex(mutex)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the state held; it must not call this lock again.
  ///
  /// Inlinable, so that a module which uses it is compiled for its own state.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&state)
  }

  @usableFromInline func lock() { pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}

/// Initializes a mutex for state that is held for well under a microsecond.
func initializeMutex(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
  #if canImport(Glibc)
  // Spinning a little beats going to sleep over such a lock (PTHREAD_MUTEX_ADAPTIVE_NP, which is 3 in
  // glibc's pthread.h and a macro that Swift does not see).
  var kind = pthread_mutexattr_t()
  pthread_mutexattr_init(&kind)
  pthread_mutexattr_settype(&kind, 3)
  pthread_mutex_init(mutex, &kind)
  pthread_mutexattr_destroy(&kind)
  #else
  pthread_mutex_init(mutex, nil)
  #endif
}
