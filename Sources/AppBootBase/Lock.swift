import AppBootLibC

/// A state behind a lock (`pthread_mutex_t`, POSIX).
///
/// It does not use `Synchronization.Mutex`: on Linux the thread sanitizer cannot see its system calls, and reports each
/// use as a race.
///
/// `@unchecked Sendable`: the state is accessed only with the mutex held. The mutex keeps one address for its whole
/// life and is accessed only through pthread functions.
@usableFromInline
package final class Lock<State: Sendable>: @unchecked Sendable {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // No dynamic exclusivity check: the mutex guarantees exclusive access. A body that calls this lock again deadlocks.
  @exclusivity(unchecked)
  @usableFromInline var state: State

  package init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the lock held. `body` must not call this lock again.
  ///
  /// It is inlinable, so that other modules can specialize it for their state.
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
