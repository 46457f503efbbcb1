import AppBoot
import AppBootSystem

/// A subcommand that runs the ``GroupWatcher`` of a launch.
enum GroupWatch: Subcommand {
  static let name = "watch-groups"
  static let abstract = "Kills the processes of a launch that was killed; the tool starts it."

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    GroupWatcher.watchStandardInput()
    return .succeeded
  }
}

extension ToolContext {
  /// Puts a keeper above this process if the plan starts processes. Call it before the first thread starts.
  ///
  /// If this system or process cannot have a keeper, starts a ``GroupWatcher`` instead.
  ///
  /// The first process of a container needs a keeper in any case, because it must reap orphans and ignores signals
  /// without a handler.
  ///
  /// - Parameter isIsolated: True to first move this process into a PID namespace.
  func keep(_ plan: StartupPlan, isIsolated: Bool = false) throws {
    if isIsolated {
      guard allowsKeeper else { throw Isolation.Failure.notDivisible }
      try Isolation.start()
    }
    guard allowsKeeper, plan.startsProcesses || Keeper.isFirstProcess else { return }
    if try Keeper.start(ownsChildren: !runsCodeOfApp) || !plan.startsProcesses { return }
    // If this executable cannot be found again, there is no watcher.
    guard let relaunch = try? Relaunch(arguments: arguments) else { return }
    do throws(SpawnError) {
      try GroupWatcher.start(relaunch.command([GroupWatch.name]))
    } catch {
      warn("if this process is killed, the processes of its steps continue to run: \(error)")
    }
  }
}

extension StartupPlan {
  /// True if a step or an event handler can start a process that the engine watches.
  var startsProcesses: Bool {
    let own = indices.contains { index in
      guard outline[index].skip == nil else { return false }
      if case .command = outline[index].attributes.unless { return true }
      return polledCommand(index)?.startsProcesses ?? false
    }
    return own || events.values.contains(where: \.startsProcesses)
  }
}
