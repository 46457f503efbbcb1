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
