/// The running operations of a launch, and the poller that watches them. `AppBootCommands` implements it, because the
/// core polls nothing.
package protocol LaunchOperations: AnyObject, Sendable {
  /// Starts the work of a step, and watches it. Returns its end if it has ended at once; otherwise `nil`.
  ///
  /// - Throws: An error if the work cannot start, or if the step is unnecessary.
  func start(_ work: EngineWork, in launch: LaunchSession) throws -> WorkEnd?

  /// Waits until an operation can continue, a deadline of the monotonic clock passes, or ``wake()`` is called.
  ///
  /// Returns the work whose operations can continue. It may also handle signals and update a live display.
  func wait(until deadline: Int64?) -> [EngineWork]

  /// Ends the current wait, or the next one if no thread waits.
  func wake()

  /// Advances an operation. Returns its end if it has ended; otherwise `nil`.
  func advance(_ work: EngineWork) -> WorkEnd?

  /// Stops an operation. An operation that is still starting is stopped once it is watched.
  func stop(_ work: EngineWork, isForced: Bool)

  /// Stops all operations by force. Use it if the program is about to exit, so that no process remains.
  func stopAll()

  /// Returns the reason why an operation has not ended; `nil` if it is unknown.
  func obstacle(of work: EngineWork) -> String?

  /// Returns true if the result of work is known, although the work has not ended.
  func isConcluded(_ work: EngineWork) -> Bool

  /// True if work is under way whose end can free what a process needs to start.
  ///
  /// Work that only waits does not count: it may wait for what the process would do.
  var isBusy: Bool { get }

  /// Returns the output of each operation after its last complete line, by step.
  func unfinishedLines() -> [Int: String]

  /// Returns, by step, the system limit that keeps the process of a delayed operation from starting.
  func delays() -> [Int: String]
}

/// A function that starts a task, and returns a function that cancels it.
package typealias TaskStart =
  @Sendable (_ body: @escaping @Sendable () async -> Void) -> @Sendable () -> Void

/// The end of a unit of work.
package struct WorkEnd: Sendable {
  package let result: Result<Void, any Error>
  /// The CPU time of the work in nanoseconds; `nil` if it is unknown.
  package let cpuTime: Int64?

  /// Describes the error of a failure, which can run code of the app. Call it without the engine's lock.
  package init(_ result: Result<Void, any Error>, cpuTime: Int64? = nil) {
    self.result =
      switch result {
      case .failure(let error) where !(error is CancellationError) && !(error is Unnecessary):
        .failure(Failure(describing: error))
      case .success, .failure: result
      }
    self.cpuTime = cpuTime
  }
}

/// A function that makes the operations of a launch. It throws an error if the system has no descriptor left.
package typealias LaunchOperationsMaker =
  @Sendable () throws -> any LaunchOperations
