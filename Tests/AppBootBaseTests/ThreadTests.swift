import AppBootBase
import AppBootTestSupport
import Testing

@Suite("Thread")
struct ThreadTests {
  @Test("A thread runs concurrently with its caller and can be joined")
  func join() throws {
    let (mayGo, hasGone) = (Gate(), Gate())
    let thread = try Thread.start(name: "test") {
      mayGo.wait()
      hasGone.open()
    }
    mayGo.open()
    thread.join()
    hasGone.wait()
  }

  @Test("A thread name may be longer than the system allows")
  func longName() throws {
    let thread = try Thread.start(name: String(repeating: "ü", count: 40)) {}
    thread.join()
    thread.join()
  }
}

@Suite("Condition")
struct ConditionTests {
  @Test("A signal wakes the thread that waits for a change")
  func signals() throws {
    let condition = Condition<[Int]>([])
    let thread = try Thread.start(name: "producer") {
      for number in 1...3 {
        condition.withLock { $0.append(number) }
        condition.signal()
      }
    }
    #expect(condition.wait { $0.count == 3 ? $0 : nil } == [1, 2, 3])
    thread.join()
  }

  @Test("A wait times out at its deadline")
  func deadline() {
    let condition = Condition<Int>(0)
    let deadline = MonotonicClock.now() + 1_000_000
    #expect(condition.wait(until: deadline) { $0 > 0 ? $0 : nil } == nil)
    #expect(MonotonicClock.now() >= deadline)
  }

  @Test("A wait returns an available value even after its deadline")
  func alreadyThere() {
    #expect(Condition<Int>(7).wait(until: 0) { $0 } == 7)
  }
}
