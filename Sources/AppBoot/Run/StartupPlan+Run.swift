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
