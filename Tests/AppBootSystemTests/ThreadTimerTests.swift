import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("A timer")
struct ThreadTimerTests {
  @Test("A thread timer makes calls by deadline and omits cancelled ones")
  func threads() async {
    let (timer, log, done) = (ThreadTimer(), Log(), Gate())
    // Late enough that even a slow machine cancels it in time.
    let cancelled = timer.schedule(after: Patience.nanoseconds) { log.add("cancelled") }
    cancelled.cancel()
    // The thread waits for this call when the earlier ones come.
    let last = timer.schedule(after: Patience.nanoseconds) { log.add("last") }
    timer.schedule(after: 1_000_000) { log.add("early") }
    // Its time is later than that of the call before, even if much time has passed in between.
    timer.schedule(after: 20_000_000) {
      log.add("late")
      done.open()
    }
    await done.passed()
    last.cancel()
    #expect(log.all == ["early", "late"])
  }

  @Test("A timer works again after its last call")
  func again() async {
    let timer = ThreadTimer()
    for _ in 1...20 {
      let done = Gate()
      timer.schedule(after: 0) { done.open() }
      await done.passed()
    }
  }

  @Test("A manual timer makes the calls that are due")
  func manual() {
    let (timer, log) = (ManualTimer(), Log())
    timer.schedule(after: 20) { log.add("b") }
    timer.schedule(after: 10) { log.add("a") }
    let cancelled = timer.schedule(after: 15) { log.add("cancelled") }
    cancelled.cancel()
    timer.advance(by: 9)
    #expect(log.all == [])
    timer.advance(by: 11)
    #expect(log.all == ["a", "b"])
    #expect(timer.pendingCalls == 0)
  }
}
