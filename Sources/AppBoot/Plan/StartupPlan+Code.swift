extension StartupPlan {
  /// Creates a plan that is written in code.
  ///
  /// ```swift
  /// let plan = try StartupPlan("Shop", budget: .milliseconds(400)) {
  ///   Step("database", OpenDatabase(client: client)).retry(attempts: 3)
  ///   Step("screen", ShowFirstScreen(window: window)).when(.launch(.normal, .url))
  ///   On(.didShowFirstScreen) { Step("index", IndexNotes()) }
  /// }
  /// ```
  ///
  /// To run a part of the plan, use ``only(_:)`` and ``skip(_:)``. To pass values to commands that declare them in
  /// `requires`, make the plan with `StartupCommandsBuilder("Shop") { … }.providing(client, for: .client).build()`.
  ///
  /// - Parameters:
  ///   - budget: The time budget of the launch; `nil` for none.
  ///   - timeout: The timeout of the launch, which is greater than zero; `nil` for none.
  /// - Throws: ``PlanError`` with all mistakes; errors of the closure.
  public init(
    _ name: String = "launch", budget: Duration? = nil, timeout: Duration? = nil,
    options: LaunchOptions = LaunchOptions(), state: any StateStore = MemoryStateStore(),
    fileID: String = #fileID, line: Int = #line,
    @PlanBuilder<PlanPart> steps: () throws -> [PlanPart]
  ) throws {
    let builder = try StartupCommandsBuilder(
      name, budget: budget, timeout: timeout, fileID: fileID, line: line, steps: steps)
    self = try builder.setLaunchOptions(options).setState(state).build()
  }
}
