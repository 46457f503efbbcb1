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

/// A state behind a lock. Threads can wait for a change of the state (`pthread_cond_t`, POSIX).
///
/// `@unchecked Sendable`: the condition keeps one address for its whole life and is accessed only through pthread
/// functions.
@usableFromInline
package final class Condition<State: Sendable>: @unchecked Sendable {
  @usableFromInline let lock: Lock<State>
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: State) {
    lock = Lock(state)
    condition.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
    pthread_cond_init(condition, nil)
    #else
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  /// Runs `body` with the lock held. `body` must not call this object again.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock(body)
  }

  /// Waits until `body` returns a value, and returns that value; `nil` if the deadline passes first.
  ///
  /// `body` runs with the lock held: at once, after each `signal()` or `broadcast()`, and once more at the deadline.
  /// The deadline is a `MonotonicClock` time; `nil` waits without limit.
  package func wait<Result>(until deadline: Int64? = nil, for body: (inout State) -> Result?) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    while true {
      // Each call accesses the state anew: other threads change it during the wait.
      if let result = body(&lock.state) { return result }
      guard let deadline else {
        pthread_cond_wait(condition, lock.mutex)
        continue
      }
      if MonotonicClock.now() >= deadline { return nil }
      sleep(until: deadline)
    }
  }

  /// Wakes one waiting thread, which then calls its `body` again.
  package func signal() { pthread_cond_signal(condition) }

  /// Wakes all waiting threads, which then call their `body` again.
  package func broadcast() { pthread_cond_broadcast(condition) }

  private func sleep(until deadline: Int64) {
    #if canImport(Darwin)
    var time = timespec(nanoseconds: max(0, deadline - MonotonicClock.now()))
    pthread_cond_timedwait_relative_np(condition, lock.mutex, &time)
    #else
    var time = timespec(nanoseconds: deadline)
    pthread_cond_timedwait(condition, lock.mutex, &time)
    #endif
  }
}
