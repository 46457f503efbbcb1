import AppBoot
import AppBootSystem

/// The processes of a Procfile, as foreman, overmind and Heroku read it: a line `NAME: COMMAND` for each.
struct Procfile {
  struct Process {
    let name: String
    let command: String
  }

  /// The process that Heroku runs to its end before it starts the others.
  private static let first = "release"
  /// The port of the first process, and the difference to the next one, as foreman gives them out.
  private static let (port, step) = (5000, 100)

  private(set) var processes: [Process] = []

  /// Reads the text of a Procfile.
  ///
  /// - Throws: ``ToolError`` that names the line of a mistake.
  init(parsing text: String, named file: String) throws(ToolError) {
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
        throw ToolError("\(place): there are two processes \"\(name)\"")
      }
      processes.append(Process(name: name, command: command))
    }
    guard !processes.isEmpty else { throw ToolError("\"\(file)\" has no process: a line is NAME: COMMAND") }
  }

  private static func error(_ place: String) -> ToolError {
    ToolError(
      "\(place): not a line NAME: COMMAND of a Procfile",
      help: "--from reads a Procfile; for other tools, Docs/coming-from.md has each key beside its own")
  }

  /// Returns a manifest that starts all processes at once, or after the process `release`.
  ///
  /// - Parameter variables: The text of the file `.env` beside the Procfile; `nil` if there is none.
  func manifest(variables: String?) -> String {
    let port = variables.flatMap(Self.port) ?? Self.port
    let release = processes.first { $0.name == Self.first }
    let after = release == nil ? "[]" : "[\"\(Self.first)\"]"
    let services = processes.enumerated().filter { $0.element.name != Self.first }.map { index, process in
      let usesPort = process.command.contains("$PORT") || process.command.contains("${PORT")
      let number = "\(port + index * Self.step)".asJSON
      let words = Self.arguments(process.command).map(\.asJSON).joined(separator: ", ")
      return """
            {
              "command": "RunService",
              "id": \(process.name.asJSON),
              "after": \(after),\(usesPort ? "\n      \"environment\": { \"PORT\": \(number) }," : "")
              "with": { "arguments": [\(words)] }
            }
        """
    }
    let step = release.map { "    { \"id\": \"\(Self.first)\", \"run\": \($0.command.asJSON) }" }
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
    let isPlain = command.utf8.allSatisfy { $0.isWord || " -./:,@+%".utf8.contains($0) }
    return isPlain ? command.split(separator: " ").map(String.init) : ["sh", "-c", command]
  }

  /// Returns the number that a file of variables has for `PORT`; `nil` if it has none.
  private static func port(in variables: String) -> Int? {
    let values = variables.split(whereSeparator: \.isNewline).compactMap { line in
      line.hasPrefix("PORT=") ? Int(String(line.dropFirst(5)).trimmed) : nil
    }
    return values.last
  }
}
