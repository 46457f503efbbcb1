import AppBootLibC

/// A state behind a lock. Threads can wait for a change of the state (`pthread_cond_t`, POSIX).
///
/// `@unchecked Sendable`: the state is accessed only with the mutex held. The two pthread objects keep one address for
/// their whole life and are accessed only through pthread functions.
package final class Condition<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // No dynamic exclusivity check: the mutex guarantees exclusive access.
  @exclusivity(unchecked)
  @usableFromInline var state: State

  package init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
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
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` with the lock held. `body` must not call this object again.
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

  /// Waits until `body` returns a value, and returns that value; `nil` if the deadline passes first.
  ///
  /// `body` runs with the lock held: at once, after each `signal()` or `broadcast()`, and once more at the deadline.
  /// The deadline is a `MonotonicClock` time; `nil` waits without limit.
  package func wait<Result>(until deadline: Int64? = nil, for body: (inout State) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      guard let deadline else {
        pthread_cond_wait(condition, mutex)
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
    pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    var time = timespec(nanoseconds: deadline)
    pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}

extension timespec {
  /// Creates a time from nanoseconds.
  package init(nanoseconds: Int64) {
    self.init()
    tv_sec = numericCast(nanoseconds / 1_000_000_000)
    tv_nsec = numericCast(nanoseconds % 1_000_000_000)
  }
}
