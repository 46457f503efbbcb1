import AppBoot
import AppBootCommands
import AppBootReports
import AppBootSystem

/// Prints the output of the steps on standard error, each line after its step's id: `id | line`.
final class OutputLines: StartupObserver {
  /// The number of columns to which ids are padded, at most; longer ids are cut.
  static let idColumns = 20

  private let output: StandardOutput
  private let style: TextStyle
  private let live: LiveLine?
  /// The columns of the ids in the launch that began last.
  private let columns = Lock(0)

  init(output: StandardOutput, style: TextStyle, live: LiveLine?) {
    self.output = output
    self.style = style
    self.live = live
  }

  func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    switch event.kind {
    case .launchStarted:
      let width = Self.columns(of: outline.lazy.filter { $0.skip == nil }.map(\.id), style)
      columns.withLock { $0 = width }
    case .output(let step, _, _, let line):
      let text = Self.text(of: line, step, outline[step].id, columns: columns.withLock { $0 }, style)
      if let live { live.interrupting { output.offer(text) } } else { output.offer(text) }
    default: return
    }
  }

  /// Returns the number of columns to which the ids are padded.
  static func columns(of ids: some Sequence<String>, _ style: TextStyle) -> Int {
    min(idColumns, ids.lazy.map { DisplayWidth.of(style.visible($0)) }.max() ?? 0)
  }

  /// Returns a line of a step's output, with its line feed.
  static func text(of line: String, _ step: Int, _ id: String, columns: Int, _ style: TextStyle) -> String {
    let id = DisplayWidth.pad(style.fit(style.visible(id), to: idColumns), to: columns)
    return "\(style.paint("\(id) |", asStep: step)) \(style.visible(line))\n"
  }
}

/// Writes each event as one line of JSON when it happens.
///
/// The times of event handlers count from the start of the launch, like those of the launch.
final class EventLines: RecordObserver {
  private let output: StandardOutput
  /// The start of the launch on the monotonic clock.
  private let origin = Lock<Int64?>(nil)

  init(output: StandardOutput) { self.output = output }

  var usesOutput: Bool { true }

  func observe(_ event: StartupEvent, in record: StartupRecord, at clockTime: Int64) {
    origin.withLock { origin in
      let isFirst = origin == nil
      let start = origin ?? clockTime - event.time
      origin = start
      let startedAt = isFirst ? record.startedAt : nil
      write(event.json(in: record.outline, at: clockTime - start, startedAt: startedAt))
    }
  }

  /// Writes an event of a service that is ready.
  func write(_ event: ServiceEvent, step: Int, in outline: LaunchOutline) {
    // The lock keeps the lines in the order of their times.
    origin.withLock { origin in
      let now = MonotonicClock.now()
      let time = now - (origin ?? now)
      let kinds = event.kinds(ofStep: step)
      for kind in kinds { write(StartupEvent(kind, at: time).json(in: outline)) }
      if case .changed(let status) = event { write(status.json(at: time)) }
    }
  }

  private func write(_ line: String) { output.offer(line + "\n") }
}

extension ServiceEvent {
  /// The events of the launch's own kinds that describe this one.
  fileprivate func kinds(ofStep step: Int) -> [StartupEvent.Kind] {
    switch self {
    case .output(_, let attempt, let lines):
      lines.map { .output(step: step, attempt: attempt, stream: $0.stream, line: $0.text) }
    case .killed(_, _, let time): [.killed(step: step, after: time)]
    // The end is in the change of the state before it.
    case .changed, .ended: []
    }
  }
}

extension ServiceStatus {
  /// Returns the event `serviceChanged` as a line of JSON.
  fileprivate func json(at time: Int64) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", "serviceChanged")
      writer.member("at", time)
      writer.member("step", id)
      write(to: &writer)
    }
    return writer.text
  }
}

/// Prints the steps as they end, to a stream that has no live line.
final class ProgressLines: RecordObserver {
  private let output: StandardOutput
  private let progress: Lock<TextProgress>

  init(output: StandardOutput, report: TextReport) {
    self.output = output
    progress = Lock(TextProgress(report))
  }

  var usesOutput: Bool { false }

  func observe(_ event: StartupEvent, in record: StartupRecord, at clockTime: Int64) {
    print { $0.text(after: event, in: record) }
  }

  /// Prints the part of a launch's report that is not printed yet, after the launch has ended.
  func showRest(of record: StartupRecord) { print { $0.rest(of: record) } }

  /// Prints an event's handlers, which have ended.
  func show(_ event: EventRecord) { print { $0.text(of: event) } }

  private func print(_ text: (inout TextProgress) -> String) {
    progress.withLock { progress in
      let text = text(&progress)
      if !text.isEmpty { output.offer(text) }
    }
  }
}
