import Testing

@testable import AppBootSystem

@Suite("The policy of termination")
struct TerminationPolicyTests {
  private static let (int, term, hup, quit) = (
    Signals.interrupt, Signals.terminate, Signals.hangup, Signals.quit
  )

  private func effects(
    of signals: [(number: Int32, time: Int64)], in policy: TerminationPolicy = TerminationPolicy()
  ) -> [TerminationPolicy.Effect] {
    var policy = policy
    return signals.map { policy.receive($0.number, at: $0.time) }
  }

  @Test(
    "The first signal begins the end, and QUIT ends the process at once", arguments: [int, term, hup, quit])
  func first(signal: Int32) {
    #expect(effects(of: [(signal, 5)]) == [signal == Self.quit ? .endAtOnce : .end])
  }

  @Test("The same signal has no effect within 50 ms, and ends the process later")
  func repetition() {
    let limit: Int64 = 50_000_000
    let signals = [(Self.term, 5), (Self.term, 5), (Self.term, 4 + limit), (Self.term, 5 + limit)]
    #expect(effects(of: signals) == [.end, .nothing, .nothing, .endAtOnce])
  }

  @Test("Another signal ends the process at any time")
  func another() {
    #expect(effects(of: [(Self.term, 5), (Self.int, 5), (Self.term, 6)]) == [.end, .endAtOnce, .nothing])
    #expect(effects(of: [(Self.int, 5), (Self.quit, 6)]) == [.end, .endAtOnce])
  }

  @Test("If a process has nothing to stop, the first INT ends it at once")
  func interruption() {
    let policy = TerminationPolicy(interruptsAtOnce: true)
    #expect(effects(of: [(Self.int, 5)], in: policy) == [.endAtOnce])
    #expect(effects(of: [(Self.term, 5), (Self.int, 6)], in: policy) == [.end, .endAtOnce])
  }
}
