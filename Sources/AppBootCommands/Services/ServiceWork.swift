import AppBoot
import AppBootSystem

/// The work of a service between one start and the next: a process, or a task of the app.
///
/// ``Service`` calls it with a lock held, so no call may block or call the service.
protocol ServiceWork: Sendable {
  /// The process identifier; `nil` if the work is not a process.
  var pid: Int32? { get }
  /// The reason why the work is not ready; `nil` if it is unknown.
  var obstacle: String? { get }
  /// The doubt about the answer that made the work ready; `nil` for none.
  var doubt: AnswerDoubt? { get }
  /// The last health that the work reported; `nil` if it reported none.
  var health: ServiceHealth? { get }

  /// The descriptors to watch for reading. They stay open until ``release()``.
  var descriptors: [Int32] { get }

  /// Returns the time of the monotonic clock at which ``advance(isStarting:)`` must be called even if no descriptor is
  /// readable; `nil` for none.
  func nextDeadline(isReady: Bool, isStopping: Bool) -> Int64?

  /// Returns what has happened since the last call, and the lines of output.
  ///
  /// - Parameter isStarting: True if the work has not been ready and was not asked to stop.
  mutating func advance(isStarting: Bool) -> (progress: Service.Progress, lines: [OutputLine])

  /// Asks the work to end.
  mutating func askToStop()

  /// Ends the work by force: kills the process, or cancels the task.
  ///
  /// Returns a function for the caller to call without a lock, because it runs code of the app; `nil` for none.
  mutating func kill() -> (@Sendable () -> Void)?

  /// Ends the work by force, and waits for the end of a process.
  func abandon() -> ServiceEnd

  /// Releases the ended work. Before the call, remove its descriptors from every poller.
  func release()

  /// Returns words for the end of the work, for example "exited with code 1".
  func words(for end: ServiceEnd) -> String

  /// Returns the error of a step whose work ended.
  ///
  /// - Parameters:
  ///   - reason: The reason for which it was stopped; `nil` if it ended without a request.
  ///   - wasReady: True if the work had been ready.
  func error(ending end: ServiceEnd, stoppedFor reason: String?, wasReady: Bool) -> any Error
}

extension ServiceWork {
  var health: ServiceHealth? { nil }
}

/// The end of a service's work.
enum ServiceEnd: Sendable, Equatable {
  /// The process ended.
  case process(ProcessEnd)
  /// `run(in:)` returned.
  case returned
  /// `run(in:)` threw an error. The text describes the error.
  case threw(String)
  /// The task was cancelled, and was not waited for.
  case abandoned

  /// Returns the end of a process that exited with a code.
  static func exited(_ code: Int32) -> ServiceEnd { .process(.exited(code)) }

  /// The end for messages, for example "exited with code 1".
  var words: String {
    switch self {
    case .process(let end): end.words
    case .returned: "returned"
    case .threw(let error): "failed: \(error)"
    case .abandoned: "was cancelled and abandoned"
    }
  }

  /// True if a service with the restart condition `onFailure` is restarted.
  var isFailure: Bool { self != .exited(0) && self != .returned }
}
