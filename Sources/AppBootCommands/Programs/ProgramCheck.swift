import AppBoot
import AppBootSystem

/// A program of `unless` that decides whether a step is needed. If it exits with 0, the step is unnecessary.
///
/// Its standard streams are `/dev/null`.
final class ProgramCheck: NeedCheck {
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
  init(_ arguments: [String], in context: LaunchContext) throws(ProgramCheckError) {
    program = arguments.first ?? ""
    var request = ProcessRequest(arguments, of: context)
    request.passing = []
    do throws(SpawnError) {
      (process, exitDescriptor) = try request.startWatched()
    } catch {
      throw ProgramCheckError(error)
    }
  }

  static let start: NeedCheckStart = { try ProgramCheck($0, in: $1) }

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
  private let reason: SpawnError

  init(_ reason: SpawnError) { self.reason = reason }

  /// True also if the program was started and killed again: it only looks, so that a second start does no harm.
  var isShortage: Bool {
    if case .unwatchable(let error) = reason { return error.isShortage }
    return reason.isShortage
  }
  var description: String { "the program of \"unless\" cannot be started: \(reason)" }
}
