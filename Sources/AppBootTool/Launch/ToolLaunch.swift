import AppBoot
import AppBootAnalysis
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A launch by the tool: it makes the plan, runs it under supervision, and shows the record.
struct ToolLaunch: Sendable {
  let tool: ToolContext
  let request: LaunchRequest
  /// True if standard output may have text. The launch may then draw screens and a live line.
  let showsText: Bool
  /// True if the output of the steps is also printed on standard error.
  var showsOutput = false
  /// True if a journal of the launch is written to the state directory. The launch guard then reads earlier journals.
  var keepsJournal = false
  /// The directory of the journal of a launch of a check; `nil` for other launches, whose journal is in the state
  /// directory. A check saves nothing about the launch in the state, but commands can save state.
  var checkDirectory: String?
  /// The order in which a launch of a check runs its steps, one at a time; `nil` for the usual order.
  var order: [Int]?
  /// True if a command replaces the tool after a successful launch.
  var isReplaced = false
  /// True if the record must have the machine and the CPU time of each step.
  var wantsFullRecord = false
  /// The place of the launch in a trace; `nil` if the launch is not sent to a collector.
  var trace: RecordHeader.Trace?
  var observers: [any RecordObserver] = []
  /// The observer that prints the steps when they end, above the live line; `nil` if nothing prints them.
  var progress: ProgressLines?
  /// A function that shows the record and returns the tool's exit.
  let present: @Sendable (LaunchRecord) -> ToolExit

  /// A planned launch, with the state store, the live line and the logs that it uses.
  struct Prepared {
    let plan: LaunchPlan
    let state: any StateStore
    let live: LiveText?
    let logs: OutputLogs?
  }

  /// Plans the launch. Starts a watcher beside this process if the plan starts processes.
  ///
  /// - Parameter check: A function that throws an error if the plan does not fit the arguments.
  /// - Throws: An error of the manifest, of a selection, of an event or of the system.
  func prepare(_ check: (LaunchPlan) throws -> Void = { _ in }) throws -> Prepared {
    try OpenFiles.requireEnough()
    let state = request.state { [tool] in tool.warn($0) }
    let live = showsText && tool.isTerminal ? LiveText(tool.errors, tool.errorStyle) : nil
    let window = window(live: live)
    var plan = try request.plan(tool, state: state, window: window)
    try check(plan)
    try plan.checkPreconditions()
    window.hide(plan.environment.secrets)
    for name in plan.environment.shortSecrets { warn(Self.problem(withShortSecret: name), live) }
    for path in plan.environment.missingFiles where plan.runsProgram(naming: path) {
      warn(
        "\"\(path)\" does not exist yet, so this launch does not have its variables; the next one has them. For "
          + "defaults, list a file before it: \"files\": [\"EXAMPLE\", \"\(path)?\"]",
        live)
    }
    if let trace {
      for step in plan.outline.indices {
        // A variable of an environment file keeps its value.
        let own = ["TRACEPARENT": trace.traceParent(ofStep: step)]
        plan.environment.stepVariables[step, default: [:]].merge(own) { given, _ in given }
      }
    }
    try tool.guardProcesses(of: plan)
    StandardOutput.writeInBackground([tool.output, tool.errors])
    // Only processes and services have output to log.
    let hasOutput = plan.startsProcesses || !plan.services.isEmpty
    let logs = hasOutput ? logs(plan.environment.logLimits, live) : nil
    if hasOutput {
      let drain = LeftoverOutput.drain(to: logs, hiding: plan.environment.secrets, tool)
      let showsAll = showsOutput || observers.contains(where: \.usesOutput)
      plan.keepLogs(logs, drain: drain) { [tool] in ($0 || showsAll) && tool.isBehind }
      // The rows so far come before an interactive process, and those that waited for it after it.
      TerminalLoan.observe { [tool] isLent in
        live?.setPaused(isLent)
        // This thread also keeps timeouts, so it waits for a terminal only, and not for long.
        if isLent { tool.settleTerminal(within: 100_000_000) } else { tool.flush() }
      }
    }
    return Prepared(plan: plan, state: state, live: live, logs: logs)
  }

  private static func problem(withShortSecret name: String) -> String {
    "the value of \(name) is not hidden, because it has fewer than \(Secrets.shortest) bytes: use a longer secret"
  }

  private func logs(_ limits: LogLimits, _ live: LiveText?) -> OutputLogs? {
    guard checkDirectory == nil, let directory = request.stateDirectory else { return nil }
    return OutputLogs(state: directory, limits: limits) { warn($0, live) }
  }

  private func warn(_ problem: String, _ live: LiveText?) {
    live.interrupting { tool.warn(problem) }
  }

  /// Runs a planned launch. Does not run event handlers.
  func run(_ prepared: Prepared) throws -> ToolExit {
    let supervisor = try LaunchSupervisor(tool, live: prepared.live, isText: showsText)
    let ending = LaunchEnding(
      tool: tool, supervisor: supervisor, logs: prepared.logs, isReplaced: isReplaced, present: present)
    let configuration = configuration(prepared.live) { ending.endProcess(of: $0) }
    let record = execute(prepared, supervisor, configuration)
    supervisor.finish()
    return ending.exit(of: record)
  }

  /// Runs the commands of the plan, and saves the durations of the steps for later launches.
  ///
  /// - Parameter opened: A function that is called with the outline and the journal before the first step.
  func execute(
    _ prepared: Prepared, _ supervisor: LaunchSupervisor, _ given: LaunchRunner.Configuration,
    _ opened: @escaping @Sendable (LaunchOutline, LaunchJournal?) -> Void = { _, _ in }
  ) -> LaunchRecord {
    // With --event there is no launch: it leaves no record, but state that commands save persists.
    let isLaunch = request.event == nil
    var plan = prepared.plan
    let state = prepared.state
    var configuration = given
    configuration.makeOperations = PolledOperations.maker(watch: supervisor)
    configuration.historyTimes = request.recordedDurations(for: plan, in: state)
    configuration.marksFirstLaunch = isLaunch && checkDirectory == nil
    if let order, order.count == plan.count {
      configuration.jobs = 1
      configuration.ranks = ShuffledOrder.ranks(of: order)
    } else {
      configuration.ranks = request.seed.map { ShuffledOrder.ranks(count: plan.count, seed: $0) }
    }
    if isLaunch { configuration.journal = journal(prepared.live) }
    if configuration.journal == nil, request.forcesSafeMode { plan = plan.inSafeMode(.requested) }
    // A running process needs three descriptors, and two for its log. The rest covers those that start.
    OpenFiles.allow(5 * plan.mostAtOnce(jobs: request.jobs ?? Host.usableProcessorCount) + 64)
    let journal = configuration.journal
    configuration.onOpen = { outline in
      if checkDirectory == nil { adapt(prepared, to: journal?.standing) }
      if let safeMode = outline.safeMode { warn(of: safeMode, in: outline, journal?.directory) }
      opened(outline, journal)
    }
    let runner = LaunchRunner(plan, configuration: configuration)
    supervisor.watch(runner) { [manifest = request.manifest] in
      RemainingTime(medians: RecentDurations.medians(in: state, of: manifest))
    }
    let record = runner.runBlocking()
    record.reportFailure()
    // A launch without a choice needs the durations for the live line only, which a short launch never draws.
    if isLaunch, checkDirectory == nil, plan.hasChoice || record.elapsedTime >= LiveText.interval {
      try? RecentDurations.add(record, to: state)
    }
    // A launch with one step at a time takes longer than those before it.
    if checkDirectory == nil, request.seed == nil { keep(record, plan, journal, prepared.live) }
    // A command that replaces this process would inherit the child: the next launch sends the record.
    if trace != nil, !isReplaced || Subreaper.isFirstProcess { send(record, journal, prepared.live) }
    return record
  }

  /// Adds the launch to the history, unless it is not recorded.
  private func keep(
    _ record: LaunchRecord, _ plan: LaunchPlan, _ journal: LaunchJournal?, _ live: LiveText?
  ) {
    guard let journal, journal.isRecorded else { return }
    let history = KeptLaunches(directory: journal.directory, manifest: record.outline.manifestName)
    do throws(SystemError) {
      try history.add(LaunchSummary(record), limits: plan.environment.historyLimits)
    } catch {
      warn("this launch is not in the history: \(error)", live)
    }
  }

  /// Sends the launch to the collector in the background. With `-v`, warns if that is not possible.
  private func send(_ record: LaunchRecord, _ journal: LaunchJournal?, _ live: LiveText?) {
    do {
      let directory = journal.flatMap { $0.isRecorded ? $0.directory : nil }
      try TraceExport.start(record, storedIn: directory, tool)
    } catch {
      if showsOutput { warn("cannot send this launch to the OpenTelemetry collector now: \(error)", live) }
    }
  }

  func configuration(
    _ live: LiveText?, onHang: @escaping @Sendable (LaunchRecord) -> Void
  ) -> LaunchRunner.Configuration {
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = request.jobs
    configuration.servesMainActor = { [tool] in tool.runsCodeOfApp }
    configuration.recordObservers = observers
    configuration.observers = tool.observers
    configuration.header.tool = .init(name: tool.name, version: tool.version)
    configuration.header.host = wantsFullRecord ? .current() : nil
    configuration.header.labels = request.labels
    configuration.header.trace = trace
    configuration.measuresCPUTime = wantsFullRecord || keepsJournal
    if showsOutput {
      configuration.observers.append(OutputLines(tool, live: live))
    }
    if let progress {
      progress.print(above: live)
      configuration.recordObservers.append(progress)
    }
    configuration.onHang = onHang
    return configuration
  }

  func window(live: LiveText?) -> TerminalWindow {
    TerminalWindow(tool, live: live, isVisible: showsText)
  }

  private func journal(_ live: LiveText?) -> LaunchJournal? {
    guard let directory = checkDirectory ?? (keepsJournal ? request.stateDirectory : nil) else {
      return nil
    }
    return LaunchJournal(directory: directory, forcesSafeMode: request.forcesSafeMode) {
      warn($0, live)
    }
  }

  /// Adapts the state store and the logs to the state of the journal.
  ///
  /// If another launch uses the directory, the state store writes to memory. If the journal cannot be written, the
  /// state store gives no further warning. In both cases no logs are written.
  private func adapt(_ prepared: Prepared, to standing: LaunchJournal.Standing?) {
    guard let state = prepared.state as? FallbackStateStore else { return }
    switch standing {
    case .busy:
      state.useMemory()
      prepared.logs?.turnOff()
    case .unavailable:
      state.silence()
      prepared.logs?.turnOff()
    case nil, .unopened, .writing, .finished: return
    }
  }

  /// Warns that the launch runs in safe mode. The warning names the skipped steps, and the record of the last crash.
  private func warn(of safeMode: SafeMode, in outline: LaunchOutline, _ directory: String?) {
    let skipped = outline.filter { if case .safeMode = $0.skip { true } else { false } }.map(\.id)
    let required = safeMode.culprits.filter { !skipped.contains($0) && outline.index(ofStep: $0) != nil }
    var text = "SAFE MODE: \(safeMode.reason)"
    if !skipped.isEmpty { text += "; skipped: \(skipped.joined(separator: ", "))" }
    if !required.isEmpty {
      text += "; still run, because the launch needs it: \(required.joined(separator: ", "))"
    }
    if !safeMode.culprits.isEmpty, let crash = directory.flatMap({ lastCrash(of: outline, in: $0) }) {
      text += "; see `\(tool.name) report \(ShellText.word(crash))`"
    }
    tool.warn(text)
  }

  /// Returns the path of the newest stored launch of the manifest that did not finish; `nil` without one.
  private func lastCrash(of outline: LaunchOutline, in directory: String) -> String? {
    (try? RecordArchive.list(directory))?.last { path in
      guard let entry = try? RecordArchive.read(path) else { return false }
      return entry.isUnfinished
        && ManifestScope.isSame(entry.record.outline.manifestName, outline.manifestName)
    }
  }
}

extension LaunchPlan {
  /// Makes the steps of this launch and of its event handlers write logs of their output.
  ///
  /// - Parameter isBehind: The function ``LaunchHost/isReaderBehind``.
  fileprivate mutating func keepLogs(
    _ logs: (any StepLogs)?, drain: OutputDrain?, pausingIf isBehind: @escaping @Sendable (Bool) -> Bool
  ) {
    (environment.host.logs, environment.host.drain) = (logs, drain)
    environment.host.isReaderBehind = isBehind
    for event in events.keys { events[event]?.keepLogs(logs, drain: drain, pausingIf: isBehind) }
  }

  /// Returns whether an argument of a program that the plan runs names a file.
  fileprivate func runsProgram(naming path: String) -> Bool {
    let plans = [self] + events.values
    return plans.flatMap(\.commands).contains { command in
      let arguments = (command as? RunProcess)?.arguments ?? (command as? RunService)?.arguments ?? []
      return arguments.flatMap { $0.split { " \t\n'\"`;&|<>()=".contains($0) } }
        .contains { $0 == path || $0 == "./\(path)" }
    }
  }

  /// True if a step or an event handler can start a process that the engine watches.
  var startsProcesses: Bool {
    let own = indices.contains { index in
      guard outline[index].skip == nil else { return false }
      if case .command = outline[index].unless { return true }
      return polledCommand(index)?.startsProcesses ?? false
    }
    return own || events.values.contains(where: \.startsProcesses)
  }
}

extension LaunchRecord {
  /// Reports the failure of the launch, or of a service after it, to the service manager.
  func reportFailure() {
    if !succeeded { ServiceManager.report(.failed(TextReport().verdict(of: self))) }
  }
}

extension ToolContext {
  /// Makes this process end all processes of a launch if it fails or is killed. Call it before the launch.
  ///
  /// The first process of a container needs no watcher, but it must reap orphans in any case.
  func guardProcesses(of plan: LaunchPlan) throws {
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
