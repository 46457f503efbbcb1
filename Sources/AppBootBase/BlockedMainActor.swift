#if canImport(Darwin)
import Darwin
#endif
import Synchronization

/// The executor of the main actor while a synchronous call in a job of that actor blocks its thread.
///
/// The main queue runs one job at a time, so another job in it waits until the call returns. The Swift runtime calls
/// `swift_task_getMainExecutor_hook` to get the executor of the main actor. During the call the hook returns this
/// object for all tasks of the process, and the call runs its jobs. After the call, the main queue receives the
/// remaining jobs.
///
/// An asynchronous function reads the executor once and keeps it. A function that began before the call therefore uses
/// the main queue during the call. A function that began during the call still sends its jobs to this object after the
/// call.
///
/// On Apple's platforms the hook requires iOS 18.4 or macOS 15.4.
final class BlockedMainActor: SerialExecutor {
  private struct State: Sendable {
    /// The jobs that no call has run yet; empty if there is no call.
    var jobs: [UnownedJob] = []
    /// The number of nested calls. Each inner call runs in a job of the outer one.
    var calls = 0
  }

  /// It is never deallocated: tasks refer to their executors without retaining them.
  private static let shared = BlockedMainActor()
  private static let hasCalls = Atomic<Bool>(false)

  private let state = Condition(State())

  /// True while a call blocks the main actor.
  static var isActive: Bool { hasCalls.load(ordering: .relaxed) }

  /// A synchronous call that blocks the main actor.
  final class Call: Sendable {
    /// True to end the current or the next wait. It changes with the state's lock held.
    private let isWoken = Atomic<Bool>(false)

    /// Creates a call; `nil` if the system's Swift runtime has no hook.
    init?() {
      guard MainExecutorHook.isInstalled else { return nil }
    }

    /// Begins to receive the jobs of the main actor. Call it on the thread of that actor.
    func begin() {
      shared.state.withLock { state in
        state.calls += 1
        hasCalls.store(true, ordering: .relaxed)
      }
    }

    /// Ends the call. The outer call keeps the remaining jobs; without one, the main queue receives them.
    func end() {
      shared.state.withLock { state in
        state.calls -= 1
        guard state.calls == 0 else { return }
        // With the lock held and before the flag changes, so that a later job does not overtake them.
        for job in state.jobs { MainActor.shared.enqueue(job) }
        state.jobs = []
        hasCalls.store(false, ordering: .releasing)
      }
    }

    /// Runs the next job of the main actor. Returns without running a job after ``wake()`` or at the deadline.
    func wait(until deadline: Int64?) {
      let next = shared.state.wait(until: deadline) { state -> UnownedJob?? in
        if isWoken.exchange(false, ordering: .relaxed) { return .some(nil) }
        return state.jobs.isEmpty ? nil : .some(state.jobs.removeFirst())
      }
      if let job = next.flatMap(\.self) { job.runSynchronously(on: shared.asUnownedSerialExecutor()) }
    }

    /// Ends the current wait, or the next one. Any thread may call it.
    func wake() {
      shared.state.withLock { _ in isWoken.store(true, ordering: .relaxed) }
      shared.state.signal()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      if state.calls > 0 { state.jobs.append(job) } else { MainActor.shared.enqueue(job) }
    }
    state.signal()
  }

  /// Stops the process if the caller is not on the main actor, as `MainActor.assumeIsolated` requires.
  func checkIsolated() {
    precondition(MainQueue.isOnMainActor, "not on the main actor")
  }

  /// Returns whether the caller is on the main actor. The job that makes the call has the executor of the main queue.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func isIsolatingCurrentContext() -> Bool? { MainQueue.isOnMainActor }

  /// The executor of the main actor; `nil` for that of the main queue.
  fileprivate static var executor: UnownedSerialExecutor? {
    isActive ? shared.asUnownedSerialExecutor() : nil
  }
}

/// The hook of the Swift runtime that returns the executor of the main actor.
private enum MainExecutorHook {
  typealias Original = @convention(thin) () -> UnownedSerialExecutor
  typealias Hook = @convention(thin) (Original) -> UnownedSerialExecutor

  /// Another hook that was installed before; `nil` if there was none.
  nonisolated(unsafe) private static var earlier: Hook?

  /// True after the hook was installed. It stays, because another one may be installed after it.
  static let isInstalled: Bool = {
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
    BlockedMainActor.executor ?? earlier?(original) ?? original()
  }
}

#if !canImport(Darwin)
/// The variable of the runtime. A static executable has it too, but cannot look it up by its name.
@_silgen_name("swift_task_getMainExecutor_hook")
nonisolated(unsafe) var mainExecutorHook:
  (@convention(thin) (@convention(thin) () -> UnownedSerialExecutor) -> UnownedSerialExecutor)?
#endif
