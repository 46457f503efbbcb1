import AppBootBase

/// The manifest of a launch: its name, its digest, and the locations of its steps.
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

  var text: SourceText? {
    if case .text(let text, _) = form { text } else { nil }
  }

  var name: String {
    switch form {
    case .text(let text, _): text.name
    case .stored(let name, _, _): name
    }
  }

  /// The SHA-256 of the text and of the texts that it includes, as `sha256:` and 64 hexadecimal digits.
  ///
  /// It is `nil` if a record does not have it. The first call takes O(n) in the length of the texts.
  var digest: String? {
    switch form {
    case .text(_, let lines): lines.digest
    case .stored(_, let digest, _): digest
    }
  }

  /// Returns the location of a step whose command has this range in the text; `nil` if it is unknown.
  func location(ofStep step: Int, at range: SourceRange?) -> SourceLocation? {
    switch form {
    case .text(_, let lines): range.map { lines.location(of: Int($0.start)) }
    case .stored(_, _, let locations): locations[step]
    }
  }
}

/// The line tables of a text and its digest, which are made when they are first needed.
private final class LazySourceLines: Sendable {
  private let source: SourceText
  private let files = Lock<SourceFiles?>(nil)
  private let knownDigest = Lock<String?>(nil)

  init(_ source: SourceText) {
    self.source = source
  }

  var digest: String {
    knownDigest.withLock { known in
      let digest =
        known
        ?? "sha256:\(SHA256.hexadecimal(of: source.included.reduce(into: source.bytes) { $0 += [0] + $1.bytes }))"
      known = digest
      return digest
    }
  }

  func location(of offset: Int) -> SourceLocation {
    files.withLock { files in
      let table = files ?? SourceFiles(source)
      files = table
      return table.location(of: offset)
    }
  }
}
