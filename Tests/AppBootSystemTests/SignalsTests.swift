import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("Signals", .serialized, .ownProcess)
struct SignalsTests {
  @Test("A signal has a name and a number")
  func names() {
    #expect(Signals.name(Signals.terminate) == "SIGTERM")
    #expect(Signals.name(99) == "signal 99")
    #expect(Signals.number(named: "term") == Signals.terminate)
    #expect(Signals.number(named: "SIGKILL") == 9)
    #expect(Signals.number(named: "nothing") == nil)
  }

  @Test("A pipe reports each signal once, in order")
  func pipe() throws {
    let pipe = try SignalPipe.install([Signals.user1, Signals.user2])
    #expect(try signals(of: pipe, after: Signals.user1) == [Signals.user1])
    #expect(try signals(of: pipe, after: Signals.user2) == [Signals.user2])
    #expect(pipe.drain() == [])
    pipe.stopReporting([Signals.user1, Signals.user2])
    #expect(Signals.hasDefaultAction(Signals.user1))
  }

  @Test("Each of two readers receives each of 100 signals")
  func readers() throws {
    let pipes = [try SignalPipe.install([Signals.hangup]), try SignalPipe.install([Signals.hangup])]
    for _ in 0..<100 {
      #expect(try signals(of: pipes[0], after: Signals.hangup) == [Signals.hangup])
      #expect(try signals(of: pipes[1], after: nil) == [Signals.hangup])
    }
    for pipe in pipes { pipe.stopReporting([Signals.hangup]) }
  }

  @Test("A reader that stops leaves the signals of the others handled")
  func stopping() throws {
    let pipe = try SignalPipe.install([Signals.user1, Signals.user2])
    try SignalPipe.install([Signals.user1]).stopReporting([Signals.user1])
    #expect(!Signals.hasDefaultAction(Signals.user1))
    #expect(try signals(of: pipe, after: Signals.user1) == [Signals.user1])
    pipe.stopReporting([Signals.user1])
    #expect(Signals.hasDefaultAction(Signals.user1))
    #expect(!Signals.hasDefaultAction(Signals.user2))
    pipe.stopReporting([Signals.user2])
  }

  @Test("A new reader receives no signals that arrived before it")
  func newReader() throws {
    do {
      let pipe = try SignalPipe.install([Signals.user1])
      Signals.send(Signals.user1, to: Host.processIdentifier)
      waitForSignals(pipe)
    }
    #expect(try SignalPipe.install([Signals.user1]).drain() == [])
    Signals.restoreDefault(Signals.user1)
  }

  @Test("A signal can be ignored and restored to its default action")
  func ignoring() {
    Signals.ignore(Signals.windowChange)
    #expect(Signals.isIgnored(Signals.windowChange))
    Signals.restoreDefault(Signals.windowChange)
    #expect(!Signals.isIgnored(Signals.windowChange))
  }

  /// Sends a signal to this process, waits until the pipe has one, and returns those that it has.
  private func signals(of pipe: SignalPipe, after signal: Int32?) throws -> [Int32] {
    if let signal { Signals.send(signal, to: Host.processIdentifier) }
    waitForSignals(pipe)
    return pipe.drain()
  }

  private func waitForSignals(_ pipe: SignalPipe) {
    guard let poller = try? Poller() else { return }
    try? poller.add(pipe.readDescriptor, token: 1)
    _ = try? poller.wait(deadline: Patience.end)
  }
}
