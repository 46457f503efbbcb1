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
