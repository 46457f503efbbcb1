import AppBoot
import AppBootSystem

extension ToolContext {
  /// Makes this process end all processes of a launch if it fails or is killed. Call it before the launch.
  ///
  /// The first process of a container needs no watcher, but it must reap orphans in any case.
  func guardProcesses(of plan: StartupPlan) throws {
    let isFirst = Subreaper.isFirstProcess
    guard ownsProcess, plan.startsProcesses || isFirst else { return }
    try Subreaper.start(ownsChildren: !runsCodeOfApp)
    if isFirst { return }
    do throws(SpawnError) {
      try GroupWatcher.start()
    } catch {
      warn(
        "cannot start the watcher: \(error). If \(name) is killed, the steps' processes may continue to run")
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
