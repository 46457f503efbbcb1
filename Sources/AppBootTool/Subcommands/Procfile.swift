import AppBoot

/// The processes of a Procfile, as foreman, overmind and Heroku read it: a line `NAME: COMMAND` for each.
struct Procfile {
  struct Process {
    let name: String
    let command: String
  }

  /// The process that Heroku runs to its end before it starts the others.
  private static let first = "release"
  /// The port of the first process, and the difference to the next one, as foreman assigns them.
  private static let (port, step) = (5000, 100)

  /// The first words that only a shell understands (POSIX, 2.15).
  private static let builtins = [
    ".", ":", "cd", "eval", "exec", "export", "if", "set", "source", "trap", "ulimit", "umask", "until",
    "wait", "while",
  ]

  private(set) var processes: [Process] = []

  /// Reads the text of a Procfile.
  ///
  /// - Throws: ``ToolError`` that names the line of a mistake.
  init(parsing text: String, named file: String) throws(ToolError) {
    let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let line = String(line).trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      let place = "\(file):\(index + 1)"
      guard let colon = line.firstIndex(of: ":") else { throw Self.error(place) }
      let name = String(line[..<colon]).trimmed
      let command = String(line[line.index(after: colon)...]).trimmed
      let isName = name.utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: "-") }
      guard !name.isEmpty, isName, !command.isEmpty else { throw Self.error(place) }
      guard !processes.contains(where: { $0.name == name }) else {
        throw ToolError("\(place): there are two processes \"\(name)\": rename one")
      }
      processes.append(Process(name: name, command: command))
    }
    guard !processes.isEmpty else {
      throw ToolError("\"\(file)\" has no process: write a line NAME: COMMAND for each")
    }
  }

  private static func error(_ place: String) -> ToolError {
    ToolError(
      "\(place): expected NAME: COMMAND",
      help: "--from reads a Procfile; for other tools, Docs/coming-from.md maps their keys to a manifest's")
  }

  /// Returns a manifest that starts all processes at once, or after the process `release`.
  ///
  /// - Parameter variables: The text of the file `.env` next to the Procfile; `nil` without one.
  func manifest(variables: String?) -> String {
    let port = variables.flatMap(Self.port) ?? Self.port
    let release = processes.first { $0.name == Self.first }
    let after = release == nil ? "[]" : "[\"\(Self.first)\"]"
    let services = processes.enumerated().filter { $0.element.name != Self.first }.map { index, process in
      let number = "\(port + index * Self.step)".asJSON
      let words = Self.arguments(process.command).map(\.asJSON).joined(separator: ", ")
      return """
            {
              "command": "RunService",
              "id": \(process.name.asJSON),
              "after": \(after),
              "environment": { "PORT": \(number) },
              "with": { "arguments": [\(words)] }
            }
        """
    }
    let step = release.map {
      "    { \"id\": \"\(Self.first)\", \"run\": \(Self.literal($0.command).asJSON) }"
    }
    let files = variables == nil ? "" : "  \"environment\": { \"files\": [\".env\"] },\n"
    return """
      {
        "$schema": "commands.schema.json",
        "version": 1,
      \(files)  "commands": [
      \(([step].compactMap(\.self) + services).joined(separator: ",\n"))
        ]
      }

      """
  }

  /// Returns the words of a command, or a shell with it if a shell would change them.
  private static func arguments(_ command: String) -> [String] {
    let command = literal(command)
    let isPlain = command.utf8.allSatisfy { $0.isWord || " -./:,@+%".utf8.contains($0) }
    let words = command.split(separator: " ").map(String.init)
    return isPlain && !builtins.contains(words[0]) ? words : ["sh", "-c", command]
  }

  /// Returns a text in which no braces are placeholders.
  private static func literal(_ text: String) -> String {
    text.replacing(/\{(env|launch|step|service)\.[^{}\n]+\}/) { "{\($0.output.0)}" }
  }

  /// Returns the value of `PORT` in a file of variables; `nil` if it is not a number or missing.
  private static func port(in variables: String) -> Int? {
    EnvironmentFile(parsing: Array(variables.utf8)).variables["PORT"].flatMap { Int($0) }
  }
}
