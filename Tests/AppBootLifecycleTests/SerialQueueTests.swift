import AppBoot
import AppBootLifecycle
import Testing

@Suite("A serial queue")
struct SerialQueueTests {
  private let log = EventLog()

  @Test("Jobs run in order, and a job that another one adds runs after it")
  func order() {
    let queue = SerialQueue()
    queue.add { [log] in
      log.add("a begins")
      queue.add { log.add("b") }
      log.add("a ends")
    }
    queue.add { [log] in log.add("c") }
    #expect(log.all == ["a begins", "a ends", "b", "c"])
  }

  @Test("A held queue runs no jobs")
  func held() {
    let queue = SerialQueue(isHeld: true)
    for name in ["a", "b"] { queue.add { [log] in log.add(name) } }
    #expect(log.all == [])
    queue.release()
    queue.add { [log] in log.add("c") }
    #expect(log.all == ["a", "b", "c"])
  }

  @Test("A main loop runs all jobs added before it stops")
  func loop() {
    let loop = MainLoop()
    let queue = SerialQueue(executor: loop)
    queue.add { [log] in log.add("a") }
    queue.add { [log] in
      log.add("b")
      loop.stop()
      loop.execute { log.add("c") }
    }
    #expect(log.all == [])
    loop.run()
    #expect(log.all == ["a", "b", "c"])
  }
}
