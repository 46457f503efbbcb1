import AppBoot

/// A writer of the catalogue of commands as JSON.
enum CatalogueJSON {
  static func text(_ commands: [CommandDescription]) -> String {
    var json = JSONWriter(pretty: true)
    json.object { json in
      json.key("commands")
      json.array { json in
        for command in commands { write(command, to: &json) }
      }
    }
    json.endLine()
    return json.text
  }

  private static func write(_ command: CommandDescription, to json: inout JSONWriter) {
    json.object { json in
      json.member("name", command.name)
      json.member("abstract", command.abstract)
      json.member("discussion", command.discussion)
      json.member("lane", command.lane.rawValue)
      json.member("asynchronous", command.isAsynchronous)
      json.member("undoable", command.isUndoable)
      json.member("requires", command.requires)
      json.member("provides", command.provides)
      write(command.parameters, as: "parameters", to: &json)
    }
  }

  private static func write(_ fields: [ParameterField], as key: String, to json: inout JSONWriter) {
    json.key(key)
    json.array { json in
      for field in fields {
        json.object { json in
          json.member("name", field.name)
          json.member("type", field.schema.description)
          json.member("help", field.help)
          json.member("required", field.isRequired)
          if let text = field.defaultText {
            json.member("default", json: text)
          }
          let inner = CatalogueFacts.fields(of: field.schema)
          if !inner.isEmpty { write(inner, as: "fields", to: &json) }
        }
      }
    }
  }
}
