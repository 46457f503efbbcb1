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

  /// The number of lines of the last ``advance(isStarting:)`` that came before the work was ready; `nil` for all.
  var linesBeforeReady: Int? { get }

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

  /// Kills a running program of `stop.command`, and sends the signal. Returns false if none is running.
  mutating func endStopProgram() -> Bool

  /// Ends the work by force: kills the process, or cancels the task.
  ///
  /// Returns a function for the caller to call without a lock, because it runs code of the app; `nil` for none.
  mutating func kill() -> (@Sendable () -> Void)?

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
  var linesBeforeReady: Int? { nil }

  mutating func endStopProgram() -> Bool { false }
}

/// The end of a service's work.
enum ServiceEnd: Sendable, Equatable {
  /// The process ended.
  case process(ProcessEnd)
  /// `run(in:)` returned.
  case returned
  /// `run(in:)` threw an error. The text describes the error.
  case threw(String)

  /// Returns the end of a process that exited with a code.
  static func exited(_ code: Int32) -> ServiceEnd { .process(.exited(code)) }

  /// The end for messages, for example "exited with code 1".
  var words: String {
    switch self {
    case .process(let end): end.words
    case .returned: "returned"
    case .threw(let error): "failed: \(error)"
    }
  }

  /// Returns true unless it is an expected exit code, or the return of a task.
  func isFailure(expecting codes: [UInt8]) -> Bool {
    switch self {
    case .process(.exited(let code)): !codes.contains { Int32($0) == code }
    case .returned: false
    case .process, .threw: true
    }
  }
}

/// The program of `stop.command`, which runs before the stop signal of a service.
struct StopProgram: Sendable {
  /// The nanoseconds that the program has after the end of the service, for example to remove a file.
  private static let timeAfterEnd: Int64 = 1_000_000_000

  private let request: ProcessRequest?
  private let secrets: Secrets
  private var check: ProgramCheck?
  /// True if the program did not end within the grace period: the signal was sent without it.
  private var isLate = false
  /// True once the program has ended.
  private var isOver = false
  /// The time at which the program is killed; `nil` before the service has ended.
  private(set) var due: Int64?
  /// The reason why the program failed, until it was taken.
  private var problem: String?

  /// - Parameter request: The program; `nil` for a service that has none.
  init(request: ProcessRequest?, secrets: Secrets) { (self.request, self.secrets) = (request, secrets) }

  var isRunning: Bool { check != nil && !isOver }
  var descriptors: [Int32] { isRunning ? check?.descriptors ?? [] : [] }

  /// Starts the program for the process of a service. Returns false if the signal must be sent at once.
  mutating func start(for process: Int32) -> Bool {
    guard var request else { return false }
    request.environment = (request.environment ?? [:]).merging(["MAINPID": String(process)]) { $1 }
    do throws(ProgramCheckError) {
      check = try ProgramCheck(request)
      return true
    } catch {
      problem = "cannot be started: \(error.reason)"
      return false
    }
  }

  /// Looks whether the program has ended. Returns true if the signal must be sent now.
  ///
  /// - Parameter hasEnded: True if the process of the service has ended. The signal is then for those that it has left.
  mutating func advance(afterEnd hasEnded: Bool) -> Bool {
    guard isRunning, let check else { return false }
    guard let succeeded = check.advance() else {
      if hasEnded { killIfDue() }
      return false
    }
    // Its descriptor stays open until `release()`, because it is watched.
    isOver = true
    if !succeeded, !isLate, !hasEnded { problem = check.end?.words }
    return !isLate
  }

  private mutating func killIfDue() {
    let now = MonotonicClock.now()
    let limit = due ?? now + Self.timeAfterEnd
    due = now < limit ? limit : .max
    if now >= limit { kill() }
  }

  /// Kills a program that did not end within the grace period. Returns false if none is running.
  mutating func giveUp() -> Bool {
    guard isRunning, !isLate else { return false }
    (isLate, problem) = (true, "did not end within the grace period, and was killed")
    kill()
    return true
  }

  func kill() { check?.stop() }

  func release() { check?.release() }

  /// Returns a line about the failure of the program, once.
  mutating func takeProblem() -> OutputLine? {
    guard let problem else { return nil }
    self.problem = nil
    let text = "appboot: \"\(request?.arguments.first ?? "")\", the program of \"stop\", \(problem)"
    return OutputLine(secrets.masking(text), on: .stderr)
  }
}
