import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem

/// The driver of a live view: it connects the screen with the terminal, the stream, the logs and the signals.
///
/// One thread waits for all input. A second thread sends requests and makes the page.
struct LiveView {
  /// The reason for the end of a view.
  enum End: Equatable {
    /// The user left. `stops` is true to stop the launch or app too.
    case left(stops: Bool)
    /// A signal, or HUP after the terminal has gone.
    case signalled(Int32)
  }

  private enum Token: UInt64 {
    case terminal, signals, stream, process
  }

  /// The nanoseconds between two looks at the logs, and between two redraws without an event: at most four a second.
  private static let interval: Int64 = 500_000_000

  private let tool: ToolContext
  private let source: StateSource
  private let terminal: RawTerminal
  let signals: SignalPipe
  private let poller: Poller
  private var stream: WatchStream?
  private var screen: LiveScreen
  private var log: LogTail
  /// The rows that the terminal shows.
  private var shown: [String] = []
  /// The message of a request that has ended.
  private let answer = Lock<String?>(nil)
  private var turns = 0

  /// Creates a view, and does not change the terminal.
  ///
  /// - Parameter stream: The events; `nil` if the launch has not begun, and the view waits for it.
  /// - Throws: ``ToolError`` without a terminal that can be redrawn.
  init(_ tool: ToolContext, _ source: StateSource, _ stream: WatchStream?, ownsLaunch: Bool) throws {
    (self.tool, self.source) = (tool, source)
    terminal = try Self.terminal(tool)
    signals = try SignalPipe.install(
      Signals.terminating + [Signals.windowChange, Signals.terminalStop, Signals.resume])
    poller = try Poller()
    screen = LiveScreen(style: tool.outputStyle)
    screen.ownsLaunch = ownsLaunch
    log = LogTail(state: source.directory, style: tool.outputStyle)
    try stream.map { try follow($0) }
  }

  /// Opens the terminal.
  ///
  /// - Throws: ``ToolError`` with what to use instead.
  static func terminal(_ tool: ToolContext) throws -> RawTerminal {
    guard tool.isTerminal, Terminal.type != "dumb", Terminal.type != nil, let terminal = try? RawTerminal()
    else {
      let help = "use `\(tool.name) status --watch`, and `\(tool.name) logs --follow`"
      throw ToolError(
        "the live view needs the foreground of a terminal that it can redraw: \(help)", exit: .usage)
    }
    return terminal
  }

  /// Shows the view until it ends, and then the normal screen again.
  ///
  /// - Parameter process: The process whose end ends the launch; `nil` if the view did not start it.
  mutating func run(until process: Subprocess? = nil) throws -> End {
    let exitDescriptor = try process?.exitDescriptor()
    try poller.add(terminal.descriptor, token: Token.terminal.rawValue)
    try poller.add(signals.readDescriptor, token: Token.signals.rawValue)
    if let exitDescriptor { try poller.add(exitDescriptor, token: Token.process.rawValue) }
    begin()
    defer { terminal.end() }
    var (nextLook, nextDraw) = (MonotonicClock.now(), Int64.max)
    while true {
      let ready = try poller.wait(deadline: screen.isSearching ? 0 : min(nextLook, nextDraw))
      screen.now = MonotonicClock.now()
      var mustDraw = screen.now >= nextDraw
      if ready.contains(Token.signals.rawValue) {
        if let end = takeSignals() { return end }
        mustDraw = true
      }
      if ready.contains(Token.terminal.rawValue) {
        guard let bytes = terminal.read() else { return .signalled(Signals.hangup) }
        for key in LiveKey.keys(in: bytes) { screen.type(key) }
        mustDraw = true
      }
      if let answer = answer.withLock({ $0.take() }) { (screen.message, mustDraw) = (answer, true) }
      if ready.contains(Token.stream.rawValue) {
        takeLines()
        // Many events together are one picture.
        nextDraw = min(nextDraw, screen.now + WatchStream.interval / 2)
      }
      if screen.now >= nextLook || ready.contains(Token.process.rawValue) {
        takeLines()
        if let process, process.end() != nil {
          exitDescriptor.map(poller.remove)
          // The launch failed before there was anything to see.
          if stream == nil { return .left(stops: false) }
        }
        readLogs()
        nextLook =
          screen.now + (screen.model.isLaunching && !screen.isOver ? WatchStream.interval : Self.interval)
        mustDraw = true
      }
      let wasSearching = screen.isSearching
      if let end = try carryOut() { return end }
      if wasSearching { nextDraw = screen.isSearching ? min(nextDraw, screen.now + Self.interval) : 0 }
      guard mustDraw || nextDraw == 0 else { continue }
      nextDraw = .max
      draw()
    }
  }

  // MARK: - What comes in

  private mutating func follow(_ stream: WatchStream) throws {
    (self.stream, screen.isReadOnly) = (stream, stream.isReadOnly)
    if let descriptor = stream.descriptor { try poller.add(descriptor, token: Token.stream.rawValue) }
  }

  private mutating func takeLines() {
    // The launch that this view waits for may have begun.
    if stream == nil { try? WatchStream(source).map { try follow($0) } }
    guard let stream, !screen.isOver else { return }
    for line in stream.lines() { screen.model.apply(line, at: screen.now) }
    guard stream.isOver else { return }
    screen.isOver = true
    screen.model.end()
    stream.descriptor.map(poller.remove)
  }

  private mutating func takeSignals() -> End? {
    for signal in signals.drain() {
      switch signal {
      case Signals.windowChange: begin()
      case Signals.terminalStop: if let end = suspend() { return end }
      // The shell has restored its own settings.
      case Signals.resume: if terminal.isForeground { begin() }
      default: return .signalled(signal)
      }
    }
    return nil
  }

  /// Reads the new lines of the log, and at every other call the last lines of the others.
  private mutating func readLogs() {
    guard let record = screen.model.record else { return }
    // Lines that the user has scrolled to do not move.
    if screen.logEnd == nil, !screen.isSearching {
      let (lines, isReset) = log.read(launchStartedAt: record.startedAt, of: record.count)
      screen.add(lines, isReset: isReset)
      screen.hasOlder = log.hasOlder
    }
    turns += 1
    guard turns % 2 == 1 else { return }
    let ids =
      screen.model.isLaunching
      ? record.filter { $0.state == .running }.map(\.id) : screen.model.services.map(\.id)
    screen.lastLines = log.lastLines(of: ids, launchStartedAt: record.startedAt)
  }

  // MARK: - What goes out

  private mutating func begin() {
    screen.size = terminal.size
    shown = []
    terminal.begin()
  }

  /// Restores the terminal, stops this process as a Control-Z does, and shows the view again when it is resumed.
  ///
  /// Returns the end of the view if a signal ends it meanwhile.
  private mutating func suspend() -> End? {
    terminal.end()
    repeat {
      SignalEventSource.suspend()
      if let signal = signals.drain().last(where: Signals.terminating.contains) { return .signalled(signal) }
    } while !terminal.isForeground
    begin()
    return nil
  }

  private mutating func carryOut() throws -> End? {
    for effect in screen.takeEffects() {
      switch effect {
      case .request(let action, let id): send(action, id)
      case .openPage: try openPage()
      case .select(let step):
        log.select(step)
        readLogs()
      case .readOlder:
        let lines = log.readOlder(of: screen.model.record?.count ?? 1)
        screen.hasOlder = log.hasOlder
        screen.add(older: lines)
      case .suspend: terminal.stopGroup()
      case .redraw: begin()
      case .quit(let stops): return .left(stops: stops)
      }
    }
    return nil
  }

  private func inBackground(_ body: @escaping @Sendable () -> String) {
    Thread.detach(name: "appboot-request") { [answer, poller] in
      let message = body()
      answer.withLock { $0 = message }
      poller.wake()
    }
  }

  private mutating func send(_ action: ServiceAction, _ id: String) {
    screen.message = "\(action.name) \(id): requested"
    inBackground { [source] in
      do {
        let answer = try ControlClient(source).ask(.service(action, id: id), timeout: nil)["service"]
        return "\(action.name) \(id): \(answer?["failure"]?.string ?? "done")"
      } catch {
        return "\(action.name) \(id): \(error.reportable.message)"
      }
    }
  }

  private func openPage() throws {
    let arguments = ["report", "--open", "--state", source.directory]
    guard let command = try Relaunch(arguments: tool.arguments)?.command(arguments) else { return }
    inBackground { [name = tool.name] in
      do {
        let process = try ProcessRequest(command, captureOutput: true).start()
        var output: [UInt8] = []
        _ = (process.wait(), process.readOutput { output += $0 })
        process.finish()
        // The place of the page, or the error.
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        let text = lines.map { $0.trimmingPrefix("\(name): ") }.joined(separator: "; ")
        return text.isEmpty ? "the page could not be made: try appboot report" : text
      } catch {
        return "the page could not be made: \(error)"
      }
    }
  }

  /// Writes the rows that have changed.
  private mutating func draw() {
    let rows = screen.text()
    var text = shown.count == rows.count ? "" : "\u{1B}[2J"
    for (index, row) in rows.enumerated() where shown.count != rows.count || shown[index] != row {
      // Erased first: after the last column, it would erase the last character.
      text += "\u{1B}[\(index + 1);1H\u{1B}[K\(row)"
    }
    // Rows that were dropped are drawn again.
    shown = text.isEmpty || terminal.write(text, unless: signals.readDescriptor) ? rows : []
  }
}
