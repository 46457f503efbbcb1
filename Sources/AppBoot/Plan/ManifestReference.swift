import AppBootBase

/// The manifest of a launch: its name, and the locations of its steps.
///
/// A plan has the manifest's text. A record that was read has only the facts that it stores.
package struct ManifestReference: Sendable {
  private enum Form {
    case text(SourceText, LazySourceLines)
    case stored(name: String, digest: String?, locations: [SourceLocation?])
  }

  private let form: Form

  /// Creates a reference to the text of a manifest.
  init(_ text: SourceText) {
    form = .text(text, LazySourceLines(text))
  }

  /// Creates a reference from the facts that a record stores.
  ///
  /// - Parameter locations: The locations of the steps, one element for each step.
  package init(name: String, digest: String?, locations: [SourceLocation?]) {
    form = .stored(name: name, digest: digest, locations: locations)
  }

  /// The text of the manifest of a plan; `nil` if a record was read.
  package var text: SourceText? {
    if case .text(let text, _) = form { text } else { nil }
  }

  var name: String {
    switch form {
    case .text(let text, _): text.name
    case .stored(let name, _, _): name
    }
  }

  /// The digest that a record stores; `nil` if it has none, or if this is a plan's reference.
  package var storedDigest: String? {
    if case .stored(_, let digest, _) = form { digest } else { nil }
  }

  /// Returns the location of a step whose command has this range in the text; `nil` if it is unknown.
  func location(ofStep step: Int, at range: SourceRange?) -> SourceLocation? {
    switch form {
    case .text(_, let lines): range.map { lines.location(of: Int($0.start)) }
    case .stored(_, _, let locations): locations[step]
    }
  }
}

/// The line tables of a text, which are made when they are first needed.
private final class LazySourceLines: Sendable {
  private let source: SourceText
  private let files = Lock<SourceFiles?>(nil)

  init(_ source: SourceText) {
    self.source = source
  }

  func location(of offset: Int) -> SourceLocation {
    files.withLock { files in
      let table = files ?? SourceFiles(source)
      files = table
      return table.location(of: offset)
    }
  }
}
