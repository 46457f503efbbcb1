import AppBootLibC

/// A thread for blocking work. In the thread pool of Swift concurrency, this work would block other tasks.
package final class Thread: Sendable {
  private let hasEnded = Condition(false)

  /// Makes the calling thread sleep. It needs no descriptor.
  package static func sleep(for nanoseconds: Int64) { usleep(UInt32(clamping: nanoseconds / 1000)) }

  /// Starts a thread.
  ///
  /// If the limit of threads is reached (`EAGAIN`), it tries again for 50 ms.
  ///
  /// - Parameters:
  ///   - name: The name for debuggers. It is cut to 15 bytes on Linux.
  ///   - stackSize: The stack size in bytes; `nil` for the system's default.
  @discardableResult
  package static func start(
    name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> Thread {
    let thread = Thread()
    let task = ThreadTask {
      setName(name)
      body()
      thread.hasEnded.withLock { $0 = true }
      thread.hasEnded.broadcast()
    }
    var code = create(task, stackSize: stackSize)
    // Threads that are ending count against the limit of threads until they have ended.
    for _ in 0..<10 where code == EAGAIN {
      usleep(5000)
      code = create(task, stackSize: stackSize)
    }
    guard code == 0 else { throw SystemError(call: "start a thread", code: code) }
    return thread
  }

  /// Starts a detached thread. Returns the `errno` value; 0 for success.
  private static func create(_ task: ThreadTask, stackSize: Int?) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, numericCast(PTHREAD_CREATE_DETACHED))
    if let stackSize { pthread_attr_setstacksize(&attributes, max(stackSize, 1 << 16)) }
    #if canImport(Glibc)
    var handle = pthread_t()
    #else
    var handle: pthread_t?
    #endif
    let task = Unmanaged.passRetained(task)
    let code = pthread_create(
      &handle, &attributes,
      { argument in
        ThreadTask.run(argument)
        return nil
      }, task.toOpaque())
    if code != 0 { task.release() }
    return code
  }

  private static func setName(_ name: String) {
    #if canImport(Darwin)
    pthread_setname_np(name)
    #else
    // The limit is 16 bytes with the final zero (pthread_setname_np(3)).
    let short = String(decoding: name.utf8.prefix(15), as: UTF8.self)
    _ = linuxSetThreadName(pthread_self(), short)
    #endif
  }

  /// The identifier of the calling thread. It is unique among running threads (`pthread_self`, POSIX).
  package static var current: UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
  }

  /// True after the thread's body has returned.
  package var hasReturned: Bool { hasEnded.withLock(\.self) }

  /// Waits until the thread's body has returned. A second call returns at once.
  package func join() { hasEnded.wait { $0 ? () : nil } }
}

/// The body of a new thread, as an object to which a C function can refer.
private final class ThreadTask: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<ThreadTask>.fromOpaque(argument).takeRetainedValue().body()
  }
}

/// A thread for work that may block, for example a write.
///
/// Requests do not queue: a new request replaces an earlier one that has not begun. The thread ends after a second
/// without a request.
package final class BackgroundJob: Sendable {
  private static let patience: Int64 = 1_000_000_000
  private static let shortWait: Int64 = 100_000_000

  fileprivate struct State: Sendable {
    var requested: (@Sendable () -> Void)?
    var hasThread = false
    var isRunning = false
    /// True if the last short wait was too short (``settleShortly()``).
    var isSlow = false
  }

  private let name: String
  private let state = Condition(State())

  /// Creates a job. Its thread starts with the first request.
  ///
  /// - Parameter name: The name of the thread, of at most 15 bytes.
  package init(name: String) { self.name = name }

  /// Requests a run of `body`. If no thread can be started, the calling thread runs it.
  package func request(_ body: @escaping @Sendable () -> Void) {
    let startsThread = state.withLock { state in
      state.requested = body
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard startsThread else { return state.broadcast() }
    do throws(SystemError) {
      try Thread.start(name: name, stackSize: 1 << 17) { [self] in
        while let body = next() {
          body()
          state.withLock { $0.isRunning = false }
          state.broadcast()
        }
      }
    } catch {
      // Later requests wait for this thread.
      while let body = state.withLock({ $0.takeOrEnd() }) { body() }
      state.broadcast()
    }
  }

  /// Waits until no request is pending or running. Returns false if the nanoseconds pass first.
  @discardableResult
  package func settle(within most: Int64) -> Bool {
    let deadline = MonotonicClock.deadline(after: most)
    return state.wait(until: deadline) { $0.requested == nil && !$0.isRunning ? () : nil } != nil
  }

  /// Waits at most 100 ms. After a wait that was too short, does not wait again until all requests are done.
  package func settleShortly() {
    let isSlow = state.withLock(\.isSlow)
    let isDone = settle(within: isSlow ? 0 : Self.shortWait)
    state.withLock { $0.isSlow = !isDone }
  }

  /// Waits for a request, and takes it; returns `nil` if the thread must end.
  private func next() -> (@Sendable () -> Void)? {
    let deadline = MonotonicClock.now() + Self.patience
    if let body = state.wait(until: deadline, for: { $0.take() }) { return body }
    // A request may have come since the deadline.
    return state.withLock { $0.takeOrEnd() }
  }
}

extension BackgroundJob.State {
  /// Takes the pending request; returns `nil` if there is none.
  fileprivate mutating func take() -> (@Sendable () -> Void)? {
    let body = requested
    requested = nil
    isRunning = body != nil
    return body
  }

  /// Takes the pending request. If there is none, marks the thread as ended and returns `nil`.
  fileprivate mutating func takeOrEnd() -> (@Sendable () -> Void)? {
    let body = take()
    hasThread = body != nil
    return body
  }
}
