/// An error as a record stores it: its message, its type and its causes.
public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error's message.
  public let message: String
  /// The name of the error's type, for programs.
  public let type: String
  /// The messages of the error's causes, outermost first; empty if the error has no cause.
  public let causes: [String]

  /// Creates a failure from its parts.
  public init(message: String, type: String, causes: [String] = []) {
    self.message = message
    self.type = type
    self.causes = causes
  }

  /// Creates a failure from an error: its message, its type and the messages of at most 16 causes.
  public init(describing error: any Error) {
    if let failure = error as? Failure {
      self = failure
      return
    }
    var causes: [String] = []
    var current = (error as? any CausedError)?.cause
    while let cause = current, causes.count < 16 {
      causes.append(String(describing: cause))
      current = (cause as? any CausedError)?.cause
    }
    let type =
      error is any MissingPrecondition
      ? Self.missingPreconditionType : String(reflecting: Swift.type(of: error))
    self.init(message: String(describing: error), type: type, causes: causes)
  }

  /// The ``type`` of a failure that was created from a ``MissingPrecondition``.
  static let missingPreconditionType = "AppBoot.MissingPrecondition"

  /// True if something outside of the launch is missing, for example a program. The tool then exits with code 4.
  package var isMissingPrecondition: Bool { type == Self.missingPreconditionType }

  /// The message and the messages of the causes, joined by colons.
  public var description: String { ([message] + causes).joined(separator: ": ") }
}

/// An error that has another error as its cause, so that a record can show the whole chain.
public protocol CausedError: Error {
  /// The error that caused this one; `nil` if there is none.
  var cause: (any Error)? { get }
}

/// An error that reports that something outside of the launch is missing, for example a program.
///
/// If such an error fails the launch, the tool exits with code 4 instead of 1.
public protocol MissingPrecondition: Error {}

/// The effect of a failed step on the other steps.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
  /// No other step starts, and the launch fails.
  case stop
  /// The other steps run as if the failed step had succeeded.
  case `continue`
  /// The other steps run as if the failed step had succeeded, but the launch fails. It is the default of the handlers
  /// of `willTerminate`, so that one failed stop does not prevent the others.
  case keepGoing
  /// The steps that must come after the failed step, directly or indirectly, are skipped. The other steps run.
  case skipDependents
  /// No other step starts. The steps that succeeded and can be undone are undone, the last one first.
  case rollback

  /// True if the steps after a failed step run.
  package var releasesSuccessors: Bool { self == .continue || self == .keepGoing }
}

/// A policy for repeating a failed step: the number of attempts, and the delays between them.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, at least 1.
  public internal(set) var attempts: Int
  /// The delay before the second attempt in nanoseconds.
  package var backoffTime: Int64
  /// The maximum delay in nanoseconds.
  package var maxBackoffTime: Int64

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts; at least 1 is used.
  ///   - backoff: The delay before the second attempt; at least 0 is used. It doubles before each further attempt.
  ///   - maxBackoff: The maximum delay; at least 0 is used.
  public init(
    attempts: Int, backoff: Duration = .milliseconds(100), maxBackoff: Duration = .seconds(30)
  ) {
    self.init(
      attempts: max(1, attempts), backoffTime: max(0, backoff.nanoseconds),
      maxBackoffTime: max(0, maxBackoff.nanoseconds))
  }

  package init(attempts: Int, backoffTime: Int64, maxBackoffTime: Int64) {
    (self.attempts, self.backoffTime, self.maxBackoffTime) = (attempts, backoffTime, maxBackoffTime)
  }

  /// The delay before the second attempt. It doubles before each further attempt.
  public var backoff: Duration { .nanoseconds(backoffTime) }
  /// The maximum delay.
  public var maxBackoff: Duration { .nanoseconds(maxBackoffTime) }

  /// Returns the delay in nanoseconds after a failed attempt: `backoff × 2^(attempt − 1)`, at most ``maxBackoff``.
  ///
  /// - Parameter attempt: The number of the failed attempt. The first one is 1.
  package func delay(afterAttempt attempt: Int) -> Int64 {
    let factor = Int64(1) << Int64(Swift.min(62, Swift.max(0, attempt - 1)))
    let (product, overflow) = backoffTime.multipliedReportingOverflow(by: factor)
    return overflow ? maxBackoffTime : Swift.min(product, maxBackoffTime)
  }
}
