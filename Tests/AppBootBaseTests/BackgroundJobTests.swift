import AppBootTestSupport
import Testing

@testable import AppBootBase

@Suite("BackgroundJob", .ownThread)
struct BackgroundJobTests {
  private func wait(_ job: BackgroundJob) { job.settle(within: .max) }

  @Test("A job runs on another thread after each request, and settles")
  func runs() {
    let job = BackgroundJob(name: "job")
    let threads = Lock<[UInt]>([])
    for _ in 0..<3 {
      job.request { threads.withLock { $0.append(Thread.current) } }
      wait(job)
    }
    let found = threads.withLock(\.self)
    #expect(found.count == 3 && !found.contains(Thread.current))
  }

  @Test("Of several requests during a job, only the last one runs")
  func coalesces() throws {
    let job = BackgroundJob(name: "job")
    let pipe = try Pipe()
    let ran = Lock<[Int]>([])
    let begun = try Pipe()
    job.request { [pipe, begun] in
      try? begun.put([0])
      pipe.count(to: 1)
      ran.withLock { $0.append(0) }
    }
    // The first job has begun, and waits for a byte.
    begun.count(to: 1)
    for number in 1...3 { job.request { ran.withLock { $0.append(number) } } }
    try pipe.put([0])
    wait(job)
    #expect(ran.withLock(\.self) == [0, 3])
  }

  @Test("The wait for a job ends at its deadline")
  func deadline() throws {
    let job = BackgroundJob(name: "job")
    let pipe = try Pipe()
    job.request { [pipe] in pipe.count(to: 1) }
    job.settle(within: 0)
    try pipe.put([0])
    wait(job)
  }
}
