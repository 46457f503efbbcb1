package import AppBootSystem

/// The launch as its author wrote it: the commands in order, and the launch's budget and timeout.
///
/// Reading a manifest finds everything that is wrong with its form; ``StartupCommandsBuilder`` adds
/// the mistakes in its commands, and reports all of them at once.
package struct Manifest: Sendable {
  /// The text it was read from.
  package internal(set) var source: SourceText
  /// The launch's name; `"launch"` by default.
  package internal(set) var name = "launch"
  /// The launch's time budget.
  package internal(set) var budget: Duration?
  /// The launch's timeout.
  package internal(set) var timeout: Duration?
  /// The sizes of the logs of the steps' output.
  package internal(set) var logs = RotatingFile.Limits()
  /// The rules that say which variables are secret.
  package internal(set) var secretRules = SecretRules()
  /// The values for entries that do not have their own, one for each file; every entry has them already.
  var defaults: [ManifestEntry.Attributes] = []
  /// The variables of the manifest's files; they may be secrets.
  var variables: [String: String] = [:]
  /// The place of the time budget.
  var budgetRange: SourceRange?
  /// The first condition that needs recorded launches, and the place of its key; `nil` if there is none.
  var recordedLaunches: (condition: String, range: SourceRange)?
  /// The entries for `didFinishLaunching`, in order.
  package internal(set) var commands: [ManifestEntry] = []
  /// The entries for other events, in the order of the manifest.
  package internal(set) var events: [ManifestEvent] = []
  /// The mistakes in the manifest's form.
  package internal(set) var problems = Diagnostics()

  /// Reads a manifest.
  ///
  /// - Throws: ``ManifestError`` if the text is not JSON; all other mistakes are in ``problems``.
  package init(parsing source: SourceText) throws(ManifestError) {
    var files = ManifestFiles(source)
    do throws(JSONError) {
      self = try Self(parsing: source, from: 0, &files)
    } catch {
      throw ManifestError(source: source, diagnostics: error.diagnostics)
    }
    self.source = files.source
  }

  /// Reads a manifest's file and the files that it includes.
  ///
  /// - Parameter start: The offset at which the file's places begin.
  init(parsing source: SourceText, from start: Int, _ files: inout ManifestFiles) throws(JSONError) {
    guard !source.isBlank else {
      let help = #"write { "version": 1, "commands": [ … ] }"#
      let problem = Diagnostic.error("the manifest is empty", at: SourceRange(start, start), help: help)
      throw JSONError(source: source, diagnostics: [problem])
    }
    var reader = ManifestReader(document: try JSONDocument(parsing: source, from: start))
    self = reader.read(&files)
  }

  init(empty source: SourceText) {
    self.source = source
  }
}

extension SourceText {
  /// True if it has nothing but white space.
  fileprivate var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}

/// The entries that a manifest lists for an event.
package struct ManifestEvent: Sendable {
  /// The event's name.
  package let name: String
  /// The place of the name.
  package let range: SourceRange
  /// The entries in order.
  package internal(set) var entries: [ManifestEntry]
}

/// All mistakes in a manifest, in the order of the text.
public struct ManifestError: Error, Sendable, CustomStringConvertible {
  /// A mistake in a manifest, with its place.
  public struct Mistake: Sendable, Hashable {
    /// The file: the manifest, or one that it includes.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column in characters, from 1.
    public let column: Int
    /// The message: one line without a full stop.
    public let message: String
    /// The corrections, one line each.
    public let help: [String]
  }

  /// The manifest's text.
  package let source: SourceText
  /// The mistakes and warnings.
  package let diagnostics: [Diagnostic]

  /// Creates an error from the mistakes in a manifest.
  package init(source: SourceText, diagnostics: [Diagnostic]) {
    self.source = source
    self.diagnostics = diagnostics.sortedByPosition()
  }

  /// The manifest's path, or the name that its text was given.
  public var file: String { source.name }

  /// The mistakes, in the order of the text: at least one, and of many the first 100.
  public var mistakes: [Mistake] {
    let files = SourceFiles(source)
    return diagnostics.filter { $0.severity == .error }.map { mistake in
      let place = files.location(of: Int(mistake.range.start))
      return Mistake(
        file: place.file ?? file, line: place.line, column: place.column, message: mistake.message,
        help: mistake.help)
    }
  }

  /// Every problem as `file:line:column: error: …`, with the line and a marker.
  public var description: String {
    DiagnosticRenderer().text(diagnostics, in: source)
  }
}
