extension StartupPlan {
  /// Runs the plan, and blocks the calling thread until all steps have ended. Returns the record.
  ///
  /// Main-lane steps run on the main thread (``StartupRunner/runBlocking()``).
  ///
  /// In a task use the asynchronous `run` instead.
  @available(*, noasync, message: "use await run()")
  public func runBlocking() -> StartupRecord { StartupRunner(self).runBlocking() }

  /// Runs the plan, and returns the record when all steps have ended. Main-lane steps run on the main actor.
  public func run(isolation: isolated (any Actor)? = #isolation) async -> StartupRecord {
    await StartupRunner(self).run()
  }

  /// Runs the plan as ``runBlocking()`` does. Returns the record with the values that the commands provided.
  ///
  /// - Throws: ``LaunchFailed`` if the launch did not succeed.
  @available(*, noasync, message: "use await launch()")
  public func launchBlocking() throws(LaunchFailed) -> CompletedLaunch {
    try StartupRunner(self).launchBlocking()
  }

  /// Runs the plan. Returns the record with the values that the commands provided. Main-lane steps run on the main
  /// actor.
  ///
  /// - Throws: ``LaunchFailed`` if the launch did not succeed.
  public func launch(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(LaunchFailed) -> CompletedLaunch {
    try await StartupRunner(self).launch()
  }
}

extension StartupPlan {
  /// The grace period in nanoseconds of the steps that start processes and set no grace period themselves.
  ///
  /// It is `nil` if there is no such step.
  package var sharedGrace: Int64? {
    let isShared = indices.contains { step in
      guard stepTraits[step].kind.isPolled, !stepTraits[step].isSkipped else { return false }
      let command = polledCommand(step)
      return command?.startsProcesses == true && command?.grace == nil
    }
    return isShared ? StartupRunner.Configuration.defaultGrace : nil
  }

  /// Throws the first error of a step that this machine cannot start (``PolledCommand/checkPreconditions(in:)``).
  ///
  /// Steps that may be unnecessary, and steps that may fail, are not checked.
  package func checkPreconditions() throws {
    guard traits.hasPolled else { return }
    lazy var contexts = detachedContexts()
    for (index, traits) in stepTraits.enumerated()
    where traits.kind.isPolled && !traits.isSkipped && !traits.hasUnless && traits.onFailure != .continue {
      do {
        try polledCommand(index)?.checkPreconditions(in: contexts(index))
      } catch let error as any MissingPrecondition {
        throw MissingStepPrecondition(step: self[index].id, error: error)
      }
    }
  }
}

/// An error that reports that a step cannot start on this machine, before the first step of its launch.
package struct MissingStepPrecondition: MissingPrecondition, CustomStringConvertible {
  let step: String
  let error: any MissingPrecondition

  package var description: String { "\(step): \(error)" }
}
