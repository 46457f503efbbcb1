import AppBootSystem
import Testing

@Suite("Signals", .serialized)
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
    #expect(try SignalPipe.install([Signals.user1]).readDescriptor == pipe.readDescriptor)
    Signals.send(Signals.user1, to: Host.processIdentifier)
    #expect(waitForSignals(pipe) == [Signals.user1])
    Signals.send(Signals.user2, to: Host.processIdentifier)
    #expect(waitForSignals(pipe) == [Signals.user2])
    #expect(pipe.drain() == [])
    Signals.restoreDefault(Signals.user1)
    Signals.restoreDefault(Signals.user2)
  }

  @Test("A signal can be ignored and restored to its default action")
  func ignoring() {
    Signals.ignore(Signals.windowChange)
    #expect(Signals.isIgnored(Signals.windowChange))
    Signals.restoreDefault(Signals.windowChange)
    #expect(!Signals.isIgnored(Signals.windowChange))
  }

  private func waitForSignals(_ pipe: SignalPipe) -> [Int32] {
    guard let poller = try? Poller() else { return [] }
    try? poller.add(pipe.readDescriptor, token: 1)
    _ = try? poller.wait(deadline: MonotonicClock.now() + 10_000_000_000)
    return pipe.drain()
  }
}
