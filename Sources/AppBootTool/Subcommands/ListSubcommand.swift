import AppBootRecords
import AppBoot
import AppBootReports
import AppBootSystem

/// The subcommand `list`, which shows the plan: the steps in their order with lanes, and the reasons of skipped steps.
enum ListSubcommand: Subcommand {
  static let name = "list"
  static let abstract =
    "Shows the steps in run order with their lanes, and why steps are skipped. Changes nothing."
  static var operands: [Operand] { [.manifest, .steps] }
  static let options: [any OptionDeclaration] = [
    format, all, .fileBesideSteps, .environment, .environmentFiles, .only, .to, .skip, .jobs, .state,
    .color, .event.advanced, .payload.advanced,
    .scene.advanced,
    .launch.advanced, .url.advanced, .noState.advanced,
  ]

  static let all = Option(
    "all", .flag, "Show the limits of services and processes with their default values, too.")

  static let format = Option<Format>.format(
    "The output format; ids prints one id per line, as for --only. Default: text.")

  enum Format: String, CaseIterable {
    case text, json, dot, mermaid, ids
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let format = arguments[format] ?? .text
    var request = try LaunchRequest(arguments)
    request.fixedVariables = try arguments.variables()
    return try list(request, as: format, showsDefaults: arguments.isSet(all), tool)
  }

  /// Prints the plan of a launch request.
  static func list(
    _ request: LaunchRequest, as format: Format, showsDefaults: Bool = false, _ tool: ToolContext
  ) throws -> ToolExit {
    let state = request.state { tool.warn($0) }
    var plan = try request.plan(tool, state: state)
    if request.event == nil, let mode = request.safeMode { plan = plan.inSafeMode(mode) }
    plan = plan.shown
    let order = StartOrder(
      jobs: request.jobs ?? Host.usableProcessorCount,
      history: request.recordedDurations(for: plan, in: state))
    switch format {
    case .text:
      PlanText(style: tool.outputStyle, order: order, showsDefaults: showsDefaults)
        .write(plan, to: tool.output)
    case .json: PlanJSON(order: order).write(plan, to: tool.output)
    case .dot: tool.output.write(LaunchGraph(plan).dot)
    case .mermaid: tool.output.write(LaunchGraph(plan).mermaid)
    case .ids:
      let steps = request.event == nil ? order.steps(ofLaunch: plan) : order.steps(ofEvent: plan)
      for step in steps { tool.output.write(Self.line(ofID: plan.outline[step].id)) }
    }
    return .succeeded
  }

  /// Returns an id as `--only` reads it. Control characters are shown, because they could change what a terminal shows,
  /// and commands of a CI runner have a backslash.
  private static func line(ofID id: String) -> String {
    let id = VisibleText.of(StepArgument.listed(id))
    return (GitHubActions.readsCommands ? VisibleText.inert(id) : id) + "\n"
  }
}

extension LaunchPlan {
  /// The plan for display, with each secret in its outlines replaced by `***`.
  fileprivate var shown: LaunchPlan {
    var plan = self
    plan.outline = outline.masked(by: environment.secrets)
    for event in events.keys { plan.events[event] = events[event]?.shown }
    return plan
  }
}
