package import AppBootBase

/// A manifest as its author wrote it: the entries in order, and the budget and timeout of the launch.
///
/// Reading a manifest finds all mistakes of form. ``StartupCommandsBuilder`` adds the mistakes in its commands, and
/// reports all of them at once.
package struct Manifest: Sendable {
  /// The text of the manifest and of the files that it includes.
  package internal(set) var source: SourceText
  /// The name of the launch; `"launch"` if the manifest has no name.
  package internal(set) var name = "launch"
  /// The time budget of the launch; `nil` for none.
  package internal(set) var budget: Duration?
  /// The timeout of the launch; `nil` for none.
  package internal(set) var timeout: Duration?
  /// The limits of the logs of the steps' output: the size of a file, and the number of files.
  package internal(set) var logs = LogLimits()
  /// The limits of the history of launches.
  package internal(set) var history = HistoryLimits()
  /// The rules that decide which variables are secret.
  package internal(set) var secretRules = SecretRules()
  /// The values of `defaults`, one for each file that has them. The file's entries have already received them.
  package var defaults: [StepAttributes] = []
  /// The variables of the manifest's environment files. They may be secrets.
  package var variables: [String: String] = [:]
  /// The paths of environment files that may be missing, and are.
  var missingFiles: [String] = []
  /// The place of the value of `budget`; `nil` if the manifest has no `budget`.
  package var budgetRange: SourceRange?
  /// The values of unknown keys, which may be secrets.
  var unknownValues: [JSONValue] = []
  /// The entries of `commands`, in order. They run at the event `didFinishLaunching`.
  package internal(set) var commands: [ManifestEntry] = []
  /// The entries of `on` for each event, in the order of the manifest.
  package internal(set) var events: [ManifestEvent] = []
  /// The mistakes in the manifest's form.
  package internal(set) var problems = Diagnostics()

  /// Parses a manifest.
  ///
  /// - Throws: ``PlanError`` if the text is not JSON. All other mistakes are in ``problems``.
  package init(parsing source: SourceText) throws(PlanError) {
    var files = ManifestFiles(source)
    do throws(JSONError) {
      self = try Self(parsing: source, from: 0, &files)
    } catch {
      throw PlanError(source: source, diagnostics: error.diagnostics)
    }
    self.source = files.source
  }

  /// Parses a manifest's file, and reads the files that it includes.
  ///
  /// - Parameter start: The offset of the file's first byte in a ``SourceRange``.
  /// - Throws: ``JSONError`` if the text is not JSON.
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
  /// True if the text contains only white space.
  fileprivate var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}

/// The entries that a manifest lists for one event.
package struct ManifestEvent: Sendable {
  /// The event's name.
  package let name: String
  /// The place of the event's name.
  package let range: SourceRange
  /// The entries, in order.
  package internal(set) var entries: [ManifestEntry]
}
