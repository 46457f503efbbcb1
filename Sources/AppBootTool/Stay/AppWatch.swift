import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem

/// A thread that restarts the services of an app after changes of their files.
final class AppWatch: Sendable {
  /// A service whose files are watched.
  private struct Target: Sendable {
    let id: String
    let policy: WatchPolicy
    /// The steps to run before a restart; `nil` for none.
    let steps: LaunchPlan?
  }

  /// The files of a service and their changes, on the thread.
  private struct Watched {
    let target: Target
    /// `nil` if the files cannot be watched.
    var watcher: FileWatcher?
    var changes: WatchedChanges
  }

  private struct State: Sendable {
    /// The indices of the services whose restarts have ended.
    var finished: [Int] = []
    var isOver = false
  }

  private let app: AppRun
  private let services: ServiceSupervisor
  private let targets: [Target]
  private let root: String
  private let poller: Poller
  private let state = Lock(State())

  /// Creates the thread's work. Returns `nil` if the app has no service whose files are watched.
  ///
  /// - Throws: `SelectionError` for a step that does not exist; `SystemError` if the system has no descriptor left.
  init?(_ app: AppRun) throws {
    guard app.followUp.watchesFiles, !app.followUp.thenStops, let services = app.services else { return nil }
    targets = try app.serviceSteps.compactMap { step -> Target? in
      guard let policy = (app.plan.serviceMaker(step) as? RunService)?.watch else { return nil }
      let selection = StepSelection(only: Set(policy.run), because: "not in \"run\" of the watch")
      var steps = policy.run.isEmpty ? nil : try app.plan.selecting(selection)
      steps?.events = [:]
      // The outputs of the other steps are those of the launch, as for event handlers.
      steps?.environment.handlesEvent = true
      steps?.environment.insertedOutputs.removeAll { !policy.run.contains($0) }
      return Target(id: app.plan[step].id, policy: policy, steps: steps)
    }
    if targets.isEmpty { return nil }
    (self.app, self.services, poller) = (app, services, try Poller())
    root = FileSystem.directory(of: app.plan.outline.manifestName ?? "")
    services.watchFiles(of: targets.map(\.id))
  }

  /// The path of the state directory below the root; `nil` if it is elsewhere. It exists once the launch has begun.
  private var stateDirectory: String? {
    guard let directory = app.launch.request.stateDirectory.flatMap(FileSystem.resolve),
      let root = FileSystem.resolve(root), directory.hasPrefix(root + "/")
    else { return nil }
    return String(directory.dropFirst(root.count + 1))
  }

  /// Starts the thread. Without one, a message says that no files are watched.
  func start() {
    do {
      _ = try Thread.start(name: "appboot-watch", stackSize: 1 << 19) { [self] in watch() }
    } catch {
      services.watchFiles(of: [])
      app.tool.warn("no files are watched: \(error.reportable.message)")
    }
  }

  func stop() {
    state.withLock { $0.isOver = true }
    poller.wake()
  }

  // MARK: - On the thread

  private func watch() {
    var watched = targets.enumerated().map { index, target in
      Watched(
        target: target, watcher: watcher(of: target, index),
        changes: WatchedChanges(quiet: target.policy.quiet))
    }
    noteWatched(watched)
    while !state.withLock(\.isOver) {
      let now = MonotonicClock.now()
      for index in takeFinished() { watched[index].changes.finish(at: now) }
      for index in watched.indices {
        if !read(&watched[index]) { noteWatched(watched) }
        step(&watched[index], index, at: MonotonicClock.now())
      }
      let deadlines = watched.flatMap { [$0.watcher?.nextLook, $0.changes.deadline] }
      _ = try? poller.wait(deadline: deadlines.compactMap(\.self).min())
    }
  }

  /// Notes whose files are watched. If a service that has ended no longer waits for a change, the app may end.
  private func noteWatched(_ watched: [Watched]) {
    let ids = watched.filter { $0.watcher != nil }.map(\.target.id)
    services.watchFiles(of: ids)
    if ids.count < watched.count { app.endIfIdle() }
  }

  private func takeFinished() -> [Int] {
    state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
  }

  private func watcher(of target: Target, _ index: Int) -> FileWatcher? {
    do {
      let watcher = try FileWatcher(
        target.policy.selection(besides: stateDirectory), in: root,
        comparingEvery: target.policy.poll?.nanoseconds)
      if let descriptor = watcher.descriptor { try poller.add(descriptor, token: UInt64(index)) }
      return watcher
    } catch {
      report(error, of: target)
      return nil
    }
  }

  private func report(_ error: any Error, of target: Target) {
    app.live.interrupting {
      app.tool.report(ToolError("the files of \(target.id) are not watched: \(error)"))
    }
  }

  /// Reads the changes of a service's files. Returns false if the files can no longer be watched.
  private func read(_ watched: inout Watched) -> Bool {
    do throws(WatchError) {
      let files = try watched.watcher?.changes() ?? []
      if !files.isEmpty, app.hasBegun(watched.target.policy.run + [watched.target.id]) {
        watched.changes.add(files, at: MonotonicClock.now())
      }
      return true
    } catch {
      if let descriptor = watched.watcher?.descriptor { poller.remove(descriptor) }
      watched.watcher = nil
      report(error, of: watched.target)
      return false
    }
  }

  private func step(_ watched: inout Watched, _ index: Int, at now: Int64) {
    guard watched.changes.isDue(at: now) else { return }
    let target = watched.target
    switch watched.changes.take(at: now, in: services.state(of: target.id)) {
    case nil: break
    case .loop(let files):
      warn(
        "\(target.id) is restarted in a loop: \(words(files)) after each restart; ignoring that for a while. "
          + "Add what it writes to \"ignore\" of its \"watch\"")
    case .serve(let files):
      let effect = target.steps == nil ? "restarting" : "running \(target.policy.run.joined(separator: ", "))"
      inform("\(target.id): \(words(files)); \(effect)")
      serve(target, index)
    }
  }

  /// Returns the changed files in words, for example `src/a.ts and 3 more files changed`. A file that exists comes
  /// first: a tool that saves a file often writes another one, and renames it.
  private func words(_ files: [String]) -> String {
    let rest = files.count - 1
    let file = files.first { FileSystem.exists(FileSystem.join(root, $0)) } ?? files.first ?? ""
    return
      "\(file)\(rest > 0 ? " and \(rest) more \(rest == 1 ? "file" : "files")" : "") changed"
  }

  /// Runs the steps, if there are any, and restarts the service if they succeed.
  private func serve(_ target: Target, _ index: Int) {
    guard let steps = target.steps else { return restart(target, index) }
    app.run(steps, for: target.id) { [self] record in
      if record.succeeded { return restart(target, index) }
      // The end of the app cancels the steps.
      if app.state.withLock(\.isEnding) { return }
      let effect =
        switch services.state(of: target.id) {
        case .ready: "; it goes on"
        case .ended, .failed: "; it starts again after the next change"
        // A request or its own policy decides.
        case .waiting, .skipped, .starting, .restarting, .stopping, .stopped, nil: ""
        }
      warn("\(target.id) was not restarted, because its steps did not succeed\(effect)")
      finish(index)
    }
  }

  private func restart(_ target: Target, _ index: Int) {
    services.perform(.restart, on: target.id, keepsStopped: true) { [self] answer in
      switch answer {
      case .done(let status), .unchanged(let status):
        inform("\(target.id) is ready again\(status.pid.map { ", process \($0)" } ?? "")")
      // A request stopped the service in the meantime. It stays down.
      case .failed(let status, _) where status.state == .stopped: break
      case .failed(_, let reason):
        warn("\(target.id) is not ready: \(reason)\nIt starts again at the next change.")
      // The app ends, or its step starts it, which is later than the change.
      case .refused: break
      }
      finish(index)
    }
  }

  private func finish(_ index: Int) {
    state.withLock { $0.finished.append(index) }
    poller.wake()
  }

  private func inform(_ message: String) { app.live.interrupting { app.tool.inform(masked(message)) } }

  private func warn(_ message: String) {
    app.live.interrupting { app.tool.warn(masked(message), keepsLines: true) }
  }

  /// Returns a message without its secrets. The name of a file can contain one.
  private func masked(_ message: String) -> String { app.plan.environment.secrets.masking(message) }
}

extension AppRun {
  /// Returns whether one of the steps has begun in the launch. The first of them reads what was written before.
  fileprivate func hasBegun(_ steps: [String]) -> Bool {
    var runner: LaunchRunner?
    supervisor.withRunner { runner = $0 }
    // In this order: the launch may end meanwhile. Without the lock, because the record has its own.
    let record = runner?.snapshot().record ?? session.record
    return record.map { record in steps.contains { record[$0]?.execution.startTime != nil } } ?? false
  }

  /// Runs steps of the launch again as the handlers of an event, after the events that wait.
  fileprivate func run(
    _ steps: LaunchPlan, for service: String, _ completion: @escaping @Sendable (LaunchRecord) -> Void
  ) {
    guard let host = state.withLock(\.host) else { return }
    var steps = steps
    steps.environment.values = host.values
    host.afterEvents { [self, steps] in
      completion(run(steps, for: .custom(CustomEvent("filesChanged", payload: service.asJSON))))
    }
  }
}
