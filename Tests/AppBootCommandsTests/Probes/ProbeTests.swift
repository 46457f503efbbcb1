import AppBoot
import AppBootSystem
import AppBootTestKit
import Testing
import AppBootTestSupport

@testable import AppBootCommands

@Suite("A probe")
struct ProbeTests {
  @Test(
    "A probe of this machine looks again after 1/32 of the time so far, 1 ms to 4 ms, and later less often")
  func localPace() {
    func pause(_ elapsed: Int64) -> Int64 { ProbePace.local.pause(after: elapsed, attempt: 1) }
    #expect(pause(0) == 1_000_000)
    #expect(pause(64_000_000) == 2_000_000)
    #expect(pause(1_000_000_000) == 4_000_000)
    #expect(pause(60_000_000_000) == 30_000_000)
    #expect(pause(3_600_000_000_000) == 1_000_000_000)
  }

  @Test("A program or another machine is tried again after 1/4 to 1/2 of the time so far, from 2.5 ms to 1 s")
  func remotePace() {
    func pauses(_ elapsed: Int64, _ attempt: Int64 = 1) -> ClosedRange<Int64> {
      ProbePace.remote.pauses(after: elapsed, attempt: attempt)
    }
    #expect(pauses(0) == 5_000_000...5_000_000)
    #expect(pauses(400_000_000) == 100_000_000...200_000_000)
    #expect(pauses(3_600_000_000_000) == 500_000_000...1_000_000_000)
    #expect(pauses(0, 700_000_000) == 700_000_000...700_000_000)
  }

  @Test("A probe returns a last answer that has changed, at most once a second")
  func news() throws {
    let probe = Probe(
      ScriptedCheck([.unready("a"), .unready("b"), .unready("b"), .unready("c")]), every: 1_000_000, at: 0)
    _ = probe.advance(at: 0)
    #expect(probe.takeNews(at: 999_999_999) == nil)
    _ = probe.advance(at: 1_000_000_000)
    #expect(probe.takeNews(at: 1_000_000_000) == "b")
    _ = probe.advance(at: 2_000_000_000)
    #expect(probe.takeNews(at: 2_000_000_000) == nil)
    _ = probe.advance(at: 3_000_000_000)
    #expect(probe.takeNews(at: 3_000_000_000) == "c")
  }

  @Test("A fixed interval counts from the start of one attempt to the start of the next")
  func fixedPace() {
    #expect(ProbePace.every(50_000_000).pause(after: 0, attempt: 20_000_000) == 30_000_000)
    #expect(ProbePace.every(50_000_000).pause(after: 3_600_000_000_000, attempt: 60_000_000) == 1_000_000)
    let probe = Probe(ScriptedCheck([.unready("a")]), every: 50_000_000, at: 0)
    _ = probe.advance(at: 0)
    #expect(probe.nextDeadline == 50_000_000)
  }

  @Test("An attempt that has not ended is looked at after 1/32 of its time, on this machine at most 4 ms")
  func lookPace() {
    #expect(ProbePace.local.look(after: 0) == 1_000_000)
    #expect(ProbePace.local.look(after: 3_200_000_000) == 4_000_000)
    #expect(ProbePace.remote.look(after: 3_200_000_000) == 100_000_000)
  }

  @Test("A probe looks only when its time has come, and counts its attempts")
  func attempts() {
    let check = ScriptedCheck([.unready("a"), .undecided("b"), .unready("c"), .ready("d")])
    let probe = Probe(check, at: 0)
    #expect(probe.obstacle == nil)
    #expect(probe.advance(at: 0) == .waiting)
    #expect(probe.obstacle == "a (1 attempt)")
    #expect(probe.nextDeadline == 1_000_000)
    #expect(probe.advance(at: 999_999) == .waiting)
    #expect(check.looks == 1)
    #expect(probe.advance(at: 1_000_000) == .waiting)
    #expect(probe.obstacle == "a (2 attempts)")
    #expect(probe.advance(at: 2_000_000) == .waiting)
    #expect(probe.obstacle == "c (2 attempts)")
    #expect(probe.advance(at: 320_000_000) == .ready("d"))
    #expect(check.looks == 4)
  }

  @Test("An attempt that takes long is what was seen last")
  func longAttempt() {
    let probe = Probe(
      ScriptedCheck([.undecided("a"), .unready("b"), .undecided("c"), .undecided("c")]), at: 0)
    _ = probe.advance(at: 0)
    #expect(probe.obstacle == "a (1 attempt)")
    _ = probe.advance(at: 1_000_000)
    _ = probe.advance(at: 1_000_000_000)
    #expect(probe.obstacle == "b (2 attempts)")
    _ = probe.advance(at: 2_000_000_000)
    #expect(probe.obstacle == "c (2 attempts)")
  }

  @Test("A probe that was ready looks no more")
  func once() {
    let check = ScriptedCheck([.ready("a"), .unready("b")])
    let probe = Probe(check, at: 0)
    #expect(probe.advance(at: 0) == .ready("a"))
    #expect(probe.nextDeadline == nil)
    #expect(probe.advance(at: 1_000_000_000) == .ready("a"))
    #expect(check.looks == 1)
  }

  @Test("A closed probe looks no more, and closes its check once")
  func closed() {
    let check = ScriptedCheck([.unready("a")])
    let probe = Probe(check, at: 0)
    _ = probe.advance(at: 0)
    probe.close()
    probe.close()
    #expect(probe.advance(at: 1_000_000_000) == .waiting)
    #expect(probe.nextDeadline == nil)
    #expect(check.closes == 1)
  }

  @Test("A condition that can never hold fails the probe")
  func impossible() {
    let probe = Probe(ScriptedCheck([.impossible("no")]), at: 0)
    #expect(probe.advance(at: 0) == .failed("no"))
  }

  @Test("A probe with a delay makes its first check after it")
  func delay() {
    let check = ScriptedCheck([.ready("a")])
    let probe = Probe(check, after: 5_000_000_000, at: 1_000_000_000)
    #expect(probe.nextDeadline == 6_000_000_000)
    #expect(probe.advance(at: 5_999_999_999) == .waiting)
    #expect(check.looks == 0)
    #expect(probe.advance(at: 6_000_000_000) == .ready("a"))
  }

  @Test("A probe with a number of failures fails with the last of them")
  func failures() {
    let probe = Probe(ScriptedCheck([.unready("a"), .undecided("b"), .unready("c")]), failures: 2, at: 0)
    #expect(probe.advance(at: 0) == .waiting)
    #expect(probe.advance(at: 1_000_000_000) == .waiting)
    #expect(probe.advance(at: 2_000_000_000) == .failed("the check failed 2 times: c"))
  }

  @Test("A file is ready if it exists")
  func file() throws {
    let directory = try TemporaryDirectory()
    let check = FileCheck(path: directory.file("a"), name: "a")
    #expect(check.look(at: 0) == .unready(#"there is no file "a""#))
    try directory.write("a", "")
    #expect(check.look(at: 0) == .ready(#""a" exists"#))
  }

  @Test("A line of output that matches the pattern is ready, and only the first one counts")
  func output() throws {
    let probe = Probe(OutputCheck(expression: try SearchExpression("listening on [0-9]+")), at: 0)
    #expect(probe.nextDeadline == nil)
    #expect(probe.advance(at: 0) == .waiting)
    #expect(
      probe.obstacle == #"it printed no line; one that matches "listening on [0-9]+" makes it ready"#)
    probe.feed(ProbedLine(text: "starting"))
    #expect(probe.advance(at: 0) == .waiting)
    #expect(probe.obstacle == #"no line of its output matches "listening on [0-9]+""#)
    probe.feed(ProbedLine(text: "listening on 80"))
    probe.feed(ProbedLine(text: "listening on 81"))
    #expect(probe.advance(at: 0) == .ready(#"it printed "listening on 80""#))
  }

  @Test("A pattern matches a line of output without its colours")
  func colored() throws {
    let probe = Probe(OutputCheck(expression: try SearchExpression("listening", matchesWords: true)), at: 0)
    probe.feed(ProbedLine(text: "\u{1B}[32mlistening\u{1B}[0m on \u{1B}[1m80"))
    #expect(probe.advance(at: 0) == .ready(#"it printed "listening on 80""#))
  }

  @Test("A service that reports READY=1 is ready, with its status")
  func notify() throws {
    let probe = Probe(NotifyCheck(socket: try NotificationSocket()), at: 0)
    let path = try #require(probe.environment["NOTIFY_SOCKET"])
    #expect(probe.descriptors.count == 1)
    #expect(probe.advance(at: 0) == .waiting)
    try NotificationSocket.send("STATUS=loading", to: path)
    #expect(probe.advance(at: 0) == .waiting)
    #expect(probe.obstacle == #"it has not reported READY=1; its status is "loading""#)
    try NotificationSocket.send("MAINPID=1\nREADY=1\nSTATUS=serving", to: path)
    #expect(probe.advance(at: 0) == .ready("serving"))
    #expect(probe.status == "serving")
    // More than the system stores for a socket.
    for _ in 0..<2000 {
      try NotificationSocket.send("WATCHDOG=1", to: path)
      probe.discardMessages()
    }
    #expect(probe.status == "serving")
    probe.close()
    #expect(probe.descriptors == [])
    #expect(!FileSystem.exists(FileSystem.directory(of: path)))
  }
}
