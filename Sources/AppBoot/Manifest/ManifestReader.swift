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
  static let entryKeys = ManifestEntry.keys.map(\.name)

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
    manifest.variables.merge(variables(of: file.environmentFiles)) { $1 }
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
      let keys = value["run"] == nil ? ManifestEntry.keys : ManifestEntry.shellKeys
      entry =
        reader.object(value, keys, into: entry, named: "an entry", unknown: Self.unknownEntryKey) ?? entry
    case .array, .number, .bool, .null:
      report(
        "an entry is a command's name or an object, not \(value.kind)", value.range,
        help: #"write "Appearance", or { "command": "Appearance" }"#)
      return nil
    }
    if !entry.attributes.environmentFiles.isEmpty {
      entry.attributes.variables = variables(of: entry.attributes.environmentFiles)
    }
    if let defaults { entry.attributes = entry.attributes.completed(with: defaults) }
    return entry
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
    #"CheckEnvironment has "ports", and RunService has "ready": { "tcp": "HOST:PORT" }"#

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
    if paths.count == 1 { manifest.missingFiles += environmentFiles.missing }
    return variables
  }
}

extension Manifest {
  /// Returns whether a document has the entries of a manifest, or includes files that have them.
  package static func hasEntries(_ root: JSONValue) -> Bool { (root["commands"] ?? root["include"]) != nil }
}
