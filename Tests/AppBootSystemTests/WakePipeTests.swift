import AppBootSystem
import Testing

@Suite("A wake pipe")
struct WakePipeTests {
  @Test("Its descriptor is readable from a wake to the next drain")
  func wakes() throws {
    let pipe = try WakePipe()
    let poller = try Poller()
    try poller.add(pipe.readDescriptor, token: 7)
    #expect(try poller.wait(deadline: 0).isEmpty)
    pipe.wake()
    pipe.wake()
    #expect(try poller.wait(deadline: 0) == [7])
    pipe.drain()
    #expect(try poller.wait(deadline: 0).isEmpty)
  }

  @Test("A wake after the close does nothing")
  func closed() throws {
    let pipe = try WakePipe()
    pipe.close()
    pipe.wake()
    pipe.drain()
    pipe.close()
  }
}
