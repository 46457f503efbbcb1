import AppBootSystem

/// A loop that waits for a process, reads its output, and forwards signals to it.
struct ProcessWatch {
  private enum Source: UInt64 {
    case exit, output, signal
  }

  private let process: Subprocess
  private let signals: SignalPipe
  private let signalsGroup: Bool
  private let poller: Poller
  private(set) var output: OutputTail
  /// The number of the first signal that arrived; `nil` if none did.
  private var signal: Int32?

  /// Starts a process. Call ``wait()`` next.
  ///
  /// - Parameters:
  ///   - signalsGroup: True to forward signals to the whole process group, for a process that forwards none.
  ///   - outputLimit: The maximum number of stored bytes of the output. The last ones are stored.
  /// - Throws: An error of the start; the process then does not run.
  init(
    starting request: ProcessRequest, _ signals: SignalPipe, signalsGroup: Bool = false,
    outputLimit: Int = 1 << 16
  ) throws {
    output = OutputTail(limit: outputLimit)
    self.signals = signals
    self.signalsGroup = signalsGroup
    poller = try Poller()
    try poller.add(signals.readDescriptor, token: Source.signal.rawValue)
    let exit: Int32
    (process, exit) = try request.startWatched()
    do {
      if let descriptor = process.outputDescriptor {
        try poller.add(descriptor, token: Source.output.rawValue)
      }
      try poller.add(exit, token: Source.exit.rawValue)
    } catch {
      process.killGroup(Signals.kill)
      throw error
    }
  }

  /// Waits until the process ends, and returns how it ended.
  ///
  /// - Throws: ``Interruption`` if a signal was forwarded; errors of the system.
  mutating func wait() throws -> ProcessEnd {
    while true {
      for token in try poller.wait() {
        switch Source(rawValue: token) {
        case .signal: forwardSignals()
        case .output: drain()
        case .exit:
          guard let end = process.end() else { continue }
          drain()
          process.finish()
          if let signal { throw Interruption(signal: signal) }
          return end
        case nil: continue
        }
      }
    }
  }

  private mutating func drain() {
    guard let descriptor = process.outputDescriptor else { return }
    var tail = output
    let isOpen = process.readOutput { tail.append($0) }
    output = tail
    if !isOpen { poller.remove(descriptor) }
  }

  private mutating func forwardSignals() {
    for number in signals.drain() {
      signal = signal ?? number
      Signals.send(number, to: signalsGroup ? -process.processIdentifier : process.processIdentifier)
    }
  }
}

/// The end of a wait by a signal that ends this process.
struct Interruption: Error {
  let signal: Int32
}
