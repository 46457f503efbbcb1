import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Poller", .ownThread)
struct PollerTests {
  @Test("A poller reports only the descriptors that are ready")
  func ready() throws {
    let (poller, first, second) = (try Poller(), try Pipe(), try Pipe())
    try poller.add(first.readEnd, token: 1)
    try poller.add(second.readEnd, token: 2)
    #expect(try poller.wait(deadline: 0) == [])
    try second.put([7])
    #expect(try poller.wait() == [2])
    try first.put([7])
    #expect(try poller.wait().sorted() == [1, 2])
    poller.remove(second.readEnd)
    #expect(try poller.wait() == [1])
  }

  @Test("A poller reports a descriptor with room to write")
  func writable() throws {
    let (poller, pipe) = (try Poller(), try Pipe())
    try poller.add(pipe.writeEnd, token: 5, for: .writable)
    #expect(try poller.wait() == [5])
  }

  @Test("A poller waits until its deadline")
  func deadline() throws {
    let deadline = MonotonicClock.now() + 300_000
    #expect(try Poller().wait(deadline: deadline) == [])
    #expect(MonotonicClock.now() >= deadline)
  }

  @Test("Each wake ends one wait, before it begins or from another thread")
  func wake() throws {
    let poller = try Poller()
    poller.wake()
    #expect(try poller.wait() == [])
    let thread = try Thread.start(name: "waker") { poller.wake() }
    #expect(try poller.wait() == [])
    thread.join()
  }

  @Test("A poller reports a hang-up as ready")
  func hangUp() throws {
    let (poller, pipe) = (try Poller(), try Pipe())
    try poller.add(pipe.writeEnd, token: 9)
    pipe.closeReadEnd()
    #expect(try poller.wait() == [9])
  }
}
