/// An error with all mistakes in a plan that is written in code, in the order of the code.
public struct PlanMistakes: Error, Sendable, CustomStringConvertible {
  /// A mistake in a plan or a warning about it, with the line of Swift code that declares the step.
  public struct Mistake: Sendable, Hashable, CustomStringConvertible {
    /// The file as `#fileID` has it: the module and the file's name.
    public let fileID: String
    /// The line, from 1.
    public let line: Int
    /// The message: one line without a full stop.
    public let message: String
    /// The corrections, each one line.
    public let help: [String]

    /// The place, the message and the help, for example `Shop/Launch.swift:12: the plan has no steps`.
    public var description: String {
      (["\(fileID):\(line): \(message)"] + help.map { "help: \($0)" }).joined(separator: "\n")
    }
  }

  private let diagnostics: [Diagnostic]
  private let places: [CodePlace]

  package init(_ diagnostics: [Diagnostic], at places: [CodePlace]) {
    self.places = places
    self.diagnostics = diagnostics.enumerated().sorted {
      let (one, other) = (Self.place(of: $0.element.range, places), Self.place(of: $1.element.range, places))
      return (one.fileID, one.line, $0.offset) < (other.fileID, other.line, $1.offset)
    }.map(\.element)
  }

  /// The mistakes; at least one, and at most the first 100.
  public var mistakes: [Mistake] { all(.error) }

  /// The warnings, in the order of the code.
  package var warnings: [Mistake] { all(.warning) }

  private func all(_ severity: Diagnostic.Severity) -> [Mistake] {
    diagnostics.filter { $0.severity == severity }.map { mistake in
      let place = place(of: mistake.range)
      return Mistake(
        fileID: place.fileID, line: place.line, message: mistake.message, help: mistake.help)
    }
  }

  /// The mistakes as `Shop/Launch.swift:12: error: …`, each with its help.
  public var description: String {
    diagnostics.map { problem in
      let help = problem.help.map { "help: \($0)\n" }
      let notes = problem.notes.map { "\(place(of: $0.range)): note: \($0.message)\n" }
      let head = "\(place(of: problem.range)): \(problem.severity.rawValue): \(problem.message)\n"
      return ([head] + help + notes).joined()
    }.joined()
  }

  private func place(of range: SourceRange) -> CodePlace { Self.place(of: range, places) }

  private static func place(of range: SourceRange, _ places: [CodePlace]) -> CodePlace {
    places[min(Int(range.start), places.count - 1)]
  }
}
