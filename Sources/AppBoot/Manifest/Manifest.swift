/// The launch as its author wrote it: the commands in order, and what the launch as a whole may take.
///
/// Reading a manifest finds everything that is wrong with its form; ``StartupCommandsBuilder`` adds
/// what is wrong with its commands, and reports all of it at once.
public struct Manifest: Sendable {
  /// The text it was read from.
  public let source: SourceText
  /// The launch's name; `"launch"` where the manifest gives none.
  public internal(set) var name = "launch"
  /// The launch's time budget.
  public internal(set) var budget: Duration?
  /// The launch's time limit.
  public internal(set) var timeout: Duration?
  /// The entries for `didFinishLaunching`, in order.
  package internal(set) var commands: [ManifestEntry] = []
  /// The entries for other events, in the order of the manifest.
  package internal(set) var events: [ManifestEvent] = []
  /// What is wrong with the manifest's form.
  public internal(set) var problems: [Diagnostic] = []

  /// Reads a manifest.
  ///
  /// - Throws: ``ManifestError`` where the text is not JSON; what is wrong beyond that is in ``problems``.
  public init(parsing source: SourceText) throws(ManifestError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: source)
    } catch {
      throw ManifestError(source: source, diagnostics: error.diagnostics)
    }
    var reader = ManifestReader(document: document)
    self = reader.read()
  }

  init(empty source: SourceText) {
    self.source = source
  }
}

/// The entries that a manifest lists for an event.
package struct ManifestEvent: Sendable {
  /// The event's name.
  package let name: String
  /// Where the name stands.
  package let range: SourceRange
  /// The entries in order.
  package let entries: [ManifestEntry]
}

/// Everything that is wrong with a manifest, in the order of the places.
public struct ManifestError: Error, Sendable, CustomStringConvertible {
  /// The manifest's text.
  public let source: SourceText
  /// What is wrong.
  public let diagnostics: [Diagnostic]

  /// Collects what is wrong with a manifest.
  public init(source: SourceText, diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics.sortedByPosition()
  }

  /// Every problem as `file:line:column: error: …`, with the line and a marker.
  public var description: String {
    DiagnosticRenderer().text(diagnostics, in: source)
  }
}
