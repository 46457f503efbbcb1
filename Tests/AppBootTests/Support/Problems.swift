import AppBoot
import AppBootSchema

/// Everything that is said of a manifest, each as `line:column: message | help @ line:column: note`.
func problems(in text: String, _ registry: CommandRegistry) -> [String] {
  let source = SourceText(name: "commands.json", text: text)
  let found: [Diagnostic]
  do {
    let manifest = try Manifest(parsing: source)
    found = StartupCommandsBuilder(manifest: manifest, registry: registry).problems().shown
  } catch {
    found = error.diagnostics
  }
  let lines = SourceLines(source)
  return found.map { problem in
    let head = "\(lines.location(of: Int(problem.range.start))): \(problem.message)"
    let notes = problem.notes.map { " @ \(lines.location(of: Int($0.range.start))): \($0.message)" }
    return head + problem.help.map { " | \($0)" }.joined() + notes.joined()
  }
}

/// Returns a manifest of one command whose `with` begins at 2:1.
func manifest(of command: any Command.Type, with parameters: String) -> String {
  "{ \"commands\": [{ \"command\": \"\(command.name)\", \"with\":\n\(parameters)\n}] }"
}

/// Returns the problems with a command's parameters, whose text begins at 2:1.
func problems(of command: any Command.Type, with parameters: String) -> [String] {
  problems(in: manifest(of: command, with: parameters), CommandRegistry(command))
}

/// The command that a manifest with these parameters makes.
func decoded<Kind: Command>(_ command: Kind.Type, with parameters: String) throws -> Kind {
  let text = SourceText(name: "commands.json", text: manifest(of: command, with: parameters))
  let plan = try StartupCommandsBuilder(
    manifest: Manifest(parsing: text), registry: CommandRegistry(command)
  ).build()
  guard let found = plan.commands[0] as? Kind else { throw NoSuchCommand() }
  return found
}

/// The plan that a manifest makes.
func plan(
  _ text: String, _ registry: CommandRegistry,
  _ change: (StartupCommandsBuilder) -> StartupCommandsBuilder = { $0 }
) throws -> LaunchPlan {
  let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: text))
  return try change(StartupCommandsBuilder(manifest: manifest, registry: registry)).build()
}

struct NoSuchCommand: Error {}

/// Does nothing; for tests of what stands around a command.
struct Plain: Command {
  func execute(in context: LaunchContext) {}
}

/// Does nothing as well.
struct Other: Command {
  func execute(in context: LaunchContext) {}
}
