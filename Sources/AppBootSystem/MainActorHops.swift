#if canImport(Darwin)
import Darwin
#endif
import Synchronization

/// The hops of one task to the main actor. Without it, a hop waits in the main queue, where no code can find it.
///
/// The Swift runtime asks for the executor of the main actor at each hop (`swift_task_getMainExecutor_hook`). For the
/// watched task and its child tasks this object answers as that executor, and so receives their jobs. It does not
/// receive a task that the watched task starts and does not wait for, as in `Task { @MainActor in … }`.
///
/// On Apple's platforms the hook requires iOS 18.4 or macOS 15.4. Older systems receive no hops.
package final class MainActorHops: SerialExecutor {
  @TaskLocal private static var current: MainActorHops?
  /// The number of watched tasks in the process. Without one, the hook costs nothing else.
  private static let watched = Atomic<Int>(0)

  /// A job of the watched task for the main actor.
  package struct Hop: Sendable {
    fileprivate let hops: MainActorHops
    fileprivate let job: UnownedJob

    /// Runs the job. Call it on the main thread.
    package func run() {
      hops.isServed.store(true, ordering: .relaxed)
      // The executor of the main actor for this job. A job that it enqueues there, as a yield does, is another hop.
      job.runSynchronously(on: hops.asUnownedSerialExecutor())
      hops.isServed.store(false, ordering: .relaxed)
    }

    /// Passes the job to the main actor.
    package func forward() { MainActor.shared.enqueue(job) }
  }

  private let executor: any TaskExecutor
  private let receive: @Sendable (Hop) -> Bool
  /// True while the main thread runs a hop.
  private let isServed = Atomic<Bool>(false)
  /// The address of the watched task; 0 until it is watched.
  private let task = Atomic<UInt>(0)

  /// Creates the hops of a task.
  ///
  /// - Parameters:
  ///   - executor: The executor that the task prefers. Its child tasks inherit it; unstructured tasks do not.
  ///   - receive: A function that gets each hop. If it returns false, the main actor gets the hop.
  package init(of executor: any TaskExecutor, receive: @escaping @Sendable (Hop) -> Bool) {
    (self.executor, self.receive) = (executor, receive)
  }

  /// Runs the rest of the calling task, whose hops are then received.
  package func watch<Result>(_ body: () async -> Result) async -> Result {
    MainExecutorHook.install()
    withUnsafeCurrentTask { task in
      guard let task else { return }
      self.task.store(unsafeBitCast(task, to: UInt.self), ordering: .relaxed)
    }
    Self.watched.add(1, ordering: .relaxed)
    defer { Self.watched.subtract(1, ordering: .relaxed) }
    return await Self.$current.withValue(self) { await body() }
  }

  /// Receives a job for the main actor.
  package func enqueue(_ job: consuming ExecutorJob) {
    let hop = Hop(hops: self, job: UnownedJob(job))
    if !isOfTask(hop.job) || !receive(hop) { hop.forward() }
  }

  /// Returns whether a job is the watched task or one of its child tasks, and not an unstructured task.
  private func isOfTask(_ job: UnownedJob) -> Bool {
    let address = unsafeBitCast(job, to: UInt.self)
    if address == task.load(ordering: .relaxed) { return true }
    // The flags of a job come after four pointers (swift/ABI/Task.h). Bit 24 is that of a child task.
    let flags = UnsafeRawPointer(bitPattern: address)?
      .load(fromByteOffset: 4 * MemoryLayout<UInt>.size, as: UInt32.self)
    return (flags ?? 0) & (1 << 24) != 0
  }

  /// The hops of the calling task; `nil` if they are not received.
  ///
  /// On the main actor, code compares its executor with that of its job: they must agree.
  fileprivate static var ofCaller: MainActorHops? {
    guard watched.load(ordering: .relaxed) > 0, let current else { return nil }
    guard !MainQueue.isOnMainActor || current.isServed.load(ordering: .relaxed) else { return nil }
    let prefersExecutor = withUnsafeCurrentTask { task in
      task?.unownedTaskExecutor == current.executor.asUnownedTaskExecutor()
    }
    return prefersExecutor ? current : nil
  }
}

/// The hook of the Swift runtime that is asked for the executor of the main actor.
private enum MainExecutorHook {
  typealias Original = @convention(thin) () -> UnownedSerialExecutor
  typealias Hook = @convention(thin) (Original) -> UnownedSerialExecutor

  /// Another hook that was installed before; `nil` if there was none.
  nonisolated(unsafe) private static var earlier: Hook?

  /// Installs the hook once. It stays, because another one may be installed after it.
  static func install() { _ = isInstalled }

  private static let isInstalled: Bool = {
    #if canImport(Darwin)
    let all = UnsafeMutableRawPointer(bitPattern: -2)  // RTLD_DEFAULT (dlfcn.h)
    guard let symbol = dlsym(all, "swift_task_getMainExecutor_hook") else { return false }
    let hook = symbol.assumingMemoryBound(to: Hook?.self)
    earlier = hook.pointee
    hook.pointee = { mainExecutor($0) }
    #else
    earlier = mainExecutorHook
    mainExecutorHook = { mainExecutor($0) }
    #endif
    return true
  }()

  private static func mainExecutor(_ original: Original) -> UnownedSerialExecutor {
    if let hops = MainActorHops.ofCaller { return hops.asUnownedSerialExecutor() }
    return earlier?(original) ?? original()
  }
}

#if !canImport(Darwin)
/// The variable of the runtime. A static executable has it too, but cannot look it up by its name.
@_silgen_name("swift_task_getMainExecutor_hook")
nonisolated(unsafe) var mainExecutorHook:
  (@convention(thin) (@convention(thin) () -> UnownedSerialExecutor) -> UnownedSerialExecutor)?
#endif
