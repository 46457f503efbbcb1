extension StartupPlan {
  /// Runs the plan on the calling thread and returns when every step has ended.
  @discardableResult
  public func run() -> StartupRecord { StartupRunner(self).run() }

  /// Runs the plan; main-lane steps run on the caller's actor.
  @discardableResult
  public func run(isolation: isolated (any Actor)? = #isolation) async -> StartupRecord {
    await StartupRunner(self).run()
  }
}

extension StartupPlan {
  /// The nanoseconds between a cancellation and SIGKILL for each step that starts a process and has no grace of its
  /// own; `nil` if there is no such step.
  package var sharedGrace: Int64? {
    let isShared = indices.contains { step in
      guard stepTraits[step].kind.isPolled, !stepTraits[step].isSkipped else { return false }
      let command = commands[step] as? any PolledCommand
      return command?.startsProcesses == true && command?.grace == nil
    }
    return isShared ? StartupRunner.Configuration.defaultGrace : nil
  }
}
