/// The running operations of a launch, and the poller that watches them. `AppBootCommands` implements it, because the
/// core polls nothing.
package protocol LaunchOperations: Sendable {
  /// A function that starts work; it returns `nil` if the command is of another kind.
  typealias Start = @Sendable () throws -> (any PolledOperation)?
  /// A function that is called when a wait begins. It returns a function that is called when the wait ends.
  typealias Wait = @Sendable () -> @Sendable () -> Void

  /// Starts work. If a limit of the system prevents it and other work is under way, returns an operation that waits.
  ///
  /// - Parameters:
  ///   - wait: Records the wait.
  ///   - start: Starts the work. Called for each attempt.
  /// - Throws: The error of the start.
  func start(recording wait: Wait, _ start: @escaping Start) throws -> (any PolledOperation)?

  /// Returns an operation that first waits for the program of an `unless`.
  ///
  /// - Parameter start: A function that starts the work when the program has ended. It throws an error if the step is
  ///   unnecessary.
  func start(
    after check: any NeedCheck, _ start: @escaping @Sendable (_ succeeded: Bool) throws -> any PolledOperation
  ) -> any PolledOperation

  /// Begins to watch the operation of a unit of work. Stops it if its work was stopped while the operation started.
  func add(_ operation: any PolledOperation, for work: EngineWork) throws

  /// Waits until an operation can continue, a deadline of the monotonic clock passes, or ``wake()`` is called.
  ///
  /// Returns the work whose operations can continue. Also calls the ``LaunchWatcher`` if that has work to do.
  func wait(until deadline: Int64?) -> [EngineWork]

  /// Ends the current wait, or the next one if no thread waits.
  func wake()

  /// Advances an operation. If it has ended, returns its result and its CPU time in nanoseconds; otherwise `nil`.
  func advance(_ work: EngineWork) -> (result: Result<Void, any Error>, cpuTime: Int64?)?

  /// Stops an operation; one that is still starting, when it is added.
  func stop(_ work: EngineWork, isForced: Bool)

  /// Stops all operations by force. Use it if the program is about to exit, so that no process remains.
  func stopAll()

  /// Returns the reason why an operation has not ended; `nil` if it is unknown.
  func obstacle(of work: EngineWork) -> String?

  /// True if work is under way whose end can free what a process needs to start.
  ///
  /// Work that only waits does not count: it may wait for what the process would do.
  var isBusy: Bool { get }

  /// Returns the output of each operation after its last complete line, by step.
  func unfinishedLines() -> [Int: String]

  /// Returns, by step, the system limit that keeps the process of a delayed operation from starting.
  func delays() -> [Int: String]
}

/// A function that makes the operations of a launch. It throws an error if the system has no descriptor left.
package typealias LaunchOperationsMaker =
  @Sendable (_ watch: (any LaunchWatcher)?) throws -> any LaunchOperations
