import AppBootBase

/// A reader of a manifest's JSON. It continues after a mistake, so that all mistakes are reported at once.
package struct ManifestReader {
  let document: JSONDocument
  var manifest: Manifest
  var problems = Diagnostics()
  /// The paths of the files to include, with their places.
  var includes: [(path: String, range: SourceRange)] = []
  /// The entries of `commands` in the included files.
  var includedCommands: [ManifestEntry] = []
  var includedEvents: [ManifestEvent] = []
  var includedVariables: [String: String] = [:]
  var environmentFiles = EnvironmentFileReader()

  /// The version of manifests that this reader can read.
  package static let version = 1
  static let keys =
    [
      "$schema", "version", "name", "budget", "timeout", "logs", "history", "environment", "defaults",
      "include", "commands", "on",
    ] + secretKeys

  init(document: JSONDocument) {
    self.document = document
    manifest = Manifest(empty: document.source)
    for key in document.duplicateKeys { problems.append(at: key.second) { key.diagnostic } }
  }

  /// Reads the manifest, and the files that it includes.
  mutating func read(_ files: inout ManifestFiles) -> Manifest {
    readRoot()
    for (path, range) in includes { include(path, at: range, &files) }
    if !includes.isEmpty { placeIncluded() }
    manifest.problems = problems
    return manifest
  }

  private mutating func readRoot() {
    let root = document.root
    guard root.kind == .object else {
      report(
        "a manifest is an object, not \(root.kind)", root.range,
        help: #"write { "version": 1, "commands": [ … ] }"#)
      return
    }
    var hasCommands = false
    for (key, value) in root.members {
      switch key.string {
      case "$schema": _ = readString(value, "$schema")
      case "version": readVersion(value)
      case "name": if let name = readString(value, "name") { manifest.name = name }
      case "budget":
        manifest.budget = readDuration(value, "budget")
        manifest.budgetRange = value.range
      case "timeout": manifest.timeout = readTimeout(value, "timeout")
      case "logs": readLogs(value)
      case "history": readHistory(value)
      case "secrets": readSecrets(value)
      case "secretPattern": readSecretPattern(value)
      case "environment": manifest.variables = readEnvironment(value)
      case "defaults": readDefaults(value)
      case "include": readIncludes(value)
      case "commands":
        hasCommands = true
        manifest.commands = readEntries(value, of: "commands")
      case "on": readEvents(value)
      case let name:
        checkUnknown(name, key.range, among: Self.keys, of: "a manifest")
      }
    }
    applyDefaults()
    if !hasCommands, includes.isEmpty {
      report(
        "the manifest has no \"commands\"", root.range.opening,
        help: #"add "commands": [ … ], the list of what to run, in order"#)
    }
  }

  private mutating func readVersion(_ value: JSONValue) {
    guard value.kind == .number, let number = try? value.integer(as: Int.self) else {
      report("\"version\" must be the number \(Self.version), not \(value.found)", value.range)
      return
    }
    if number != Self.version {
      report(
        "this manifest has version \(number), and this tool reads only version \(Self.version)", value.range,
        help: "write \"version\": \(Self.version), or use a newer appboot")
    }
  }

  private static let logKeys = ["maxSize", "files"]

  private mutating func readLogs(_ value: JSONValue) {
    guard value.kind == .object else {
      return report(
        "\"logs\" must be an object, not \(value.kind)", value.range,
        help: #"write { "maxSize": "1MiB", "files": 3 }"#)
    }
    for (key, value) in value.members {
      switch key.string {
      case "maxSize":
        guard let text = value.string, let size = try? ByteSize(parsing: text).bytes, size >= 4096,
          size <= Int64(Int32.max)
        else {
          let found = value.string?.quotedExcerpt ?? value.found
          report("\"maxSize\" must be a size from \"4KiB\" to \"2047MiB\", not \(found)", value.range)
          continue
        }
        manifest.logs.maxSize = Int(size)
      case "files":
        if let count = readCount(value, "files", 1...100) { manifest.logs.files = count }
      case let name: checkUnknown(name, key.range, among: Self.logKeys, of: "\"logs\"")
      }
    }
  }

  private mutating func readEvents(_ value: JSONValue) {
    guard value.kind == .object else {
      return report("\"on\" must be an object of events, not \(value.kind)", value.range)
    }
    for (key, list) in value.members where !key.hasPrefix("x-") {
      let entries = readEntries(list, of: key.string)
      manifest.events.append(ManifestEvent(name: key.string, range: key.range, entries: entries))
    }
  }

  private mutating func readEntries(_ value: JSONValue, of list: String) -> [ManifestEntry] {
    guard value.kind == .array else {
      report(
        "\"\(list)\" must be a list of commands, not \(value.kind)", value.range, help: "put it in [ … ]")
      return []
    }
    var entries: [ManifestEntry] = []
    entries.reserveCapacity(value.elements.count)
    for element in value.elements { readEntry(element, into: &entries) }
    return entries
  }

  // MARK: - Pieces

  mutating func report(_ message: String, _ range: SourceRange, help: String? = nil) {
    problems.append(.error(message, at: range, help: help))
  }

  mutating func readString(_ value: JSONValue, _ key: String) -> String? {
    if let text = value.string { return text }
    report("\"\(key)\" must be a string, not \(value.kind)", value.range)
    return nil
  }

  /// Reads a string for a system call. Reports a string that is empty or has a zero byte, and returns `nil`.
  ///
  /// A system call would end the string at the zero byte.
  ///
  /// - Parameter isEmptyAllowed: True to accept an empty string.
  mutating func readText(_ value: JSONValue, _ key: String, isEmptyAllowed: Bool = false) -> String? {
    guard let text = readString(value, key) else { return nil }
    guard isEmptyAllowed || !text.isEmpty else {
      report("\"\(key)\" must not be empty", value.range)
      return nil
    }
    guard !text.utf8.contains(0) else {
      report("\"\(key)\" must not contain a zero byte", value.range)
      return nil
    }
    return text
  }

  mutating func readDuration(_ value: JSONValue, _ key: String) -> Duration? {
    guard let text = value.string else {
      let help = value.kind == .number ? DurationTextError.units(for: value.found) : nil
      report("\"\(key)\" must be a duration such as \"250ms\", not \(value.kind)", value.range, help: help)
      return nil
    }
    do {
      return try DurationText.parse(text)
    } catch {
      problems.append(.durationProblem(error, key, value.range))
      return nil
    }
  }

  /// Reads a timeout. Reports a value that is not a duration greater than zero, and returns `nil`.
  mutating func readTimeout(_ value: JSONValue, _ key: String) -> Duration? {
    guard let timeout = readDuration(value, key) else { return nil }
    guard timeout > .zero else {
      report("\"\(key)\" must be greater than zero", value.range, help: "remove it for no timeout")
      return nil
    }
    return timeout
  }

  /// Reports an unknown key. A custom key, which begins with `x-`, is not reported.
  ///
  /// - Parameter change: A function that changes the error, for example its help.
  mutating func checkUnknown(
    _ name: String, _ range: SourceRange, among known: [String], of what: String,
    _ change: (inout Diagnostic) -> Void = { _ in }
  ) {
    guard !name.hasPrefix("x-") else { return }
    problems.append(at: range) {
      var problem = Diagnostic.unknownKey(name, range, among: known, of: what)
      change(&problem)
      return problem
    }
  }
}

extension Diagnostic {
  /// Returns the error for an unknown key. The error suggests a known key that is close to it, if there is one.
  static func unknownKey(_ name: String, _ range: SourceRange, among known: [String], of what: String)
    -> Diagnostic
  {
    var help: [String] = []
    if let match = Synonym.of(name, among: known) ?? ClosestName.to(name, among: known) {
      help.append("did you mean \"\(match)\"?")
    }
    let list = known.isEmpty ? "it has no keys" : "its keys are \(known.joined(separator: ", "))"
    help.append("\(list); custom keys begin with \"x-\"")
    return Diagnostic(.error, "unknown key \"\(name.excerpt)\" in \(what)", at: range, help: help)
  }
}

extension Diagnostic {
  /// Returns the error for a key of an entry that was written among the command's parameters.
  static func misplacedKey(_ name: String, _ range: SourceRange, in what: String) -> Diagnostic {
    .error(
      "\"\(name)\" is not a parameter of \(what)", at: range,
      help: "it belongs to the entry: write it beside \"with\"")
  }
}

extension String {
  fileprivate var quotedExcerpt: String { "\"\(excerpt)\"" }
}

extension JSONValue {
  /// The value for an error message: a number as it is written, any other value as its kind.
  var found: String { kind == .number ? text.excerpt : kind.description }
}

extension Manifest {
  /// Returns whether a text looks like a file that a launch reads: a manifest, a file that one includes, or an
  /// environment file.
  package static func isInput(_ source: SourceText) -> Bool {
    guard let root = try? JSONDocument(parsing: source).root else {
      let file = EnvironmentFile(parsing: source.bytes)
      return file.problems.isEmpty && !file.variables.isEmpty
    }
    let keys = root.members.map(\.key.string)
    return keys.contains("commands") || keys.contains("include")
      || !keys.isEmpty && keys.allSatisfy(ManifestReader.keys.contains)
  }
}
