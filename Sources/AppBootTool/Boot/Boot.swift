import AppBoot
import AppBootReports
import AppBootSystem

/// One launch in a terminal or a pipe: plans, runs under supervision, and hands the record to who shows it.
struct Boot: Sendable {
  let tool: ToolContext
  let request: LaunchRequest
  let color: ColorChoice
  /// Whether standard output is for text: screens are drawn, and a live line may be shown.
  let showsText: Bool
  /// Whether what the steps print is shown on standard error as they print it.
  var showsSaid = false
  /// Whether the launch is written down in the state directory, and guarded by how the last ones ended.
  var keepsJournal = false
  /// Where the launch is written down instead; how the last ones ended does not matter then.
  var journalDirectory: String?
  /// Whether the record is wanted in full: with the machine, and the processor time of each step.
  var wantsFullRecord = false
  var observers: [any StartupObserver] = []
  /// What happens after the launch; `nil` where the launch is all.
  var followUp: FollowUp?
  /// Shows the record, and says how the tool ends.
  let present: @Sendable (StartupRecord) -> ToolExit

  /// Boots.
  ///
  /// - Throws: What keeps the launch from beginning.
  func run() throws -> ToolExit {
    let live = liveLine()
    let state = request.state { [tool, color] in tool.warn($0, color: color) }
    let plan = try request.plan(tool.registry, state: state, window: window(live: live))
    let isFollowed = request.event == nil && (!plan.events.isEmpty || tool.lifecycle != nil)
    if let followUp, followUp.stays || isFollowed {
      return try AppRun(self, followUp, plan, state: state, live: live).run()
    }
    // The launch begins where its runner is made: what can be done before it is not counted.
    let supervisor = try LaunchSupervisor(tool, style: tool.errorStyle(color), live: live)
    let ending = LaunchEnding(tool: tool, supervisor: supervisor, present: present)
    let configuration = configuration(live) { ending.endProcess(of: $0) }
    let record = launch(plan, state: state, supervisor, live, configuration)
    supervisor.finish()
    return ending.exit(of: record)
  }

  /// Runs the launch's commands, and keeps what the next launch wants to know of it.
  func launch(
    _ planned: StartupPlan, state: any StateStore, _ supervisor: LaunchSupervisor, _ live: LiveLine?,
    _ given: StartupRunner.Configuration,
    _ opened: @escaping @Sendable (LaunchOutline, LaunchJournal?) -> Void = { _, _ in }
  ) -> StartupRecord {
    // The list of an event alone is no launch: nothing is written down of it, but what its commands keep.
    let isLaunch = request.event == nil
    var plan = planned
    var configuration = given
    configuration.watch = supervisor
    if isLaunch, plan.hasChoice { configuration.history = RecentDurations.medians(in: state) }
    if isLaunch { configuration.journal = journal(live) }
    if configuration.journal == nil, request.forcesSafeMode { plan = plan.inSafeMode(.requested) }
    // A process under way has two descriptors, and one more while it starts.
    OpenFiles.allow(3 * min(request.jobs ?? Host.usableProcessorCount, plan.count) + 64)
    let journal = configuration.journal
    configuration.onOpen = { outline in
      if journalDirectory == nil { adapt(state, to: journal?.standing) }
      if let safeMode = outline.safeMode { say(safeMode, outline) }
      opened(outline, journal)
    }
    let runner = StartupRunner(plan, configuration: configuration)
    supervisor.watch(runner)
    let record = runner.run()
    // What cannot be kept has been warned of by the store itself.
    if isLaunch, record.succeeded { try? FirstLaunch.markBooted(plan, in: state) }
    if isLaunch, plan.hasChoice { try? RecentDurations.add(record, to: state) }
    return record
  }

  func configuration(
    _ live: LiveLine?, onHang: @escaping @Sendable (StartupRecord) -> Void
  ) -> StartupRunner.Configuration {
    var configuration = StartupRunner.Configuration()
    configuration.jobs = request.jobs
    configuration.observers = observers
    configuration.header = RecordHeader(
      tool: .init(name: tool.name, version: tool.version), host: wantsFullRecord ? .current() : nil)
    configuration.measuresCPUTime = wantsFullRecord || keepsJournal
    if showsSaid {
      configuration.observers.append(
        OutputLines(output: tool.errors, style: tool.errorStyle(color), live: live))
    }
    configuration.onHang = onHang
    return configuration
  }

  func window(live: LiveLine?) -> TerminalWindow {
    TerminalWindow(tool, color: color, live: live, isVisible: showsText)
  }

  private func journal(_ live: LiveLine?) -> LaunchJournal? {
    guard let directory = journalDirectory ?? (keepsJournal ? request.stateDirectory : nil) else {
      return nil
    }
    return LaunchJournal(directory: directory, forcesSafeMode: request.forcesSafeMode) {
      [tool, color] problem in
      if let live {
        live.interrupting { tool.warn(problem, color: color) }
      } else {
        tool.warn(problem, color: color)
      }
    }
  }

  /// Keeps the state as well as the journal can be kept.
  private func adapt(_ state: any StateStore, to standing: LaunchJournal.Standing?) {
    guard let state = state as? FallbackStateStore else { return }
    switch standing {
    case .busy: state.keepInMemory()
    case .unavailable: state.hush()
    case nil, .unopened, .writing, .finished: return
    }
  }

  /// Says loudly that this launch is careful, and what that means.
  private func say(_ safeMode: SafeMode, _ plan: LaunchOutline) {
    let skipped = plan.filter { if case .safeMode = $0.skip { true } else { false } }.map(\.id)
    let kept = safeMode.culprits.filter { !skipped.contains($0) && plan.index(ofStep: $0) != nil }
    var text = "SAFE MODE: \(safeMode.reason)"
    if !skipped.isEmpty { text += "; left out: \(skipped.joined(separator: ", "))" }
    if !kept.isEmpty {
      text += "; still run, as the launch cannot do without: \(kept.joined(separator: ", "))"
    }
    tool.warn(text, color: color)
  }

  private func liveLine() -> LiveLine? {
    guard showsText, tool.isTerminal, Terminal.isTerminal(tool.errors.descriptor), Terminal.type != "dumb"
    else { return nil }
    return LiveLine(
      output: tool.errors, style: tool.errorStyle(color), history: request.stateDirectory)
  }
}

/// What happens when a launch is over, whether its main lane returned or hangs.
struct LaunchEnding: Sendable {
  let tool: ToolContext
  let supervisor: LaunchSupervisor
  let present: @Sendable (StartupRecord) -> ToolExit

  /// Shows the record; a launch that did not boot after a signal told it to stop ends by that signal.
  ///
  /// It may have failed instead of being cancelled: the signal interrupts what a command waits for as well.
  func exit(of record: StartupRecord) -> ToolExit {
    supervisor.giveBack()
    let exit = present(record)
    guard !record.succeededWithEvents, let signal = supervisor.signal else { return exit }
    return .signalled(signal)
  }

  /// Shows the record and ends the process, whose main lane does not return.
  func endProcess(of record: StartupRecord) -> Never {
    supervisor.finish()
    let exit = exit(of: record)
    try? tool.output.flush()
    if case .signalled(let signal) = exit { Signals.raiseDefault(signal) }
    // What hangs is past a limit, its own or the launch's.
    CurrentProcess.exitAtOnce(ToolExit.deadlinePassed.code)
  }
}

/// Shows what the steps print, line by line, on standard error.
struct OutputLines: StartupObserver {
  let output: StandardOutput
  let style: TextStyle
  let live: LiveLine?

  func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    guard case .output(let step, _, let line) = event.kind else { return }
    let text = "\(style.paint("\(style.visible(outline[step].id)):", .faint)) \(style.visible(line))\n"
    if let live { live.interrupting { output.write(text) } } else { output.write(text) }
  }
}

/// Writes each event as a line of JSON, the moment it happens.
struct EventLines: StartupObserver {
  let output: StandardOutput

  func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    output.write(event.json(in: outline) + "\n")
    // What cannot be written now is reported at the end.
    try? output.flush()
  }
}

extension ToolExit {
  /// How the tool ends after a launch that nobody interrupted.
  init(_ outcome: LaunchOutcome) {
    switch outcome {
    case .succeeded: self = .succeeded
    case .failed, .cancelled, .running: self = .commandFailed
    case .timedOut: self = .deadlinePassed
    }
  }
}
