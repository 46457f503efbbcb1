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
      let place = column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)"
      return (["\(place): \(message)"] + help.map { "help: \($0)" }).joined(separator: "\n")
    }
  }

  private enum Origin: Sendable {
    case manifest(SourceText)
    case code([CodePlace])
  }

  /// The mistakes and the warnings.
  package let diagnostics: [Diagnostic]
  private let origin: Origin

  /// Creates an error from the mistakes in a manifest.
  package init(source: SourceText, diagnostics: [Diagnostic]) {
    origin = .manifest(source)
    self.diagnostics = diagnostics.sortedByPosition()
  }

  /// Creates an error from the mistakes in a plan that is written in code.
  package init(_ diagnostics: [Diagnostic], at places: [CodePlace]) {
    origin = .code(places)
    let order = diagnostics.indices.sorted {
      let (one, other) = (places[diagnostics[$0].range], places[diagnostics[$1].range])
      return (one.fileID, one.line, $0) < (other.fileID, other.line, $1)
    }
    self.diagnostics = order.map { diagnostics[$0] }
  }

  /// The manifest's text; `nil` for a plan in code.
  package var source: SourceText? {
    if case .manifest(let source) = origin { source } else { nil }
  }

  /// The mistakes; at least one, and at most the first 100.
  public var mistakes: [Mistake] { all(.error) }

  /// The warnings, in the order of the code.
  package var warnings: [Mistake] { all(.warning) }

  private func all(_ severity: Diagnostic.Severity) -> [Mistake] {
    let found = diagnostics.filter { $0.severity == severity }
    switch origin {
    case .manifest(let source):
      let files = SourceFiles(source)
      return found.map { mistake in
        let place = files.location(of: Int(mistake.range.start))
        return Mistake(
          file: place.file ?? source.name, line: place.line, column: place.column, message: mistake.message,
          help: mistake.help)
      }
    case .code(let places):
      return found.map { mistake in
        let place = places[mistake.range]
        return Mistake(
          file: place.fileID, line: place.line, column: nil, message: mistake.message, help: mistake.help)
      }
    }
  }

  /// The problems as `file:line:column: error: …`, each with its help. For code, as `Shop/Launch.swift:12: error: …`.
  public var description: String {
    switch origin {
    case .manifest(let source): diagnostics.text(in: source)
    case .code(let places): diagnostics.text { places[$0].description }
    }
  }
}

/// A place in Swift source code: the line that declares a part of a plan.
package struct CodePlace: Sendable, Hashable, CustomStringConvertible {
  /// The file as `#fileID` has it: the module and the file's name.
  let fileID: String
  /// The line, from 1.
  let line: Int

  /// The place as `Shop/Launch.swift:12`.
  package var description: String { "\(fileID):\(line)" }
}

extension [CodePlace] {
  /// The place of a range of a plan in code, which counts in places instead of bytes.
  fileprivate subscript(range: SourceRange) -> CodePlace { self[Swift.min(Int(range.start), count - 1)] }
}
