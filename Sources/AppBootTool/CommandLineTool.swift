public import AppBoot
public import AppBootLifecycle
import AppBootSystem

/// The command line of AppBoot as a library. An app's executable gets all subcommands, with its own commands.
///
/// ```swift
/// var registry = CommandRegistry(OpenDatabase.self, StartServer.self)
/// registry.register(StockCommands.all)
/// CommandLineTool(name: "notes-launch", version: "1.0.0", registry: registry).main()
/// ```
public struct CommandLineTool: Sendable {
  private var context: ToolContext

  /// Creates the tool.
  ///
  /// - Parameters:
  ///   - name: The executable's name in messages.
  ///   - version: The output of `version`.
  ///   - registry: The commands that manifests can use.
  ///   - observers: The observers, which receive the events of each launch and of the handlers after it.
  ///   - subcommands: The app's own subcommands.
  ///   - lifecycle: A function that makes the listeners, responders and windows for the app's events. `run` calls it.
  public init(
    name: String = "appboot", version: String, registry: CommandRegistry,
    observers: [any LaunchObserver] = [], subcommands: [ToolSubcommand] = [],
    lifecycle: (@Sendable () -> LifecycleHost.Configuration)? = nil
  ) {
    context = ToolContext(name: name, version: version, registry: registry, lifecycle: lifecycle)
    context.observers = observers
    context.ownSubcommands = subcommands
  }

  /// Creates the tool of a plan that is written in code. Its subcommands use the plan if no argument names a manifest.
  ///
  /// ```swift
  /// CommandLineTool(name: "notes-launch", version: "1.0.0", plan: makePlan).main()
  /// ```
  ///
  /// - Parameters:
  ///   - name: The executable's name in messages.
  ///   - version: The output of `version`.
  ///   - plan: A function that makes the plan. State, variables and selection of the arguments apply to the plan.
  ///   - registry: The commands of manifests that arguments name.
  ///   - observers: The observers, which receive the events of each launch and of the handlers after it.
  ///   - subcommands: The app's own subcommands.
  ///   - lifecycle: A function that makes the listeners, responders and windows for the app's events. `run` calls it.
  public init(
    name: String = "appboot", version: String, plan: @escaping @Sendable () throws -> LaunchPlan,
    registry: CommandRegistry = CommandRegistry(), observers: [any LaunchObserver] = [],
    subcommands: [ToolSubcommand] = [], lifecycle: (@Sendable () -> LifecycleHost.Configuration)? = nil
  ) {
    self.init(
      name: name, version: version, registry: registry, observers: observers, subcommands: subcommands,
      lifecycle: lifecycle)
    context.plan = plan
  }

  /// Runs the subcommand in the process's arguments, and ends the process.
  ///
  /// It runs on the calling thread. On the main thread it also runs the jobs of the main actor.
  @available(*, noasync, message: "use await run()")
  public func main() -> Never { end(performArguments()) }

  /// Runs the subcommand in the process's arguments, and ends the process.
  ///
  /// It runs on a separate thread, and the main actor is free for the steps of the main lane and for other tasks.
  public func run() async -> Never { end(await onThread { performArguments() }) }

  private func performArguments() -> ToolExit {
    CurrentProcess.keepStandardDescriptors()
    guard !CurrentProcess.isSetUserID else {
      // A manifest is code.
      context.report(
        ToolError(
          "this executable is set-user-ID or set-group-ID, which would give its rights to every manifest",
          help: "remove that permission: chmod ug-s FILE"))
      return .preconditionMissing
    }
    if let argument = CurrentProcess.argumentNotUTF8 {
      // The repaired text would name another file, or a missing one.
      context.report(UsageError.notUTF8(argument))
      return .usage
    }
    var tool = self
    tool.context.ownsProcess = true
    return tool.perform(Array(CurrentProcess.arguments.dropFirst()))
  }

  private func end(_ exit: ToolExit) -> Never {
    if exit == .succeeded {
      GroupWatcher.end()
    } else {
      Subreaper.endDescendants(grace: LaunchRunner.Configuration.defaultGrace)
    }
    if case .signalled(let signal) = exit { Signals.raiseDefault(signal) }
    CurrentProcess.exit(exit.code)
  }

  /// Runs the subcommand in the arguments on the calling thread, and returns the exit code.
  ///
  /// - Parameter arguments: The arguments without the executable's name. `check` needs the last ones of the process.
  @available(*, noasync, message: "use await run(arguments:)")
  public func runBlocking(arguments: [String]) -> Int32 { perform(arguments).code }

  /// Runs the subcommand in the arguments on a thread of its own, and returns the exit code.
  ///
  /// - Parameter arguments: The arguments without the executable's name. `check` needs the last ones of the process.
  public func run(arguments: [String]) async -> Int32 { await onThread { perform(arguments).code } }

  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      // The stack of a main thread.
      let thread = try? Thread.start(name: "appboot-tool", stackSize: 8 << 20) {
        continuation.resume(returning: body())
      }
      if thread == nil { continuation.resume(returning: body()) }
    }
  }

  private func perform(_ arguments: [String]) -> ToolExit {
    var context = context
    context.log = DetachedLog.ofThis()
    if arguments.contains("--") { context.inheritedSignals = .current() }
    Signals.ignoreBrokenPipes()
    Signals.ignoreFileSizeLimits()
    // A USR1 that comes before the launch must not end the process.
    Signals.ignore(Signals.user1)
    // The runtime's backtracer would catch a QUIT that comes before the launch, and the process would continue.
    for signal in Signals.terminating where signal == Signals.quit || Subreaper.isFirstProcess {
      if !Signals.isIgnored(signal) { Signals.restoreDefault(signal) }
    }
    var exit: ToolExit
    var reported: SystemError?
    do {
      exit = try Self.dispatch(arguments, in: context)
    } catch {
      try? context.output.flush()
      context.report(error)
      reported = error as? SystemError
      exit = error.reportable.exit
    }
    do {
      try context.output.settle()
    } catch {
      if error != reported { context.report(error) }
      if exit == .succeeded { exit = .preconditionMissing }
    }
    context.warnOfDroppedOutput()
    do {
      try context.errors.settle()
    } catch {
      // Messages were lost, and nothing can say so but the exit code.
      if exit == .succeeded { exit = .preconditionMissing }
    }
    return exit
  }

  private static func dispatch(_ arguments: [String], in context: ToolContext) throws -> ToolExit {
    let names = Subcommands.all.map { $0.name } + context.ownSubcommands.map(\.name)
    if let name = names.enumerated().first(where: { names[..<$0.offset].contains($0.element) })?.element {
      throw UsageError.takenSubcommand(name)
    }
    var context = context
    context.arguments = arguments
    var arguments = arguments[...]
    while arguments.first == "-C" {
      guard let directory = arguments.dropFirst().first else {
        throw UsageError.missingValue(option: "-C", placeholder: "DIR")
      }
      try FileSystem.changeDirectory(to: directory)
      arguments = arguments.dropFirst(2)
    }
    guard let first = arguments.first else {
      let help = HelpText(tool: context.name, style: context.errorStyle)
      context.errors.write(help.overview(context.ownSubcommands))
      return .usage
    }
    switch first {
    case "--help", "-h": return try HelpSubcommand.run(ParsedArguments(), in: context)
    case "--version": return try VersionSubcommand.run(ParsedArguments(), in: context)
    case _ where first.hasPrefix("-") && first != "-":
      throw UsageError.unknownOption(first, subcommand: "", known: ["-C", "--help", "--version"])
    default: break
    }
    if let own = context.ownSubcommands.first(where: { $0.name == first }) {
      guard !["--help", "-h"].contains(arguments.dropFirst().first) else {
        context.output.write(HelpText(tool: context.name, style: context.outputStyle).text(of: own))
        return .succeeded
      }
      return run(own, Array(arguments.dropFirst()), in: context)
    }
    let subcommand = try Subcommands.require(first, besides: context.ownSubcommands.map(\.name))
    let takesManifest = subcommand.operands.contains { $0.name == Operand.manifest.name }
    let parsed: ParsedArguments
    do {
      parsed = try ArgumentParser.parse(arguments.dropFirst(), for: subcommand)
    } catch {
      if takesManifest, context.plan == nil { context.learnSecrets(of: ParsedArguments().manifest()) }
      throw error
    }
    guard !parsed.wantsHelp else {
      context.output.write(HelpText(tool: context.name, style: context.outputStyle).text(of: subcommand))
      return .succeeded
    }
    context.color = parsed.color
    let takesSteps = subcommand.operands.contains { $0.name == Operand.steps.name }
    var resolved =
      takesManifest ? try parsed.resolved(takesSteps: takesSteps, subcommand: subcommand.name) : parsed
    resolved.hasPlan = context.plan != nil
    do {
      return try subcommand.run(resolved, in: context)
    } catch {
      if takesManifest, !resolved.usesPlan { context.learnSecrets(of: resolved.manifest()) }
      throw error
    }
  }

  /// Runs a subcommand of the app on the main actor, and serves the main actor meanwhile.
  private static func run(
    _ subcommand: ToolSubcommand, _ arguments: [String], in context: ToolContext
  ) -> ToolExit {
    guard !MainQueue.isBlockedByCaller else {
      context.report(SubcommandBlocked(subcommand: subcommand.name))
      return .commandFailed
    }
    let loop = MainLoop()
    let exit = Lock(ToolExit.commandFailed)
    // Start the task inside the loop, which then receives the main actor's jobs.
    loop.execute {
      Task { @MainActor in
        do {
          let code = try await subcommand.run(arguments)
          exit.withLock { $0 = .own(code) }
        } catch {
          context.report(error)
        }
        loop.stop()
      }
    }
    loop.run()
    return exit.withLock(\.self)
  }
}
