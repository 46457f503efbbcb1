package import AppBootSystem

/// The launch as its author wrote it: the commands in order, and the launch's budget and timeout.
///
/// Reading a manifest finds everything that is wrong with its form; ``StartupCommandsBuilder`` adds
/// the mistakes in its commands, and reports all of them at once.
public struct Manifest: Sendable {
  /// The text it was read from.
  public let source: SourceText
  /// The launch's name; `"launch"` by default.
  public internal(set) var name = "launch"
  /// The launch's time budget.
  public internal(set) var budget: Duration?
  /// The launch's timeout.
  public internal(set) var timeout: Duration?
  /// The sizes of the logs of the steps' output.
  package internal(set) var logs = RotatingFile.Limits()
  /// The entries for `didFinishLaunching`, in order.
  package internal(set) var commands: [ManifestEntry] = []
  /// The entries for other events, in the order of the manifest.
  package internal(set) var events: [ManifestEvent] = []
  /// The mistakes in the manifest's form.
  public internal(set) var problems: [Diagnostic] = []

  /// Reads a manifest.
  ///
  /// - Throws: ``ManifestError`` if the text is not JSON; all other mistakes are in ``problems``.
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
  /// The place of the name.
  package let range: SourceRange
  /// The entries in order.
  package let entries: [ManifestEntry]
}

/// Everything that is wrong with a manifest, in the order of the places.
public struct ManifestError: Error, Sendable, CustomStringConvertible {
  /// The manifest's text.
  public let source: SourceText
  /// The mistakes.
  public let diagnostics: [Diagnostic]

  /// Creates an error from the mistakes in a manifest.
  public init(source: SourceText, diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics.sortedByPosition()
  }

  /// Every problem as `file:line:column: error: …`, with the line and a marker.
  public var description: String {
    DiagnosticRenderer().text(diagnostics, in: source)
  }
}
