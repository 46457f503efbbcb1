/// What an error said, and the errors behind it.
public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, in words.
  public let message: String
  /// The error's type, for programs.
  public let type: String
  /// What caused it, outermost first; empty where the error names no cause.
  public let causes: [String]

  /// Creates a failure from its parts.
  public init(message: String, type: String, causes: [String] = []) {
    self.message = message
    self.type = type
    self.causes = causes
  }

  /// Describes an error: its words, its type and the errors it names as causes.
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
    self.init(
      message: String(describing: error), type: String(reflecting: Swift.type(of: error)), causes: causes)
  }

  /// The message and its causes.
  public var description: String { ([message] + causes).joined(separator: ": ") }
}

/// An error that knows what caused it, so that a record can show the whole chain.
public protocol CausedError: Error {
  /// The error behind this one.
  var cause: (any Error)? { get }
}
