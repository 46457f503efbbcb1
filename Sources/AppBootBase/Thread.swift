import AppBootLibC

/// A thread for blocking work. In the thread pool of Swift concurrency, this work would block other tasks.
package final class Thread: Sendable {
  #if canImport(Glibc)
  private typealias Handle = pthread_t
  #else
  private typealias Handle = pthread_t?
  #endif

  /// The handle of the thread; `nil` after the thread was joined.
  private let handle: Lock<UncheckedSendable<Handle>?>

  private init(_ handle: sending Handle) { self.handle = Lock(UncheckedSendable(handle)) }

  /// Detaches the thread if it was not joined.
  deinit {
    if let thread = takeHandle() { pthread_detach(thread) }
  }

  /// Makes the calling thread sleep. It needs no descriptor.
  package static func sleep(for nanoseconds: Int64) { usleep(UInt32(clamping: nanoseconds / 1000)) }

  /// Starts a thread. It is detached unless the caller stores the result and joins it.
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
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, max(stackSize, 1 << 16)) }
    let task = Unmanaged.passRetained(ThreadTask(name: name, body: body))
    #if canImport(Glibc)
    var handle = Handle()
    #else
    var handle: Handle = nil
    #endif
    var code = pthread_create(&handle, &attributes, threadMain, task.toOpaque())
    // Threads that are ending count against the limit of threads until they have ended.
    for _ in 0..<10 where code == EAGAIN {
      usleep(5000)
      code = pthread_create(&handle, &attributes, threadMain, task.toOpaque())
    }
    guard code == 0 else {
      task.release()
      throw SystemError(call: "start a thread", code: code)
    }
    return Thread(handle)
  }

  /// Runs `body` on a new detached thread. If the system cannot start one, runs it on the calling thread.
  package static func detach(name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
      try start(name: name, body)
    } catch {
      body()
    }
  }

  /// The identifier of the calling thread. It is unique among running threads (`pthread_self`, POSIX).
  package static var current: UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
  }

  /// Waits until the thread has ended. A second call returns at once.
  package func join() {
    if let thread = takeHandle() { pthread_join(thread, nil) }
  }

  private func takeHandle() -> pthread_t? {
    handle.withLock { handle in
      defer { handle = nil }
      return handle?.value
    }
  }
}

/// The name and the body of a new thread.
private final class ThreadTask: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  func run() {
    #if canImport(Darwin)
    pthread_setname_np(name)
    #else
    // The limit is 16 bytes with the final zero (pthread_setname_np(3)).
    let short = String(decoding: name.utf8.prefix(15), as: UTF8.self)
    _ = linuxSetThreadName(pthread_self(), short)
    #endif
    body()
  }
}

#if canImport(Darwin)
private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<ThreadTask>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
#else
private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<ThreadTask>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
#endif
