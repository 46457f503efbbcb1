import AppBootBase

/// A reader of a manifest's JSON. It continues after a mistake, so that all mistakes are reported at once.
package struct ManifestReader {
  let document: JSONDocument
  var manifest: Manifest
  var reader = ParameterReader()
  private var environmentFiles = EnvironmentFileReader()
  /// The values of `defaults` in this file.
  private var defaults: StepAttributes?

  /// The names of the keys of an entry.
  package static let entryKeys = ManifestEntry.keys.map(\.name)

  init(document: JSONDocument) {
    self.document = document
    manifest = Manifest(empty: document.source)
    for key in document.duplicateKeys { reader.problems.append(at: key.second) { key.diagnostic } }
  }

  /// Reads the manifest, and the files that it includes.
  mutating func read(_ files: inout ManifestFiles) -> Manifest {
    let root = document.root
    let file = reader.object(
      root, Self.keys, into: ManifestFile(manifest: manifest), named: "a manifest",
      unknown: Self.unknownManifestKey)
    if let file {
      manifest = file.manifest
      defaults = manifest.defaults.first
      for path in file.includes where !path.value.isEmpty { include(path.value, at: path.range, &files) }
      read(file)
    } else {
      report(
        "a manifest is an object, not \(root.kind)", root.range,
        help: #"write { "version": 1, "commands": [ … ] }"#)
    }
    manifest.problems = reader.problems
    manifest.unknownValues += reader.unknownValues
    return manifest
  }

  private mutating func read(_ file: ManifestFile) {
    manifest.variables.merge(variables(of: file.environment.files)) { $1 }
    manifest.setVariables.append(file.environment.variables)
    if let commands = file.commands { manifest.commands += entries(of: commands, named: "commands") }
    if let events = file.events {
      for (key, list) in events.members where !key.hasPrefix("x-") {
        let entries = entries(of: list, named: key.string)
        add(ManifestEvent(name: key.string, range: key.range, entries: entries))
      }
    }
    let includesFiles = document.root["include"].map { $0.kind != .array || !$0.elements.isEmpty } ?? false
    // A key that stands for it is a mistake of its own.
    let names = Self.keys.map(\.name)
    let isMeant = document.root.members.map(\.key.string).contains { key in
      key == "command" || key == "run"
        || !key.hasPrefix("x-") && Synonym.suggestion(for: key, among: names) == "commands"
    }
    if !includesFiles, document.root["commands"] == nil, !isMeant {
      report(
        "the manifest has no \"commands\"", document.root.range.opening,
        help: #"add "commands": [ … ], the list of what to run, in order"#)
    }
  }

  // MARK: - Entries

  private mutating func entries(of list: JSONValue, named name: String) -> [ManifestEntry] {
    guard list.kind == .array else {
      report(
        "\"\(name.excerpt)\" must be a list of commands, not \(list.kind)", list.range,
        help: "put it in [ … ]")
      return []
    }
    return list.elements.compactMap { entry($0) }
  }

  /// Reads an entry, which is a command's name or an object. Reports other values, and returns `nil`.
  ///
  /// An entry without a command has the command `""`. Its other mistakes are found too, and other entries can refer to
  /// its id.
  private mutating func entry(_ value: JSONValue) -> ManifestEntry? {
    var entry = ManifestEntry(command: "", range: value.range)
    switch value.kind {
    case .string:
      if let name = reader.read(.command, value, at: .key("command")) { entry.name(name, at: value.range) }
    case .object:
      entry = ManifestEntry(command: "", range: value.range.opening)
      let keys = Self.isShell(value) ? ManifestEntry.shellKeys : ManifestEntry.keys
      entry =
        reader.object(value, keys, into: entry, named: "an entry", unknown: Self.unknownEntryKey) ?? entry
    case .array, .number, .bool, .null:
      report(
        "an entry is a command's name or an object, not \(value.kind)", value.range,
        help: #"write "Appearance", or { "command": "Appearance" }"#)
      return nil
    }
    if !entry.attributes.environment.files.isEmpty {
      entry.attributes.variables = variables(of: entry.attributes.environment.files)
    }
    if let defaults { entry.attributes = entry.attributes.completed(with: defaults) }
    return entry
  }

  /// Returns whether an entry runs a shell command, also if "run" is mistyped.
  private static func isShell(_ entry: JSONValue) -> Bool {
    var hasCommand = false
    for (key, _) in entry.members {
      if key.string == "run" { return true }
      hasCommand = hasCommand || key.string == "command"
    }
    // Most entries have a command, and need no search.
    if hasCommand { return false }
    let known = ManifestEntry.shellKeys.map(\.name)
    return entry.members.contains { key, _ in
      !known.contains(key.string) && Synonym.suggestion(for: key.string, among: known) == "run"
    }
  }

  /// Returns the error for an unknown key of an entry.
  ///
  /// The help depends on the key: another word for running a program, a parameter at the wrong place, or a mistyped
  /// key.
  private static let unknownEntryKey: ObjectKeys.Unknown = { key, range, known in
    if known.contains("run"), key == "command" || key == "with" {
      return .error(
        "an entry cannot have both \"run\" and \"\(key)\"", at: range,
        help:
          #"remove one; without "run": "command": "RunProcess", "with": { "arguments": ["sh", "-c", "…"] }"#
      )
    }
    var problem = Diagnostic.unknownKey(key, range, among: known, of: "an entry")
    if let help = foreignKeys[key] {
      problem.help = [help]
    } else if Synonym.isProgram(key) {
      problem.help = [
        #"a shell command is written as "run": "…""#,
        #"a program without a shell: "command": "RunProcess", "with": { "arguments": [ … ] }"#,
      ]
    } else if problem.help.count == 1, known.contains("run") {
      problem.help.insert(
        #""run" has no parameters: write "command": "RunProcess" or "RunService" with "with": { … }"#, at: 0)
    } else if problem.help.count == 1 {
      problem.help.insert("a parameter of the command is written inside \"with\"", at: 0)
    }
    return problem
  }

  /// The help for keys of other tools whose meaning has another form here.
  private static let foreignKeys = [
    "healthcheck": health, "health": health, "readinessprobe": health, "livenessprobe": health,
    "continue-on-error": continuing, "allow_failure": continuing, "ignore_errors": continuing,
    "port": ports, "ports": ports,
    "restart": #"a process that keeps running is a "command": "RunService", with "with": { "restart": … }"#,
    "scripts": #"write "commands": [{ "id": "build", "run": "npm run build" }]"#,
    "lane": "remove it: each command has a fixed lane, which `appboot commands NAME` shows",
    "parallel": #"write "after": [] to start at once, or "after": ["ID"] to wait for other steps"#,
    "jobs": "for steps write \"commands\": [ … ], for a limit `appboot run --jobs 4`",
  ]

  private static let health =
    #""command": "RunService" has "ready", which the launch waits for, and "live", which detects a hung service"#
  private static let continuing = #"write "onFailure": "continue""#
  private static let ports =
    #"CheckEnvironment has "ports" that must be free, and RunService has "port" and "ports" in "with""#

  /// Returns the error for an unknown key of a manifest; `nil` for the usual one.
  private static let unknownManifestKey: ObjectKeys.Unknown = { key, range, known in
    let isEntry = key == "command" || key == "run"
    let help = isEntry ? #"this is an entry: write { "commands": [ … ] } around it"# : foreignKeys[key]
    return help.map { .error("unknown key \"\(key.excerpt)\" in a manifest", at: range, help: $0) }
  }

  // MARK: - Pieces

  mutating func report(_ message: String, _ range: SourceRange, help: String? = nil) {
    reader.problems.append(.error(message, at: range, help: help))
  }

  /// Returns the variables of environment files. If files have the same variable, the last file counts.
  private mutating func variables(of paths: [Located<String>]) -> [String: String] {
    var variables: [String: String] = [:]
    for (index, path) in paths.enumerated() where !path.value.isEmpty {
      let read = environmentFiles.variables(
        of: path.value, named: "environment.files[\(index)]", beside: document.source.name, at: path.range,
        &reader.problems)
      variables.merge(read) { $1 }
    }
    // Beside another file, an optional one only changes its values.
    if paths.count == 1 {
      manifest.missingFiles += environmentFiles.missing.filter { paths[0].value == $0 + "?" }
    }
    return variables
  }
}

/// The files of a manifest while the manifest is read.
struct ManifestFiles {
  /// The maximum number of files that a manifest can include.
  static let limit = 1000

  /// The manifest's text, with the texts of the files that were included so far.
  private(set) var source: SourceText
  /// The places of the first `include` of each file, by the file's path; `nil` for the manifest itself.
  ///
  /// It is empty until the first `include`: a manifest without includes must not resolve its path.
  private var known: [String: SourceRange?] = [:]
  /// The names of the files that are being read. Each file is included by the one before it.
  private var chain: [String]

  init(_ source: SourceText) {
    self.source = source
    chain = [source.name]
  }

  private static func path(of name: String) -> String { FileSystem.resolve(name) ?? name }

  /// Starts reading an included file. Returns an error if the file was included before, or if there are too many files.
  mutating func begin(_ name: String, at range: SourceRange) -> Diagnostic? {
    if known.isEmpty { known = [Self.path(of: source.name): nil] }
    let path = Self.path(of: name)
    if let first = known[path] {
      if let start = chain.firstIndex(where: { Self.path(of: $0) == path }) {
        let cycle = (chain[start...] + [chain[start]]).joined(separator: " → ")
        let message =
          start == chain.count - 1 ? "this file includes itself" : "these files include each other: \(cycle)"
        return .error(message, at: range, help: "remove it from this \"include\"")
      }
      let problem = Diagnostic.error(
        "\"\(name.excerpt)\" is included twice", at: range, help: "remove it from one \"include\"")
      return first.map { problem.noting("the first time", at: $0) } ?? problem
    }
    guard source.included.count < Self.limit else {
      return .error("more than \(Self.limit) files are included", at: range)
    }
    known[path] = range
    chain.append(name)
    return nil
  }

  /// Adds the text of an included file. Returns the offset of the file's first byte in a ``SourceRange``.
  mutating func add(_ text: SourceText) -> Int {
    let start = source.nextStart
    source.included.append(text)
    return start
  }

  /// Returns whether a file is in the directory of the manifest, or below it. It follows links.
  func isBelowManifest(_ name: String) -> Bool {
    guard let directory = FileSystem.resolve(FileSystem.directory(of: source.name)),
      let path = FileSystem.resolve(name)
    else { return false }
    return path.hasPrefix(directory == "/" ? directory : directory + "/")
  }

  /// Finishes reading the file that was started last.
  mutating func end() { chain.removeLast() }
}

extension ManifestReader {
  /// Reads an included file. Its entries are placed before those of this file, and after those of files included
  /// earlier.
  mutating func include(_ path: String, at range: SourceRange, _ files: inout ManifestFiles) {
    let name = FileSystem.path(path, beside: document.source.name)
    if let problem = files.begin(name, at: range) { return reader.problems.append(problem) }
    defer { files.end() }
    let isBelow = files.isBelowManifest(name)
    if !isBelow, Manifest.includesOnlyBelow, FileSystem.exists(name) {
      return report("\"\(path.excerpt)\" is not read: it is not below the directory of the manifest", range)
    }
    do throws(SystemError) {
      var text = SourceText(name: name, bytes: try FileSystem.readFile(name, waitsForPipe: false))
      guard text.mayBeManifest else {
        return report(
          "\"\(path.excerpt)\" is not a manifest: it does not begin with {", range,
          help: "include files of the form { \"commands\": [ … ] }")
      }
      // Readers of the messages may have no right to read the user's other files.
      text.isShown = isBelow
      let start = files.add(text)
      do throws(JSONError) {
        merge(try Manifest(parsing: text, from: start, &files))
      } catch {
        reader.problems.append(contentsOf: error.diagnostics)
      }
    } catch {
      report(
        "\"\(path.excerpt)\" cannot be read: \(error.reason)", range,
        help: "a path in \"include\" is relative to the directory of its own file")
    }
  }

  private mutating func merge(_ other: Manifest) {
    manifest.commands += other.commands
    for event in other.events { add(event) }
    manifest.variables.merge(other.variables) { $1 }
    manifest.setVariables += other.setVariables
    manifest.missingFiles += other.missingFiles
    manifest.defaults += other.defaults
    manifest.unknownValues += other.unknownValues
    // A variable is secret if the rules of any file match.
    manifest.secretRules.listed += other.secretRules.listed
    manifest.secretRules.patterns += other.secretRules.patterns
    reader.problems.append(contentsOf: other.problems)
  }

  /// Adds the handlers of an event after those that included files have for it.
  mutating func add(_ event: ManifestEvent) {
    if let place = manifest.events.firstIndex(where: { $0.name == event.name }) {
      manifest.events[place].entries += event.entries
    } else {
      manifest.events.append(event)
    }
  }
}

extension Manifest {
  /// The environment variable that, with any value, refuses to include files outside of the manifest's directory.
  package static let onlyBelowVariable = "APPBOOT_INCLUDE_BELOW"

  /// True if a manifest includes only files that are below its directory.
  fileprivate static var includesOnlyBelow: Bool { ProcessEnvironment.value(of: onlyBelowVariable) != nil }
}

extension SourceText {
  /// True if the text begins like an object, after comments, or is empty.
  fileprivate var mayBeManifest: Bool {
    var parser = JSONParser(self, from: 0)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    guard (try? parser.skipSpace()) != nil else { return false }
    return parser.position == bytes.count || parser.byte == UInt8(ascii: "{")
  }
}
