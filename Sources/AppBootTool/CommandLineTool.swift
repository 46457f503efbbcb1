public import AppBoot
public import AppBootLifecycle
import AppBootSystem

/// The command line as a library: an app's executable gets every subcommand with its own commands.
///
/// ```swift
/// var registry = CommandRegistry(OpenDatabase.self, StartServer.self)
/// registry.register(StockCommands.all)
/// AppBootTool(name: "notes-boot", version: "1.0.0", registry: registry).main()
/// ```
public struct CommandLineTool: Sendable {
  private let context: ToolContext

  /// Creates the tool.
  ///
  /// - Parameters:
  ///   - name: What messages call the executable.
  ///   - version: What `version` prints.
  ///   - registry: The commands that manifests may name.
  ///   - lifecycle: Makes the listeners, responders and windows that hear of the app's events; called by `run`.
  public init(
    name: String = "appboot", version: String, registry: CommandRegistry,
    lifecycle: (@Sendable () -> LifecycleHost.Configuration)? = nil
  ) {
    context = ToolContext(name: name, version: version, registry: registry, lifecycle: lifecycle)
  }

  /// Does what the process's arguments ask for, and ends the process.
  public func main() -> Never {
    let exit: ToolExit
    CurrentProcess.keepStandardDescriptors()
    if let argument = CurrentProcess.argumentNotUTF8 {
      // Its bytes are lost: what is left of it names another file, or none.
      context.report(.usage(.notUTF8(argument)))
      exit = .usage
    } else {
      exit = perform(Array(CommandLine.arguments.dropFirst()))
    }
    if case .signalled(let signal) = exit { Signals.raiseDefault(signal) }
    CurrentProcess.exit(exit.code)
  }

  /// Does what the arguments ask for, and returns the exit code.
  ///
  /// - Parameter arguments: The arguments without the executable's own name.
  public func run(arguments: [String]) -> Int32 { perform(arguments).code }

  private func perform(_ arguments: [String]) -> ToolExit {
    Signals.ignoreBrokenPipes()
    Signals.ignoreFileSizeLimits()
    // Whoever asks what goes on before there is anything to tell of must not end the program.
    Signals.ignore(Signals.user1)
    var exit: ToolExit
    do {
      exit = try dispatch(arguments)
    } catch {
      let error = ToolError(error)
      try? context.output.flush()
      context.report(error)
      exit = error.exit
    }
    do {
      try context.output.flush()
    } catch {
      context.report(.system(error))
      if exit == .succeeded { exit = .preconditionMissing }
    }
    return exit
  }

  private func dispatch(_ arguments: [String]) throws -> ToolExit {
    guard let first = arguments.first else {
      context.errors.write(HelpText(tool: context.name, style: context.errorStyle()).overview())
      return .usage
    }
    switch first {
    case "--help", "-h": return try HelpSubcommand.run(ParsedArguments(), in: context)
    case "--version": return try VersionSubcommand.run(ParsedArguments(), in: context)
    case _ where first.hasPrefix("-") && first != "-":
      throw UsageError.unknownOption(first, subcommand: "", known: ["--help", "--version"])
    default: break
    }
    let subcommand = try Subcommands.require(first)
    var context = context
    context.arguments = arguments
    let parsed = try ArgumentParser.parse(arguments.dropFirst(), for: subcommand)
    guard !parsed.wantsHelp else {
      context.output.write(HelpText(tool: context.name, style: context.outputStyle()).text(of: subcommand))
      return .succeeded
    }
    return try subcommand.run(parsed, in: context)
  }
}
