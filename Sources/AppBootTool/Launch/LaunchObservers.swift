import AppBoot
import AppBootRecords
import AppBootCommands
import AppBootReports
import AppBootSystem

/// An observer that prints the output of the steps. Each line begins with the step's id: `id | line`.
///
/// The lines of services are on standard output, as they are after the launch. Those of other steps are on standard
/// error.
final class OutputLines: LaunchObserver {
  /// The maximum number of columns for an id. Longer ids are cut, and shorter ones are padded.
  static let idColumns = 20

  private let tool: ToolContext
  private let live: LiveText?
  /// The number of columns for the ids of the launch that began last.
  private let columns = Lock(0)

  init(_ tool: ToolContext, live: LiveText?) {
    (self.tool, self.live) = (tool, live)
  }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    switch event.kind {
    case .launchStarted:
      let width = Self.columns(of: outline, tool.errorStyle)
      columns.withLock { $0 = width }
    case .output(let printed):
      let (step, line) = (printed.step, printed.line)
      let isService = tool.isService(outline[step].commandName)
      let (output, style) =
        isService ? (tool.output, tool.outputStyle) : (tool.errors, tool.errorStyle)
      let text = Self.text(of: line, step, outline[step].id, columns: columns.withLock { $0 }, style)
      live.interrupting { output.offer(text) }
    default: return
    }
  }

  /// Returns the number of columns that the ids of the steps that run need, at most ``idColumns``.
  static func columns(of outline: LaunchOutline, _ style: TextStyle) -> Int {
    columns(of: outline.lazy.filter { $0.skip == nil }.map(\.id), style)
  }

  /// Returns the number of columns that the ids need, at most ``idColumns``.
  static func columns(of ids: some Sequence<String>, _ style: TextStyle) -> Int {
    min(idColumns, ids.lazy.map { DisplayWidth.of(style.visible($0)) }.max() ?? 0)
  }

  /// Returns a line of a step's output, with its line feed.
  static func text(of line: String, _ step: Int, _ id: String, columns: Int, _ style: TextStyle) -> String {
    let id = DisplayWidth.pad(style.fit(style.visible(id), to: idColumns), to: columns)
    return "\(style.paint("\(id) |", asStep: step)) \(style.visibleOutput(line))\n"
  }
}

/// An observer that passes each event as one line of JSON to a function when it happens.
///
/// The times of event handlers are measured from the start of the launch, as those of the launch are.
final class EventLines: RecordObserver {
  private struct State: Sendable {
    /// The time on the monotonic clock at which the launch began; `nil` before that.
    var origin: Int64?
    var hasLaunchEnded = false
    /// The lines of services that failed during the launch. They follow its end, as in the record.
    var failures: [String] = []
  }

  /// False for a stream without lines of output, which are in the logs.
  let usesOutput: Bool
  private let isWanted: @Sendable () -> Bool
  private let write: @Sendable (String) -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - isWanted: A function that returns whether there is a reader. Without one, no line is made.
  ///   - write: A function that takes a line without its line feed. It must not wait.
  init(
    usesOutput: Bool, isWanted: @escaping @Sendable () -> Bool = { true },
    write: @escaping @Sendable (String) -> Void
  ) {
    (self.usesOutput, self.isWanted, self.write) = (usesOutput, isWanted, write)
  }

  convenience init(output: StandardOutput) {
    self.init(usesOutput: true) { output.offer($0 + "\n") }
  }

  func observe(_ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64) {
    observe(event, in: record, at: clockTime, handled: nil)
  }

  /// Returns an observer for the handlers of an event with this name.
  func handlers(of event: String) -> any RecordObserver { Handlers(lines: self, event: event) }

  private struct Handlers: RecordObserver {
    let lines: EventLines
    let event: String
    var usesOutput: Bool { lines.usesOutput }

    func observe(_ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64) {
      lines.observe(event, in: record, at: clockTime, handled: self.event)
    }
  }

  private func observe(
    _ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64, handled: String?
  ) {
    state.withLock { state in
      let isFirst = state.origin == nil
      let start = state.origin ?? clockTime - event.moment
      state.origin = start
      if case .launchEnded = event.kind { state.hasLaunchEnded = true }
      let isOutput = if case .output = event.kind { true } else { false }
      guard usesOutput || !isOutput, isWanted() else { return }
      let startedAt = isFirst ? record.startedAt : nil
      let time = clockTime - start
      write(event.json(in: record.outline, at: time, startedAt: startedAt, handled: handled))
      guard case .launchEnded = event.kind else { return }
      for line in state.failures { write(line) }
      state.failures = []
    }
  }

  /// Writes an event of a service. The service has been ready before.
  func write(_ event: ServiceEvent, step: Int, in outline: LaunchOutline) {
    if case .output = event, !usesOutput { return }
    guard isWanted() else { return }
    // The lock keeps these lines in the order of their times, except for failures during the launch.
    state.withLock { state in
      let now = MonotonicClock.now()
      let time = now - (state.origin ?? now)
      func json(_ kind: LaunchEvent.Kind) -> String { LaunchEvent(kind, at: time).json(in: outline) }
      switch event {
      case .changed(let status): write("serviceChanged", of: status.id, at: time) { status.write(to: &$0) }
      case .delayed(let id, let killIn, _):
        write("serviceDelayed", of: id, at: time) { $0.member("killIn", killIn) }
      case .ended(_, _, .fail, _, let failure):
        let line = json(.ended(step: step, state: .failed(failure)))
        if state.hasLaunchEnded { write(line) } else { state.failures.append(line) }
      case .output(_, let attempt, let lines):
        for line in lines {
          write(json(.output(.init(step: step, attempt: attempt, stream: line.stream, line: line.text))))
        }
      case .killed(_, _, let grace): write(json(.killed(step: step, after: .nanoseconds(grace))))
      // The change of the state before or after these events describes them.
      case .ended, .abandoned, .health: break
      }
    }
  }

  /// Writes an event that only services have.
  private func write(
    _ kind: String, of step: String, at time: Int64, _ members: (inout JSONWriter) -> Void
  ) {
    let json = JSONWriter.object { writer in
      writer.member("kind", kind)
      writer.member("at", time)
      writer.member("step", step)
      members(&writer)
    }
    write(json)
  }
}

extension ToolContext {
  /// Returns whether a command starts a service.
  fileprivate func isService(_ command: String) -> Bool {
    command == RunService.name || registry[command]?.type is any ServiceCommand.Type
  }
}

/// An observer that prints each step when it ends, above the live line if there is one.
final class ProgressLines: RecordObserver {
  private struct State {
    var progress: TextProgress
    var live: LiveText?
  }

  private let output: StandardOutput
  private let state: Lock<State>

  init(output: StandardOutput, report: TextReport) {
    self.output = output
    state = Lock(State(progress: TextProgress(report)))
  }

  /// Prints the following texts above a live line.
  func print(above live: LiveText?) { state.withLock { $0.live = live } }

  var usesOutput: Bool { false }

  func observe(_ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64) {
    print { $0.text(after: event, in: record) }
  }

  /// Prints the part of a launch's report that was not printed yet. Call it after the launch has ended.
  func showRest(of record: LaunchRecord) { print { $0.rest(of: record) } }

  /// Prints the report of an event's handlers. Call it after they have ended.
  func show(_ event: EventRecord) { print { $0.text(of: event) } }

  private func print(_ text: (inout TextProgress) -> String) {
    state.withLock { state in
      let text = text(&state.progress)
      guard !text.isEmpty else { return }
      state.live.interrupting { output.offer(text) }
    }
  }
}
