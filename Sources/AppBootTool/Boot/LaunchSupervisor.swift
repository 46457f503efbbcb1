import AppBoot
import AppBootReports
import AppBootSystem

/// Watches over a running launch from a thread of its own: answers signals, and redraws the live line.
///
/// The first INT, TERM or HUP tells the launch to stop, a second one ends the process at once; USR1
/// explains on standard error what is going on.
final class LaunchSupervisor: Sendable {
  private struct State {
    var runner: StartupRunner?
    var signal: Int32?
    var isOver = false
  }

  private let tool: ToolContext
  private let style: TextStyle
  private let live: LiveLine?
  private let poller: Poller
  private let pipe: SignalPipe
  private let state = Lock(State())

  init(_ tool: ToolContext, style: TextStyle, live: LiveLine?) throws(SystemError) {
    self.tool = tool
    self.style = style
    self.live = live
    pipe = try SignalPipe.install([Signals.interrupt, Signals.terminate, Signals.hangup, Signals.user1])
    poller = try Poller()
    try poller.add(pipe.readDescriptor, token: 0)
  }

  /// The signal that told the launch to stop.
  var signal: Int32? { state.withLock { $0.signal } }

  /// Starts the thread; signals are taken from now on.
  func start() throws(SystemError) {
    try Thread.start(name: "appboot-watch", stackSize: 1 << 18) { [self] in watch() }
  }

  /// Watches over a launch; one that was interrupted before it began is cancelled.
  func watch(_ runner: StartupRunner) {
    let signal = state.withLock { state in
      state.runner = runner
      return state.signal
    }
    if let signal { runner.cancel(Signals.name(signal)) }
  }

  /// Ends the watch; the line is gone when this returns.
  func finish() {
    state.withLock { $0.isOver = true }
    live?.finish()
    poller.wake()
  }

  private func watch() {
    while !state.withLock({ $0.isOver }) {
      let deadline = live.map { _ in MonotonicClock.now() + LiveLine.interval }
      guard let tokens = try? poller.wait(deadline: deadline) else { return }
      if tokens.isEmpty {
        guard !state.withLock({ $0.isOver }) else { return }
        redraw()
      } else {
        pipe.drain().forEach(answer)
      }
    }
  }

  private func redraw() {
    guard let (record, time) = snapshot() else { return }
    live?.draw(record, at: time)
  }

  private func answer(_ signal: Int32) {
    guard signal != Signals.user1 else { return explain() }
    let (isFirst, runner) = state.withLock { state in
      defer { state.signal = state.signal ?? signal }
      return (state.signal == nil, state.runner)
    }
    if isFirst {
      runner?.cancel(Signals.name(signal))
    } else {
      live?.finish()
      Signals.raiseDefault(signal)
    }
  }

  private func snapshot() -> (record: StartupRecord, time: Int64)? {
    state.withLock { $0.runner }?.snapshot()
  }

  private func explain() {
    guard let (record, time) = snapshot() else { return }
    let text = LiveExplanation(style: style).text(of: record, at: time)
    if let live { live.interrupting { tool.errors.write(text) } } else { tool.errors.write(text) }
  }
}
