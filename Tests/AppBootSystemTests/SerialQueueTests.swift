import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("A serial queue")
struct SerialQueueTests {
  private let log = Log()

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

  @Test("A job for an idle queue runs after the jobs that other jobs add")
  func idle() {
    let queue = SerialQueue()
    queue.add { [log] in
      queue.whenIdle { log.add("idle") }
      queue.add { queue.add { log.add("late") } }
    }
    queue.whenIdle { [log] in log.add("idle again") }
    #expect(log.all == ["late", "idle", "idle again"])
  }

  @Test("A queue knows whether the calling thread runs its jobs")
  func runningHere() async {
    let queue = SerialQueue()
    let (isRunning, mayEnd) = (Gate(), Gate())
    let inJob = Task {
      await onThread {
        let found = Lock(false)
        queue.add {
          found.withLock { $0 = queue.isRunningHere }
          isRunning.open()
          mayEnd.wait()
        }
        return found.withLock(\.self) && !queue.isRunningHere
      }
    }
    await isRunning.passed()
    #expect(!queue.isRunningHere)
    mayEnd.open()
    #expect(await inJob.value)
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
    let queue = SerialQueue(executor: loop.execute)
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
