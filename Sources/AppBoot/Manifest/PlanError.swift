/// An error with all mistakes in a plan, in the order of its manifest or of its code.
public struct PlanError: Error, Sendable, CustomStringConvertible {
  /// A mistake in a plan or a warning about it, with its place.
  public struct Mistake: Sendable, Hashable, CustomStringConvertible {
    /// The path or the name of the manifest, or the path of a file that it includes; for code, its `#fileID`.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column in characters, from 1; `nil` for code.
    public let column: Int?
    /// The message: one line without a full stop.
    public let message: String
    /// The corrections, each one line.
    public let help: [String]

    /// The place, the message and the help, for example `Shop/Launch.swift:12: the plan has no steps`.
    public var description: String {
      (["\(place): \(message)"] + help.map { "help: \($0)" }).joined(separator: "\n")
    }

    fileprivate var place: String { column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)" }
  }

  /// The mistakes and the warnings.
  package let diagnostics: [Diagnostic]
  /// The manifest's text; `nil` for a plan in code.
  package let source: SourceText?
  private let mistake: @Sendable (Diagnostic) -> Mistake

  /// Creates an error from the mistakes in a manifest.
  package init(source: SourceText, diagnostics: [Diagnostic]) {
    let files = SourceFiles(source)
    self.source = source
    self.diagnostics = diagnostics.sortedByPosition()
    mistake = { mistake in
      let place = files.location(of: Int(mistake.range.start))
      return Mistake(
        file: place.file ?? source.name, line: place.line, column: place.column, message: mistake.message,
        help: mistake.help)
    }
  }

  /// Creates an error from the mistakes in a plan that is written in code.
  package init(_ diagnostics: [Diagnostic], at places: [CodePlace]) {
    let order = diagnostics.indices.sorted {
      let (one, other) = (places[diagnostics[$0].range], places[diagnostics[$1].range])
      return (one.fileID, one.line, $0) < (other.fileID, other.line, $1)
    }
    source = nil
    self.diagnostics = order.map { diagnostics[$0] }
    mistake = { mistake in
      let place = places[mistake.range]
      return Mistake(
        file: place.fileID, line: place.line, column: nil, message: mistake.message, help: mistake.help)
    }
  }

  /// The mistakes; at least one, and at most the first 100.
  public var mistakes: [Mistake] { diagnostics.filter { $0.severity == .error }.map(mistake) }

  /// The warnings, in the order of the code.
  package var warnings: [Mistake] { diagnostics.filter { $0.severity == .warning }.map(mistake) }

  /// The problems as `file:line:column: error: …`, each with its help. For code, as `Shop/Launch.swift:12: error: …`.
  public var description: String {
    diagnostics.text { mistake(.error("", at: $0)).place }
  }
}

/// A place in Swift source code: the line that declares a part of a plan.
package struct CodePlace: Sendable {
  /// The file as `#fileID` has it: the module and the file's name.
  let fileID: String
  /// The line, from 1.
  let line: Int
}

extension [CodePlace] {
  /// The place of a range of a plan in code, which counts in places instead of bytes.
  fileprivate subscript(range: SourceRange) -> CodePlace { self[Swift.min(Int(range.start), count - 1)] }
}
