import AppBootAnalysis
import AppBoot
import AppBootReports
import AppBootSystem

/// The subcommand `check`, which checks launches in CI for failures, exceeded budgets and slowdowns.
enum CheckSubcommand: Subcommand {
  static let name = "check"
  static let abstract =
    "Checks that an app launches within its budgets, and no slower than a base."
  static let discussion = """
    Without options it launches once: a smoke test, which fails if a step fails or a budget is exceeded. With \
    --runs N, a warm-up comes first and does not count, and a budget is exceeded if the median of the launches is \
    over it. Each launch has its own process, and runs all steps.

    With --against, launches of the base and of this manifest take turns, so that a busy machine slows both alike. If \
    something looks slower, check launches again until the result is certain, up to --max-runs times and for \
    --max-time. Docs/check.md has the measured error rates.

    --baseline compares with recorded launches instead. --record writes every launch's record, one per line, \
    for the next --baseline. Give a baseline 20 launches.

    The verdict is passed, failed or inconclusive. Inconclusive: the baseline has too few launches, a slowdown may be \
    noise or the machine's, or a budget is exceeded only because launches waited for a processor. After a failed \
    launch, check continues to count how many fail. Two failures without a success end it.

    --prepare runs a command of the shell before each launch and the warm-up, as hyperfine does. If it fails, the \
    check ends. Record the baseline with the same command.

    --shuffle tries up to --max-runs orders, and names the two steps whose order decides whether the launch succeeds. \
    A file of an earlier launch can hide a missing \"after\": remove it with --prepare.

    In GitHub Actions, check also annotates the manifest's lines and appends to the job summary.
    """
  static var operands: [Operand] { [.manifest] }
  static let options: [any OptionDeclaration] = [
    CheckOptions.runs, CheckOptions.against, CheckOptions.baseline, CheckOptions.maxSlowdown,
    CheckOptions.shuffle, CheckOptions.record, CheckOptions.junit, CheckOptions.markdown, CheckOptions.html,
    CheckOptions.open,
    .textOrJSON, .file, .environment, .environmentFiles, .only, .skip, .jobs, .timeout, .state, .quiet,
    .color,
    CheckOptions.againstProgram.advanced, CheckOptions.maxRuns.advanced, CheckOptions.maxTime.advanced,
    CheckOptions.prepare.advanced, CheckOptions.dryRun.advanced,
    CheckOptions.requireBaseline.advanced, CheckOptions.onFlaky.advanced, .label.advanced,
    .launch.advanced, .url.advanced, .noState.advanced,
  ]

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Passed or inconclusive.",
    .commandFailed: "A command failed, or a step is flaky with --on-flaky fail.",
    .invalidManifest:
      "The manifest is invalid or has no commands, or a baseline's file is not a record.",
    .preconditionMissing:
      "A file or a permission is missing, an app with services is already running, the base does not boot, "
      + "the command of --prepare failed, "
      + "the baseline has no step of the manifest, the manifest changed during the check, "
      + "this executable cannot be started again, or the comparison is inconclusive with --require-baseline.",
    .overBudget: "Over a budget, or slower than the base.",
    .deadlinePassed: "A launch timed out.",
    .signalled(0): "Ended by signal n.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    if arguments.isSet(CheckOptions.dryRun) {
      guard !arguments.wantsJSON else {
        throw UsageError.conflict("--format json", CheckOptions.dryRun.spelling)
      }
      return try ValidateSubcommand.run(arguments, in: tool)
    }
    let github = GitHubActions()
    let files = try CheckFiles(arguments)
    try files.checkApart(manifest: arguments.manifest(), baseline: arguments[CheckOptions.baseline])
    do {
      let request = try CheckRequest(arguments, files, tool)
      // Reports the problems of the manifest and the baseline before the first launch.
      let state = request.launch.state { tool.warn($0) }
      let plan = try request.plan(tool, state)
      guard !plan.outline.isEmpty else {
        throw ToolError("the manifest has no commands", exit: .invalidManifest) {
          "a check needs at least one step; `\($0) init` writes an example"
        }
      }
      try request.checkBaseline(for: plan)
      try request.checkState(for: plan)
      // A failed check would also kill the browser that it opened. Each launch has its own watcher.
      if !arguments.isSet(CheckOptions.open) { try tool.guardProcesses(of: plan) }
      var launches = CheckLaunches(
        tool: tool, request: request, secrets: plan.environment.secrets,
        search: request.shuffles
          ? OrderSearch(plan.outline.graph, runs: plan.outline.map { $0.skip == nil }) : nil)
      let result = try launches.run()
      return try show(result, of: request, arguments, tool, github)
    } catch let error as UsageError {
      throw error
    } catch {
      report(error.reportable, files, arguments, tool, github)
      throw error
    }
  }

  /// Writes the files and the annotations of a check that ended with an error before a result.
  private static func report(
    _ error: any ReportableError, _ files: CheckFiles, _ arguments: ParsedArguments, _ tool: ToolContext,
    _ github: GitHubActions?
  ) {
    let details = error.problems.map { DiagnosticRenderer().text($0.diagnostics, in: $0.source) }
    let summary = error.problems.map { "\($0.source.name) is not valid" } ?? error.message
    let failure = CheckFailureReport(summary: "check failed: \(summary)", details: details ?? summary)
    var renderer = DiagnosticRenderer()
    renderer.fileNamed = GitHubActions.path
    let annotations = error.problems.map { renderer.github($0.diagnostics, in: $0.source) }
    let errors =
      publish(
        annotations ?? renderer.githubCommand(.error, summary, at: nil) + "\n", failure.markdown,
        arguments.wantsJSON ? tool.errors : tool.output, github) + files.write(failure, tool)
    for error in errors { tool.report(error) }
  }

  /// Writes the annotations and the job summary in GitHub Actions. Returns the errors.
  private static func publish(
    _ annotations: @autoclosure () -> String, _ summary: @autoclosure () -> String,
    _ output: StandardOutput, _ github: GitHubActions?
  ) -> [SystemError] {
    guard let github else { return [] }
    output.write(annotations())
    do throws(SystemError) {
      try github.append(summary: summary())
      return []
    } catch {
      return [error]
    }
  }

  private static func show(
    _ result: CheckLaunches.Result, of request: CheckRequest, _ arguments: ParsedArguments,
    _ tool: ToolContext, _ github: GitHubActions?
  ) throws -> ToolExit {
    if let signal = result.signal {
      let message = result.cancellation(by: signal)
      tool.inform(message)
      let errors = request.files.write(
        CheckFailureReport(summary: message, details: message), tool)
      for error in errors { tool.report(error) }
      return .signalled(signal)
    }
    let verdict = CheckVerdict(
      result, style: tool.outputStyle, onFlaky: request.onFlaky,
      requiresBaseline: request.requiresBaseline)
    let report = verdict.plain
    let isJSON = arguments.wantsJSON
    let isQuiet = arguments.isSet(.quiet)
    if isJSON {
      tool.output.write(report.json)
    } else if !isQuiet || verdict.exit != .succeeded {
      let text = verdict.text(isQuiet: isQuiet)
      tool.output.write(github?.inert(text) ?? text)
    }
    if verdict.failed != nil, request.files.areNone, !isJSON, !isQuiet {
      tool.flush()
      tool.inform("no record was saved: --record FILE writes one, which `\(tool.name) report FILE` shows")
    }
    var errors: [any Error] =
      publish(report.annotations, report.markdown, isJSON ? tool.errors : tool.output, github)
      + request.files.write(report, tool)
    do {
      if errors.isEmpty { try request.files.show(report, tool) }
    } catch {
      errors.append(error)
    }
    for error in errors { tool.report(error) }
    // That the check failed is what its caller has to know first.
    return errors.isEmpty || verdict.exit != .succeeded ? verdict.exit : .preconditionMissing
  }
}
