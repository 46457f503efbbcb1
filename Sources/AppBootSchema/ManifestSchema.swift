public import AppBoot

extension CommandRegistry {
  /// Returns the JSON Schema (draft 2020-12) of the manifests that can use these commands.
  ///
  /// It is derived from the declarations with which a manifest is read. It rejects the same mistakes as far as a schema
  /// can. For example, it cannot find duplicate ids, unknown references and cycles.
  public func jsonSchema() -> String {
    var writer = JSONWriter(pretty: true)
    writer.object { writer in
      writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      writer.member("title", "commands.json")
      writer.member("description", "A launch as a list of commands, for AppBoot.")
      writer.member("type", "object")
      writer.key("anyOf")
      writer.array { writer in
        for key in ["commands", "include"] { writer.object { $0.member("required", [key]) } }
      }
      writeRoot(to: &writer)
      writer.userKeys()
      writeDefinitions(to: &writer)
    }
    return writer.text + "\n"
  }

  private func writeRoot(to writer: inout JSONWriter) {
    writer.key("properties")
    writer.object { writer in
      writer.property("$schema", .string, "The schema that an editor checks this file with.")
      writer.key("version")
      writer.object { writer in
        writer.member("description", "The manifest's version.")
        writer.member("const", ManifestReader.version)
      }
      writer.property("name", .string, "The launch's name.")
      writer.property("budget", .duration, "The launch's time budget.")
      writer.reference("timeout", "timeout", "The launch's timeout.")
      writer.property("logs", ManifestReader.logsSchema, "The sizes of the logs of the steps' output.")
      writer.property("history", ManifestReader.historySchema, "The limits of the history of launches.")
      writer.property(
        "secrets", .array(.pattern("^[A-Za-z_][A-Za-z0-9_]*$", describedAs: "a variable's name")),
        "The variables whose values are hidden: output and records show *** instead.")
      writer.property(
        "secretPattern", .nonEmpty(.string),
        "An extended regular expression (grep -E). Variables whose names it matches are secret.")
      writer.reference("environment", "environment", "Files of variables for all steps.")
      writer.key("defaults")
      writer.object { writer in
        writer.member("description", "The values for all entries that do not have their own.")
        writer.member("type", "object")
        writer.key("properties")
        writer.object { writeAttributes(to: &$0) }
        writer.userKeys()
      }
      writer.property(
        "include", .array(.nonEmpty(.string)),
        "Manifests whose entries come before those of this one, relative to this file.")
      writer.reference("commands", "entries", "The entries to run at launch, in order.")
      writeEvents(to: &writer)
    }
  }

  private func writeEvents(to writer: inout JSONWriter) {
    writer.key("on")
    writer.object { writer in
      writer.member("description", "The event handlers, by event name.")
      writer.member("type", "object")
      writer.key("properties")
      writer.object { writer in
        for name in listedEvents { writer.reference(name, "entries") }
      }
      writer.userKeys()
    }
  }

  private func writeDefinitions(to writer: inout JSONWriter) {
    writer.key("$defs")
    writer.object { writer in
      writer.key("entries")
      writer.object { writer in
        writer.member("type", "array")
        writer.key("items")
        writer.object { $0.member("$ref", "#/$defs/entry") }
      }
      writer.key("duration")
      writer.object { $0.durationBody() }
      writer.key("number")
      writer.object { $0.numberBody() }
      writer.key("timeout")
      writer.object { $0.timeoutBody() }
      writer.key("condition")
      writer.object { $0.conditionBody() }
      writer.key("environment")
      writer.object { $0.body(of: ManifestReader.environmentSchema) }
      writer.key("entry")
      writer.object { writeEntry(to: &$0) }
      for command in commands {
        writer.key("with.\(command.name)")
        writer.object { $0.body(of: command.parameterSchema) }
      }
    }
  }

  // MARK: - Entries

  private func writeEntry(to writer: inout JSONWriter) {
    let bare = commands.filter { !$0.requiresParameters }
    writer.key("oneOf")
    writer.array { writer in
      // Some validators refuse an `enum` of nothing.
      if !bare.isEmpty {
        writer.object { writer in
          writer.member("type", "string")
          writer.member("enum", bare.map(\.name))
        }
      }
      writer.object { writeEntryObject(to: &$0) }
    }
  }

  private func writeEntryObject(to writer: inout JSONWriter) {
    writer.member("type", "object")
    writer.member("required", ["command"])
    writer.key("properties")
    writer.object { writer in
      writer.key("command")
      if commands.isEmpty {
        writer.value(false)
      } else {
        writer.object { $0.member("enum", commands.map(\.name)) }
      }
      writer.property(
        "id", .nonEmpty(.string), "The entry's name, unique in its list; by default the command's name.")
      writer.property("with", .object([]), "The command's parameters.", isOpen: true)
      writeAfter(to: &writer)
      writeAttributes(to: &writer)
      writer.property(
        "unless", UnlessCondition.schema(hasPrograms: startNeedCheck != nil),
        "The condition that makes it unnecessary when its turn comes.")
      writer.reference("environment", "environment", "Files of variables for the step.")
      writer.property("comment", .string, "A comment for readers of the file.")
    }
    writer.userKeys()
    writeParameters(to: &writer)
  }

  /// Writes the schema of those keys of an entry that `defaults` can have too.
  private func writeAttributes(to writer: inout JSONWriter) {
    writer.reference("when", "condition", "The condition under which it runs.")
    writer.reference("timeout", "timeout", "The timeout of one attempt.")
    writer.property("retry", RetryPolicy.schema, "The number of attempts, and the wait between them.")
    writer.property(
      "onFailure", .enumeration(FailurePolicy.allCases.map(\.rawValue)),
      "The effect of a failure on the other steps.")
    writer.property("budget", .duration, "The time budget.")
  }

  private func writeAfter(to writer: inout JSONWriter) {
    writer.key("after")
    writer.object { writer in
      writer.member(
        "description", "The ids of the entries that it runs after; by default the entry above it.")
      writer.member("type", "array")
      writer.member("uniqueItems", true)
      writer.key("items")
      writer.object { $0.member("type", "string") }
    }
  }

  /// Writes, for each command, the schema of its `with` and whether `with` is required.
  private func writeParameters(to writer: inout JSONWriter) {
    writer.key("allOf")
    writer.array { writer in
      for command in commands {
        writer.object { writer in
          writer.key("if")
          writer.object { writer in
            writer.key("properties")
            writer.object { writer in
              writer.key("command")
              writer.object { $0.member("const", command.name) }
            }
          }
          writer.key("then")
          writer.object { writer in
            writer.key("properties")
            writer.object { $0.reference("with", "with.\(command.name)") }
            if command.requiresParameters { writer.member("required", ["with"]) }
          }
        }
      }
    }
  }
}

extension UnlessCondition {
  /// Returns the schema of the key `unless`.
  ///
  /// - Parameter hasPrograms: True if a registered command can start programs.
  static func schema(hasPrograms: Bool) -> ParameterSchema {
    let file = ParameterField(
      name: "file", schema: .pattern(#"^(?![\s\S]*\x00)[\s\S]+"#, describedAs: "a string"),
      help: "A file that exists, relative to the manifest's directory.", isRequired: false)
    let program = ParameterField(
      name: "command",
      schema: .nonEmpty(.array(.pattern(#"^(?![\s\S]*\x00)"#, describedAs: "a string"))),
      help: "A program and its arguments, in the manifest's directory, that exits with code 0.",
      isRequired: false)
    return .oneOf(hasPrograms ? [file, program] : [file])
  }
}

extension RetryPolicy {
  /// The schema of the key `retry`.
  static var schema: ParameterSchema {
    .object([
      ParameterField(
        name: "attempts", schema: .integer(minimum: 1, maximum: 1000), help: "The total number of attempts.",
        isRequired: true),
      ParameterField(
        name: "backoff", schema: .duration,
        help: "The wait before the second attempt; doubled before each further one.", isRequired: false),
      ParameterField(name: "maximumBackoff", schema: .duration, help: "The longest wait.", isRequired: false),
    ])
  }
}

extension ManifestReader {
  /// The schema of the key `logs`.
  static var logsSchema: ParameterSchema {
    .object([
      ParameterField(
        name: "maxSize",
        schema: .pattern(
          #"^[0-9]+(\.[0-9]*)?(KiB|MiB|GiB|TiB|kB|KB|MB|GB|TB|B)$"#, describedAs: "a size such as \"1MiB\""),
        help: "The most bytes of a log file, from 4KiB to 2047MiB. Default: 1MiB.", isRequired: false),
      ParameterField(
        name: "files", schema: .integer(minimum: 1, maximum: 100),
        help: "The most files of a step, the current one included. Default: 3.", isRequired: false),
    ])
  }

  /// The schema of the key `history`.
  static var historySchema: ParameterSchema {
    .object([
      ParameterField(
        name: "keep",
        schema: .integer(minimum: 1, maximum: UInt64(HistoryLimits.keepRange.upperBound)),
        help: "The number of launches that are kept. Default: 200.", isRequired: false),
      ParameterField(
        name: "maxDays",
        schema: .integer(minimum: 1, maximum: UInt64(HistoryLimits.dayRange.upperBound)),
        help: "The age in days after which a launch is removed. Default: no limit.", isRequired: false),
    ])
  }

  /// The schema of the key `environment`, which a manifest and an entry can have.
  static var environmentSchema: ParameterSchema {
    .object([
      ParameterField(
        name: "files",
        schema: .array(.pattern(#"^(?![\s\S]*\x00)[\s\S]*[^?][\s\S]*$"#, describedAs: "a path")),
        help: "Files of NAME=VALUE lines, relative to this file. A ? at the end permits a missing file.",
        isRequired: false)
    ])
  }
}
