extension StartupPlan {
  /// Runs the plan, and blocks the calling thread until all steps have ended. Returns the record.
  ///
  /// Main-lane steps run on the main thread. If a task calls it, they run on the calling thread: use the asynchronous
  /// `run` there. See ``StartupRunner/runBlocking()``.
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
