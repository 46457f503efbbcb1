import AppBootBase

/// The values of one file of a manifest. Its entries and the files that it names are not read yet.
package struct ManifestFile: Sendable {
  var manifest: Manifest
  var environment = EnvironmentValues()
  var includes: [Located<String>] = []
  var commands: JSONValue?
  var events: JSONValue?
}

extension ManifestReader {
  /// The version of manifests that this reader can read.
  package static let version = 1

  /// The keys of a manifest.
  package static let keys: [ParameterKey<ManifestFile>] = [
    ParameterKey("$schema", "The schema that an editor checks this file with.", String.parameterType) {
      _, _ in
    },
    ParameterKey("version", "The manifest's version.", versionType) { _, _ in },
    ParameterKey("name", "The launch's name.", String.parameterType) { $0.manifest.name = $1 },
    ParameterKey("budget", "The launch's time budget.", Duration.parameterType.located) {
      ($0.manifest.budget, $0.manifest.budgetRange) = ($1.value, $1.range)
    },
    ParameterKey("timeout", "The launch's timeout.", .timeout) { $0.manifest.timeout = $1 },
    ParameterKey(
      "failFast", "True to stop the running processes when a step fails and no new step starts.",
      Bool.parameterType
    ) { $0.manifest.failsFast = $1 },
    ParameterKey(
      "logs", "Size and age limits for step logs.", .object(LogLimits.keys, new: LogLimits())
    ) { $0.manifest.logs = $1 },
    ParameterKey(
      "history", "The limits of the history of launches.", .object(HistoryLimits.keys, new: HistoryLimits())
    ) { $0.manifest.history = $1 },
    ParameterKey(
      "environment", "Variables for all steps, and files with more variables.", EnvironmentValues.type
    ) { $0.environment = $1 },
    ParameterKey(
      "defaults", "The values for all entries that do not have their own.",
      .object(StepAttributes.defaultKeys, new: StepAttributes(), unknown: withoutDefault)
    ) { $0.manifest.defaults = [$1] },
    ParameterKey(
      "include", "Manifests whose entries come before those of this one, relative to this file.",
      ParameterType.systemText().located.list
    ) { $0.includes = $1 },
    ParameterKey(
      "commands", "The entries to run at launch, in order.",
      .later(.definition("entries", .array(.any)), .array, "a list of commands", help: "put it in [ … ]")
    ) { $0.commands = $1 },
    ParameterKey(
      "on", "The event handlers, by event name.",
      .later(.definition("events", .dictionary(.array(.any))), .object, "an object of events")
    ) { $0.events = $1 },
    ParameterKey(
      "secrets", "The variables whose values are hidden: output and records show *** instead.",
      secretName.list
    ) { $0.manifest.secretRules.listed = $1.filter { !$0.value.isEmpty }.map { ($0.value, $0.range) } },
    ParameterKey(
      "secretPattern",
      "An extended regular expression (grep -E). Variables whose names it matches are secret.", secretPattern
    ) { $0.manifest.secretRules.patterns += $1 },
  ]

  private static var versionType: ParameterType<Int> {
    ParameterType(.integer(minimum: Int64(version), maximum: UInt64(version)), placeholder: version) {
      json, reader in
      guard let number = try? json.integer(as: Int.self) else {
        return reader.reject("must be the number \(version), not \(json.found)", json)
      }
      if number == version { return version }
      return reader.reject(
        "is \(number), but only version \(version) is supported", json,
        help: "write \"version\": \(version), or use a newer AppBoot")
    }
  }

  private static let withoutDefault: ObjectKeys.Unknown = { key, range, known in
    guard entryKeys.contains(key) else { return nil }
    return .error(
      "\"\(key)\" cannot have a default", at: range,
      help: "write it in each entry; defaults are for \(known.joined(separator: ", "))")
  }

  private static var secretName: ParameterType<Located<String>> {
    ParameterType(
      .pattern("^[A-Za-z_][A-Za-z0-9_]*$", describedAs: "a variable's name"),
      placeholder: Located(value: "", range: SourceRange(0, 0))
    ) { json, reader in
      guard let name = reader.text(json) else { return nil }
      var rules = SecretRules()
      rules.add(name: name, of: "secrets", at: json.range, &reader.problems)
      return rules.listed.first.map { Located(value: $0.name, range: $0.range) }
    }
  }

  private static var secretPattern: ParameterType<[RegularExpression]> {
    ParameterType(.nonEmpty(.string), placeholder: []) { json, reader in
      guard let pattern = ParameterType.systemText().read(json, &reader) else { return nil }
      var rules = SecretRules()
      rules.add(pattern: pattern, of: "secretPattern", at: json.range, &reader.problems)
      return rules.patterns.isEmpty ? nil : rules.patterns
    }
  }

}

extension LogLimits {
  static let keys: [ParameterKey<LogLimits>] = [
    ParameterKey("maxSize", "The maximum size of a log file, from 4KiB to 2047MiB. Default: 1MiB.", size) {
      $0.maxSize = $1
    },
    ParameterKey(
      "files", "The maximum number of log files of a step, with the current one. Default: 3.",
      .integer(1...100)
    ) { $0.files = $1 },
    ParameterKey(
      "maxDays", "The age in days after which the logs of a launch are removed. Default: no limit.",
      .integer(HistoryLimits.dayRange)
    ) { $0.maxDays = $1 },
  ]

  private static var size: ParameterType<Int> {
    let schema = ParameterSchema.pattern(
      #"^[0-9]+(\.[0-9]*)?(KiB|MiB|GiB|TiB|kB|KB|MB|GB|TB|B)$"#,
      describedAs: "a size from \"4KiB\" to \"2047MiB\"")
    return ParameterType(schema, placeholder: 0) { json, reader in
      guard let text = json.string else { return nil }
      guard let size = try? ByteSize(parsing: text).bytes, (4096...Int64(Int32.max)).contains(size) else {
        return reader.reject("must be \(schema.description), not \"\(text.excerpt)\"", json)
      }
      return Int(size)
    }
  }
}

extension HistoryLimits {
  static let keys: [ParameterKey<HistoryLimits>] = [
    ParameterKey("keep", "The maximum number of stored launches. Default: 200.", .integer(keepRange)) {
      $0.keep = $1
    },
    ParameterKey(
      "maxDays", "The age in days after which a launch is removed. Default: no limit.", .integer(dayRange)
    ) { $0.maxDays = $1 },
  ]
}

extension ManifestEntry {
  /// The keys of an entry.
  package static let keys: [ParameterKey<ManifestEntry>] =
    [
      ParameterKey(
        "command", "The name of the command. A shell command is written as run.",
        ParameterType.command.located, isRequired: true
      ) { $0.name($1.value, at: $1.range) },
      ParameterKey(
        "id",
        "The entry's name, unique in its list; by default the command's name, or the beginning of run.",
        ParameterType.nonEmptyText.located
      ) { $0.identify($1.value, at: $1.range) },
      ParameterKey(
        "with", "The command's parameters.",
        .later(.dictionary(.any), .object, "an object of parameters")
      ) { $0.parameters = $1 },
      ParameterKey(
        "after", "The ids of the entries that this one runs after; by default the entry above it.", .ids
      ) { $0.after = $1 },
    ]
    + StepAttributes.keys.map { key in
      ParameterKey(key) { entry, read in read(&entry.attributes) }
    }
}

extension ManifestEntry {
  /// The keys of an entry that runs a shell command.
  package static let shellKeys: [ParameterKey<ManifestEntry>] =
    [
      ParameterKey(
        "run", "A shell command (sh -c): the short form of RunProcess.", .shellCommand,
        isRequired: true
      ) { $0.run($1) }
    ] + keys.filter { !["command", "with"].contains($0.name) }
}

extension ParameterType where Value == JSONValue {
  /// The type of shell commands. They have no placeholders but literal ones: a value could contain code.
  fileprivate static var shellCommand: ParameterType {
    let beginning = #"\{(env|launch|step|service)\."#
    // An opening brace comes before a literal placeholder, and a closing brace after it.
    let schema = ParameterSchema.pattern(
      #"^(?!([\s\S]*[^{])?\#(beginning))(?![\s\S]*(\x00|\#(beginning)(?![^{}\n]+\}\})))[\s\S]*\S"#,
      describedAs: "a shell command")
    return ParameterType(schema, placeholder: .null) { json, reader in
      if json.kind == .array {
        return reader.reject(
          "must be a shell command, not an array", json,
          help: #"a program without a shell: "command": "RunProcess", "with": { "arguments": [ … ] }"#)
      }
      guard let text = json.string else { return nil }
      if text.allSatisfy(\.isWhitespace) { return reader.reject("must not be empty", json) }
      if text.utf8.contains(0) { return reader.reject("must not contain a zero byte", json) }
      guard let opening = PlaceholderScanner.ofProcesses.opening(in: text) else { return json }
      return reader.reject(
        "must not contain \(opening)…}: the shell would run a value as code", json,
        help: opening == "{env."
          ? "write \"$NAME\", which the shell expands"
          : #"pass it as a variable: "command": "RunProcess", "with": { "environment": "#
            + "{ \"VALUE\": \"\(opening)…}\" }, \"arguments\": [\"sh\", \"-c\", \"… $VALUE …\"] }")
    }
  }
}

extension ParameterType where Value == String {
  /// The type of command names.
  static var command: ParameterType {
    let text = nonEmptyText
    return ParameterType(.definition("command", .string), placeholder: "", read: text.read)
  }
}

extension ParameterType where Value == [ManifestEntry.Reference] {
  /// The type of lists of ids.
  fileprivate static var ids: ParameterType {
    let ids = ParameterSchema.definition("ids", .anyOf([.string, .array(.string)]))
    return ParameterType(ids, placeholder: []) { json, reader in
      if let id = json.string { return [ManifestEntry.Reference(id: id, range: json.range)] }
      guard String.parameterType.list.read(json, &reader) != nil else {
        let _: Never? = reader.reject(
          "must be an id or a list of ids, not \(json.kind)", json,
          help: "write [] for an entry that waits for nothing")
        // Not the entry above: that could be reported as a cycle.
        return []
      }
      var places: [String: SourceRange] = [:]
      var references: [ManifestEntry.Reference] = []
      for element in json.elements {
        guard let id = element.string else { continue }
        references.append(ManifestEntry.Reference(id: id, range: element.range))
        if let first = places.updateValue(places[id] ?? element.range, forKey: id) {
          reader.problems.append(
            Diagnostic.error("\"after\" names \"\(id.excerpt)\" twice", at: element.range)
              .noting("the first time", at: first))
        }
      }
      return references
    }
  }
}
