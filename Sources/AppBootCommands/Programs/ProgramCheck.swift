public import AppBoot
import AppBootSystem

/// A program that runs for its exit code: that of `unless`, which makes a step unnecessary, or that of `stop`.
///
/// Its standard streams are `/dev/null`.
final class ProgramCheck: UnlessCheck {
  /// The nanoseconds between two checks for a cancellation.
  private static let interval: Int64 = 20_000_000
  /// The nanoseconds between two looks at the program if nothing watches its end.
  private static let unwatchedInterval: Int64 = 2_000_000

  let program: String
  private let process: Subprocess
  private let exitDescriptor: Int32

  /// Starts the program.
  ///
  /// - Throws: ``ProgramCheckError`` if it cannot be started.
  init(_ request: ProcessRequest) throws(ProgramCheckError) {
    program = request.arguments.first ?? ""
    var request = request
    (request.captureOutput, request.passing) = (false, [])
    do throws(SpawnError) {
      (process, exitDescriptor) = try request.startWatched()
    } catch {
      throw ProgramCheckError(error)
    }
  }

  static let start: UnlessCheckStart = { arguments, command, context in
    let step = try (command as? any ProcessTraits).map { try $0.request($0.arguments, in: context).request }
    return try ProgramCheck(ProcessRequest(arguments, of: context, beside: step))
  }

  /// The exit code or the signal of the program, which is known after ``advance()`` has returned a result.
  var end: ProcessEnd? { process.end() }

  /// The descriptors to watch. They are open until ``release()``.
  var descriptors: [Int32] { [exitDescriptor] }

  /// Returns true if the program has exited with 0. Kills the processes that it left running once it has ended.
  func advance() -> Bool? {
    guard let end = process.end() else { return nil }
    process.killGroup(Signals.kill)
    return end == .exited(0)
  }

  /// Kills the program. It has no grace period, because it has nothing to clean up.
  func stop() { process.killGroup(Signals.kill) }

  /// Kills the program if it runs, reaps it, and closes the descriptors. Further calls have no effect.
  func release() {
    stop()
    _ = process.wait()
    process.finish()
  }

  /// Waits on the calling thread until the program has ended.
  ///
  /// - Throws: `CancellationError` if the step was cancelled; the program may then run until ``release()``.
  func wait(isCancelled: () -> Bool) throws -> Bool {
    // Without a free descriptor there is no poller, and the loop looks every few milliseconds.
    let poller = try? Poller()
    let isWatched = (try? poller?.add(exitDescriptor, token: 0)) != nil
    while true {
      if let end = advance() { return end }
      if isCancelled() { throw CancellationError() }
      if !isWatched || (try? poller?.wait(deadline: MonotonicClock.now() + Self.interval)) == nil {
        Thread.sleep(for: Self.unwatchedInterval)
      }
    }
  }
}

/// An error that reports that the program of `unless` cannot be started.
struct ProgramCheckError: ShortageError, CustomStringConvertible {
  let reason: SpawnError

  init(_ reason: SpawnError) { self.reason = reason }

  /// True also if the program was started and killed again: it only looks, so that a second start does no harm.
  var isShortage: Bool {
    if case .unwatchable(let error) = reason { return error.isShortage }
    return reason.isShortage
  }
  var description: String { "the program of \"unless\" cannot be started: \(reason)" }
}

extension Step {
  /// Returns the step with a program that makes it unnecessary by exiting with 0.
  ///
  /// The program runs when the step is about to run.
  public func unless(succeeds program: String, _ arguments: String...) -> Step {
    unless(succeeds: [program] + arguments, startedBy: ProgramCheck.start)
  }
}
