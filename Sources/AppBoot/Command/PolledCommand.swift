/// A command whose work is done elsewhere (in a process, behind a socket) and only has to be watched.
///
/// The engine watches it with a poller: it holds neither a thread nor a task while it waits.
package protocol PolledCommand: AsyncCommand {
  /// Starts the work.
  ///
  /// - Throws: An error if it could not be started; nothing is left behind then.
  func start(in context: LaunchContext) throws -> any PolledOperation
}

extension PolledCommand {
  /// Watched by the engine.
  public static var execution: CommandExecution { .polled(Self.self) }
}

/// Running work; the engine advances it when one of its descriptors is readable.
package protocol PolledOperation: AnyObject, Sendable {
  /// The descriptors to watch now, open until ``release()``; asked for after the start and each step forward.
  var descriptors: [Int32] { get }

  /// Descriptors that are watched as well once the work has lasted for a moment, also open until ``release()``.
  ///
  /// Most processes end before: nothing is woken for the end of their output and again for their own.
  var laterDescriptors: [Int32] { get }

  /// Advances the work as far as possible without waiting; returns `nil` until it has ended.
  func advance() -> Result<Void, any Error>?

  /// Closes the descriptors, after the work has ended and none of them is watched.
  func release()

  /// The CPU time of the work in nanoseconds, after ``release()``; `nil` if it is unknown.
  var cpuTime: Int64? { get }

  /// The output after the last complete line, such as a question or progress; `nil` if there is none.
  var unfinishedLine: String? { get }

  /// Cancels the work; with force, at once. ``advance()`` returns its result when it has ended.
  func stop(isForced: Bool)
}

extension PolledOperation {
  package var laterDescriptors: [Int32] { [] }

  package var cpuTime: Int64? { nil }

  package var unfinishedLine: String? { nil }
}
