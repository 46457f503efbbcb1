#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Dispatch
import Glibc
#elseif canImport(Musl)
import Dispatch
import Musl
#endif

/// The main queue, for a synchronous call that blocks the main thread and runs the jobs of the main actor meanwhile.
///
/// Otherwise a job for the main actor waits until the call returns. If the call waits for that job, both deadlock.
package struct MainQueue: Sendable {
  /// Returns the queue for a call that will block the main thread; `nil` if the caller cannot serve it.
  package static func current() -> MainQueue? { isServable ? MainQueue() : nil }

  /// True if this is the main thread and can serve the main queue.
  ///
  /// It is false inside a task, and inside a job that this type runs or has added to the queue: the queue runs one job
  /// at a time.
  private static var isServable: Bool {
    guard isMainThread, !isServing.withLock(\.self) else { return false }
    return withUnsafeCurrentTask { $0 == nil }
  }

  /// True if the caller is on the main actor and cannot serve the main queue, for example in a task.
  ///
  /// While it waits, that actor runs no other job.
  package static var isBlockedByCaller: Bool { isOnMainActor && current() == nil }

  /// True while the main thread runs jobs of the main queue.
  private static let isServing = Lock(false)

  /// Runs `serve`, during which the main queue is not ``isServable``.
  private static func serving(_ serve: () -> Void) {
    let wasServing = isServing.withLock { isServing in
      defer { isServing = true }
      return isServing
    }
    serve()
    isServing.withLock { $0 = wasServing }
  }

  #if canImport(Darwin)

  /// True on the main thread.
  package static var isMainThread: Bool { pthread_main_np() != 0 }

  /// True on the thread of the main actor, which is the main thread.
  package static var isOnMainActor: Bool { isMainThread }

  /// Adds a job of the main actor: to the run loop, or to the main queue if the loop does not run. The job is not a
  /// task.
  ///
  /// In the run loop it can serve the main queue (``isServable``).
  package static func add(_ job: @escaping @Sendable () -> Void) {
    // Inside a job of the main queue, a run loop does not serve that queue.
    if CoreRunLoop()?.perform(job) != true { addToQueue(job) }
  }

  private static func addToQueue(_ job: @escaping @Sendable () -> Void) {
    let all = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT (dlfcn.h)
    guard let queue = dlsym(all, "_dispatch_main_q") else {
      Task { @MainActor in job() }
      return
    }
    dispatchAsync(queue, Unmanaged.passRetained(MainQueueJob { serving(job) }).toOpaque()) { context in
      guard let context else { return }
      Unmanaged<MainQueueJob>.fromOpaque(context).takeRetainedValue().run()
    }
  }

  /// The run loop of the main thread, which serves the main queue.
  private let loop: CoreRunLoop

  private init?() {
    guard let loop = CoreRunLoop() else { return nil }
    self.loop = loop
  }

  /// Runs jobs of the main actor until ``wake()`` is called or the deadline passes. It may return earlier.
  ///
  /// - Parameter deadline: A time of ``MonotonicClock``; `nil` for no limit.
  package func wait(until deadline: Int64?) {
    let left = deadline.map { max(0, $0 - MonotonicClock.now()) } ?? 3_600_000_000_000
    Self.serving { loop.run(for: Double(left) / 1e9) }
  }

  /// Ends the current wait, or the next one if no thread waits. Any thread may call it.
  package func wake() {
    // CFRunLoopWakeUp does not end CFRunLoopRunInMode, but a job of the main queue does.
    Self.addToQueue {}
  }

  #elseif canImport(Glibc) || canImport(Musl)

  /// True on the main thread. The identifier of a process's first thread is the process's.
  package static var isMainThread: Bool { linuxThread() == getpid() }

  /// True on a thread of the main actor: the main thread or, after `dispatchMain()`, another one with the main queue.
  package static var isOnMainActor: Bool { isMainThread || DispatchQueue.getSpecific(key: mark) == true }

  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Adds a job of the main actor to the main queue. The job is not a task.
  package static func add(_ job: @escaping @Sendable () -> Void) {
    DispatchQueue.main.async { serving(job) }
  }

  /// The counter that libdispatch increases when the main queue has a job (eventfd(2)). It belongs to libdispatch.
  private let counter: Int32

  private init?() {
    // libdispatch traps if it cannot create its counter.
    guard let spare = try? FileSystem.open("/dev/null", O_RDONLY) else { return nil }
    Descriptor.close(spare)
    counter = dispatchMainQueueHandle()
    if counter < 0 { return nil }
  }

  /// Runs jobs of the main actor until ``wake()`` is called or the deadline passes. It may return earlier.
  ///
  /// - Parameter deadline: A time of ``MonotonicClock``; `nil` for no limit.
  package func wait(until deadline: Int64?) {
    guard Descriptor.wait(counter, for: Int32(POLLIN), until: deadline) else { return }
    var count: UInt64 = 0
    _ = retryingInterrupts { read(counter, &count, MemoryLayout<UInt64>.size) }
    Self.serving { dispatchServeMainQueue(nil) }
  }

  /// Ends the current wait, or the next one if no thread waits. Any thread may call it.
  package func wake() {
    // The main queue then has no job, which libdispatch allows.
    var one: UInt64 = 1
    _ = retryingInterrupts { write(counter, &one, MemoryLayout<UInt64>.size) }
  }

  #endif
}

#if canImport(Darwin)

/// A job of the main queue.
private final class MainQueueJob: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Adds a function to a queue (`dispatch_async_f`). A program without the Swift overlay of Dispatch can call it too.
@_silgen_name("dispatch_async_f")
private func dispatchAsync(
  _ queue: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?,
  _ work: @convention(c) (UnsafeMutableRawPointer?) -> Void
)

/// The run loop of the main thread (`CFRunLoop`), looked up at run time: a program without CoreFoundation has none.
private struct CoreRunLoop: @unchecked Sendable {
  private typealias Run = @convention(c) (UnsafeRawPointer?, Double, UInt8) -> Int32

  private let mode: UnsafeRawPointer?
  private let run: Run

  init?() {
    let all = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT (dlfcn.h)
    guard let mode = dlsym(all, "kCFRunLoopDefaultMode"), let run = dlsym(all, "CFRunLoopRunInMode") else {
      return nil
    }
    self.mode = mode.load(as: UnsafeRawPointer?.self)
    self.run = unsafeBitCast(run, to: Run.self)
  }

  /// Serves the loop until a source was handled, or the seconds have passed.
  func run(for seconds: Double) {
    // kCFRunLoopRunFinished: the mode has no source, and the call returned at once.
    if run(mode, seconds, 1) == 1 { usleep(1000) }
  }

  /// Adds a block to the loop, which runs it also while the user scrolls (`kCFRunLoopCommonModes`).
  ///
  /// Returns false if the loop does not run, as after `dispatchMain()`.
  func perform(_ block: @escaping @Sendable () -> Void) -> Bool {
    typealias Main = @convention(c) () -> UnsafeRawPointer?
    typealias CurrentMode = @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?
    typealias Release = @convention(c) (UnsafeRawPointer?) -> Void
    typealias Block = @convention(block) () -> Void
    typealias Perform = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Block) -> Void
    let all = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT (dlfcn.h)
    guard let common = dlsym(all, "kCFRunLoopCommonModes"),
      let main: Main = Self.function("CFRunLoopGetMain"),
      let currentMode: CurrentMode = Self.function("CFRunLoopCopyCurrentMode"),
      let release: Release = Self.function("CFRelease"),
      let perform: Perform = Self.function("CFRunLoopPerformBlock"),
      let wakeUp: Release = Self.function("CFRunLoopWakeUp"),
      let loop = main(), let current = currentMode(loop)
    else { return false }
    release(current)
    perform(loop, common.load(as: UnsafeRawPointer?.self), block)
    wakeUp(loop)
    return true
  }

  private static func function<Function>(_ name: String) -> Function? {
    let all = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT (dlfcn.h)
    return dlsym(all, name).map { unsafeBitCast($0, to: Function.self) }
  }
}

#elseif canImport(Glibc) || canImport(Musl)

/// Returns the descriptor that is readable when the main queue has jobs. CoreFoundation uses it for its run loop.
@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func dispatchMainQueueHandle() -> Int32

/// Runs the jobs of the main queue. Call it on the main thread.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func dispatchServeMainQueue(_ unused: UnsafeMutableRawPointer?)

#endif
