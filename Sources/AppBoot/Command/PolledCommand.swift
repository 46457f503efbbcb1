/// A command whose work is done elsewhere (in a process, behind a socket) and only has to be watched.
///
/// The engine watches it with a poller: it holds neither a thread nor a task while it waits.
package protocol PolledCommand: AsyncCommand {
  /// Starts the work.
  ///
  /// - Throws: Where it could not be started; nothing is left behind then.
  func start(in context: LaunchContext) throws -> any PolledOperation
}

extension PolledCommand {
  /// Watched by the engine.
  public static var execution: CommandExecution { .polled(Self.self) }
}

/// Work under way, told by the engine when one of its descriptors has something to read.
package protocol PolledOperation: AnyObject, Sendable {
  /// The descriptors to watch now, open until ``release()``; asked for after the start and each step forward.
  var descriptors: [Int32] { get }

  /// Descriptors that are watched as well once the work has lasted for a moment, also open until ``release()``.
  ///
  /// Most processes end before: nothing is woken for the end of their output and again for their own.
  var laterDescriptors: [Int32] { get }

  /// Goes as far as it can without waiting; the answer is `nil` until the work has ended.
  func advance() -> Result<Void, any Error>?

  /// Closes what is left, once the work has ended and no descriptor is watched any more.
  func release()

  /// Nanoseconds of processor time that the work used; asked for after ``release()``, `nil` where nobody knows.
  var cpuTime: Int64? { get }

  /// What the work has said since the last line that it ended: a question, or how far it is. `nil` where that is nothing.
  var unfinishedLine: String? { get }

  /// Tells the work to stop; with force, at once. ``advance()`` says when it has.
  func stop(isForced: Bool)
}

extension PolledOperation {
  package var laterDescriptors: [Int32] { [] }

  package var cpuTime: Int64? { nil }

  package var unfinishedLine: String? { nil }
}
