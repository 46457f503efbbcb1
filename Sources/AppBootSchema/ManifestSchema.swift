public import AppBoot

extension CommandRegistry {
  /// Returns the JSON Schema (draft 2020-12) of the manifests that can use these commands.
  ///
  /// It is derived from the declarations with which a manifest is read. It rejects the same mistakes as far as a schema
  /// can. For example, it cannot find duplicate ids, unknown references and cycles.
  public func jsonSchema() -> String {
    JSONWriter.object(pretty: true) { writer in
      writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      writer.member("title", "commands.json")
      writer.member("description", "A launch as a list of commands, for AppBoot.")
      writer.member("type", "object")
      writer.array("anyOf") { writer in
        for key in ["commands", "include"] { writer.object { $0.member("required", [key]) } }
      }
      writer.members(ManifestReader.keys.map(\.field))
      writeDefinitions(to: &writer)
    } + "\n"
  }

  private func writeDefinitions(to writer: inout JSONWriter) {
    writer.object("$defs") { writer in
      writer.object("entries") { $0.arrayBody(of: .definition("entry", .any)) }
      writer.object("events") { $0.objectBody(events) }
      writer.object("duration") { $0.durationBody() }
      writer.object("number") { $0.numberBody() }
      writer.object("timeout") { $0.timeoutBody() }
      writer.object("condition") { writer in
        writer.member("description", "Every key must hold.")
        writer.objectBody(LaunchCondition.keys.map(\.field))
      }
      writer.object("variables") { writer in
        writer.member("type", "object")
        writer.member("minProperties", 1)
        writer.userKeys(others: .string)
      }
      writer.object("unless") { $0.body(of: .oneOf(unlessKeys)) }
      let stop = self["RunProcess"]?.parameters.first { $0.name == "stop" }
      writer.object("stop") { $0.body(of: stop?.schema ?? .dictionary(.any)) }
      writer.object("environment") { writer in
        writer.member("type", "object")
        writer.members([EnvironmentValues.filesField], others: .optional(.string))
        writer.object("propertyNames") { $0.member("pattern", "^(x-.*|[A-Za-z_][A-Za-z0-9_]*)$") }
      }
      writer.object("ids") { writer in
        writer.member("type", ["string", "array"])
        writer.object("items") { $0.member("type", "string") }
        writer.member("uniqueItems", true)
      }
      writer.object("command") { writer in
        // Some validators reject an empty `enum`.
        if commands.isEmpty {
          writer.object("not") { _ in }
        } else {
          writer.member("enum", commands.map(\.name))
        }
      }
      writer.object("entry") { writeEntry(to: &$0) }
      for command in commands {
        writer.object("with.\(command.name)") { $0.body(of: command.parameterSchema) }
      }
    }
  }

  private var events: [ParameterField] {
    listedEvents.map {
      ParameterField(name: $0, schema: .definition("entries", .any), isRequired: false)
    }
  }

  /// The keys of `unless`. Programs need a registered command that can start them.
  private var unlessKeys: [ParameterField] {
    UnlessCondition.keys.map(\.field).filter { $0.name != "command" || startUnlessCheck != nil }
  }

  // MARK: - Entries

  private func writeEntry(to writer: inout JSONWriter) {
    let bare = commands.filter { !$0.requiresParameters }
    writer.array("oneOf") { writer in
      // Some validators reject an empty `enum`.
      if !bare.isEmpty {
        writer.object { writer in
          writer.member("type", "string")
          writer.member("enum", bare.map(\.name))
        }
      }
      writer.object { writeEntryObject(to: &$0) }
      if self["RunProcess"] != nil { writer.object { $0.objectBody(ManifestEntry.shellKeys.map(\.field)) } }
    }
  }

  private func writeEntryObject(to writer: inout JSONWriter) {
    writer.objectBody(ManifestEntry.keys.map(\.field))
    writeParameters(to: &writer)
  }

  /// Writes, for each command, the schema of its `with` and whether `with` is required.
  private func writeParameters(to writer: inout JSONWriter) {
    writer.array("allOf") { writer in
      for command in commands {
        writer.object { writer in
          writer.object("if") { writer in
            writer.object("properties") { writer in
              writer.object("command") { $0.member("const", command.name) }
            }
          }
          writer.object("then") { writer in
            writer.object("properties") { writer in
              writer.object("with") { $0.body(of: .definition("with.\(command.name)", .any)) }
            }
            if command.requiresParameters { writer.member("required", ["with"]) }
          }
        }
      }
    }
  }
}

extension CommandDescription {
  /// True if the command cannot run without parameters.
  package var requiresParameters: Bool {
    (type as? any ParameterChoice.Type)?.isExclusive == true || parameters.contains(where: \.isRequired)
  }
}
