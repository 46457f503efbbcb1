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
  /// True if a failure that stops the launch also stops the processes that run.
  package internal(set) var failsFast = false
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
  /// The variables that each `environment` sets or removes, with their placeholders. They may be secrets.
  ///
  /// The variables of included files come first. The last `environment` that sets a variable has priority. Its
  /// placeholders see the variables before it.
  var setVariables: [[String: Located<String?>]] = []
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

/// An entry of a manifest: the name of a command, and the rules for how and when it runs.
package struct ManifestEntry: Sendable {
  /// The name of the command.
  package private(set) var command: String
  /// The place of the command's name.
  package private(set) var commandRange: SourceRange
  /// The id of the step: the entry's `id`, or else the name of the command.
  package private(set) var id: String
  /// The place of the `id`, or of the command's name if the entry has no `id`.
  package private(set) var idRange: SourceRange
  /// The value of `with`, which is an object; `nil` if the entry has no `with`.
  package internal(set) var parameters: JSONValue?
  /// The ids of the steps that must come before the entry; `nil` for the step of the entry above.
  package internal(set) var after: [Reference]?
  /// The values of the rare keys, including the defaults.
  package internal(set) var attributes = StepAttributes()
  /// The command of an entry in a plan that is written in code; `nil` for an entry of a manifest.
  var code: (any Command)?
  /// The function that starts the program of `unless` for a step in code; `nil` for a registered one.
  var startUnlessCheck: UnlessCheckStart?

  /// An id in the list of `after`, with its place.
  package struct Reference: Sendable {
    /// The id.
    package let id: String
    /// The place of the id.
    package let range: SourceRange
  }

  init(command: String, range: SourceRange) {
    self.command = command
    commandRange = range
    id = command
    idRange = range
  }

  /// Sets the name of the command. If the entry has no `id`, the name is also the step's id.
  mutating func name(_ command: String, at range: SourceRange) {
    if idRange == commandRange { (id, idRange) = (command, range) }
    (self.command, commandRange) = (command, range)
  }

  /// Makes the entry run a shell command with `RunProcess`. If the entry has no `id`, the beginning of the
  /// command is the step's id.
  mutating func run(_ script: JSONValue) {
    let text = script.string ?? ""
    name("RunProcess", at: script.range)
    if idRange == commandRange { id = text.beginning }
    parameters = script.wrapped(in: "arguments", asList: ["sh", "-c", text])
  }

  /// Sets the step's id.
  mutating func identify(_ id: String, at range: SourceRange) {
    (self.id, idRange) = (id, range)
  }
}

extension String {
  /// The first line, up to the last word that ends within 32 characters; the first 32 characters of a longer word.
  fileprivate var beginning: String {
    let line = drop { $0.isWhitespace }.prefix { !$0.isNewline }
    var beginning = line.prefix(32)
    if beginning.count < line.count, !line[beginning.endIndex].isWhitespace,
      let space = beginning.lastIndex(where: \.isWhitespace)
    {
      beginning = beginning[..<space]
    }
    while beginning.last?.isWhitespace == true { beginning.removeLast() }
    return String(beginning)
  }
}

extension Manifest {
  /// Reads a manifest from a file. The path `-` is standard input.
  ///
  /// - Throws: ``ManifestUnreadable`` if the file cannot be read; ``PlanError`` if it is not JSON.
  package init(reading path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try path == "-" ? FileSystem.readStandardInput() : FileSystem.readFile(path)
    } catch {
      throw ManifestUnreadable(path: path, reason: error.description, isMissing: error.isNotFound)
    }
    try self.init(parsing: SourceText(name: path == "-" ? SourceText.standardInput : path, bytes: bytes))
  }
}

/// An error that reports that the file of a manifest cannot be read.
public struct ManifestUnreadable: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The system's message, which names the file.
  public let reason: String
  /// True if the file does not exist.
  public let isMissing: Bool

  /// Creates the error, for a test of the code that catches it.
  public init(path: String, reason: String, isMissing: Bool) {
    (self.path, self.reason, self.isMissing) = (path, reason, isMissing)
  }

  /// The same text as ``reason``.
  public var description: String { reason }
}
