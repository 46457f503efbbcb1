import AppBootBase

/// A loop that handles events on one thread: the main thread of a process without a run loop.
///
/// Between events the main thread also runs the main actor's jobs.
///
/// ```swift
/// let loop = MainLoop()
/// loop.execute { … }      // from any thread
/// loop.run()              // on the main thread, until stop() is called
/// ```
package final class MainLoop: Sendable {
  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var isStopped = false
    /// The main actor's jobs; `nil` unless ``run()`` serves them.
    var mainQueue: MainQueue?

    /// The jobs to run next: empty at the end, and `nil` if there is nothing to do yet.
    mutating func takeJobs() -> [@Sendable () -> Void]? {
      guard isStopped || !jobs.isEmpty else { return nil }
      defer { jobs = [] }
      return jobs
    }
  }

  private let state = Condition(State())
  private let servesMainActor: Bool

  /// Creates a loop.
  ///
  /// - Parameter servesMainActor: True to run the main actor's jobs between events.
  package init(servesMainActor: Bool = true) { self.servesMainActor = servesMainActor }

  /// Adds a job for the loop's thread. A job that is added after ``run()`` has returned never runs.
  package func execute(_ job: @escaping @Sendable () -> Void) {
    change { $0.jobs.append(job) }
  }

  private func change(_ body: (inout State) -> Void) {
    let mainQueue = state.withLock { state in
      body(&state)
      return state.mainQueue
    }
    mainQueue?.wake()
    state.signal()
  }

  /// Runs jobs on the calling thread until ``stop()`` is called. Jobs that were added before that still run.
  package func run() {
    let mainQueue = servesMainActor ? MainQueue.current() : nil
    state.withLock { $0.mainQueue = mainQueue }
    while let jobs = next(serving: mainQueue) {
      for job in jobs { job() }
    }
  }

  /// Makes ``run()`` return after the jobs that have been added so far.
  package func stop() {
    change { $0.isStopped = true }
  }

  private func next(serving mainQueue: MainQueue?) -> [@Sendable () -> Void]? {
    var jobs = state.withLock { $0.takeJobs() }
    while jobs == nil {
      guard let mainQueue else {
        jobs = state.wait { $0.takeJobs() }
        continue
      }
      mainQueue.wait(until: nil)
      jobs = state.withLock { $0.takeJobs() }
    }
    return jobs?.isEmpty == false ? jobs : nil
  }
}

/// A value of a type that is not `Sendable`, which crosses to another thread.
///
/// `@unchecked Sendable`: the caller of ``init(_:)`` gives the value away, and only one thread uses it afterwards. It
/// is for objects that a platform passes to a callback on any thread, and that are used on the main thread.
package struct UncheckedSendable<Value>: @unchecked Sendable {
  /// The value.
  package let value: Value

  /// Wraps a value that the caller no longer uses.
  package init(_ value: Value) { self.value = value }
}
