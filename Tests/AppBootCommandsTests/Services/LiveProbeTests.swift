import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("A live probe")
struct LiveProbeTests {
  private func probe(_ check: any ProbeCheck, failures: Int = 2) -> LiveProbe {
    var probe = LiveProbe(check, every: .milliseconds(100), failures: failures, timeout: .milliseconds(40))
    probe.begin(at: 0)
    return probe
  }

  @Test(
    "A service is unhealthy after the allowed number of failed checks in a row, and healthy after an answer")
  func row() {
    var live = probe(
      ScriptedCheck([.unready("a"), .ready("b"), .unready("c"), .unready("d"), .unready("e"), .ready("f")]))
    #expect(live.advance(at: 99_999_999) == nil && live.health == nil)
    #expect(live.advance(at: 100_000_000) == nil && live.health == nil)
    #expect(live.due == 200_000_000)
    #expect(live.advance(at: 200_000_000) == nil && live.health == .healthy("b"))
    #expect(live.advance(at: 300_000_000) == nil && live.health == .healthy("b"))
    #expect(live.advance(at: 400_000_000) == .unhealthy("the live probe failed 2 times: d"))
    #expect(live.advance(at: 500_000_000) == nil)
    #expect(live.health == .unhealthy("the live probe failed 3 times: e"))
    #expect(live.advance(at: 600_000_000) == .healthy("f"))
  }

  @Test("A check without an answer fails after its timeout, and the next one begins on time")
  func timeout() {
    let check = ScriptedCheck([.undecided("no answer"), .undecided("no answer"), .unready("a")])
    var live = probe(check, failures: 1)
    #expect(live.advance(at: 100_000_000) == nil && live.due == 101_000_000)
    #expect(live.advance(at: 140_000_000) == .unhealthy("the live probe failed once: no answer after 40ms"))
    #expect(check.closes == 1 && live.due == 200_000_000)
  }

  @Test("A check that ends later than the next one is due is followed by it at once")
  func late() {
    var live = probe(ScriptedCheck([.undecided("a"), .ready("b")]))
    _ = live.advance(at: 100_000_000)
    _ = live.advance(at: 130_000_000)
    #expect(live.due == 200_000_000)
    live.close()
    #expect(live.due == nil && live.advance(at: 1_000_000_000) == nil)
  }

  @Test("A server that accepts a connection and does not answer fails an http check")
  func silentServer() throws {
    let listener = try SocketListener()
    let url = "http://127.0.0.1:\(listener.port)/"
    let context = LaunchPlan(sequence: [FakeCommand()]).detachedContexts()(0)
    var live = try LivenessProbe.http(url, every: .milliseconds(20), failures: 2).start(
      in: context, beside: ProcessRequest(["true"], of: context))
    live.begin(at: 0)
    var health: ServiceHealth?
    while health == nil { health = live.advance(at: MonotonicClock.now()) }
    #expect(health == .unhealthy("the live probe failed 2 times: no response yet from \(url) after 20ms"))
    live.close()
  }
}
