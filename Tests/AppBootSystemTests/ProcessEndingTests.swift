import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("ProcessEnding", .ownProcess, .serialized)
struct ProcessEndingTests {
  /// Starts a shell whose child answers TERM with "bye". Returns when the child has printed "up".
  ///
  /// - Parameter launcher: The words before the shell of the child.
  private func start(_ launcher: String = "", handler: String = "echo bye; exit") throws -> Subprocess {
    let child = "trap '\(handler)' TERM; echo up; while :; do sleep 0.01; done"
    let process = try ProcessRequest(
      ["sh", "-c", #"\#(launcher) sh -c "$0" & wait"#, child], environment: ["MARK": "ending"],
      captureOutput: true
    ).start()
    _ = read(process, until: "up")
    return process
  }

  /// Reads the output until it contains a text, or until its end.
  private func read(_ process: Subprocess, until text: String? = nil) -> String {
    var bytes: [UInt8] = []
    var isOpen = true
    while isOpen {
      isOpen = process.readOutput { bytes += $0 }
      if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func wait(for ending: inout ProcessEnding) {
    while !ending.isOver(at: MonotonicClock.now()) {}
  }

  @Test("The handler of a process behind a shell finishes, although the shell has ended")
  func behindShell() throws {
    let process = try start(handler: "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; echo bye; exit")
    var ending = ProcessEnding(of: process, marks: [:])
    ending.ask(Signals.terminate)
    #expect(process.wait() == .signalled(Signals.terminate))
    wait(for: &ending)
    #expect(read(process).contains("bye"))
    process.finish()
  }

  @Test("A process that ignores the signal runs until it is killed")
  func stubborn() throws {
    let process = try start(handler: "")
    var ending = ProcessEnding(of: process, marks: [:])
    ending.ask(Signals.terminate)
    #expect(process.wait() == .signalled(Signals.terminate))
    for _ in 0..<10 {
      let isOver = ending.isOver(at: MonotonicClock.now())
      #expect(!isOver)
    }
    ending.kill()
    wait(for: &ending)
    #expect(!read(process).contains("bye"))
    process.finish()
  }

  @Test("The ending of a process that left no others is over at once, with and without a signal")
  func alone() throws {
    for asks in [true, false] {
      let process = try ProcessRequest(["sh", "-c", "exit 3"]).start()
      _ = process.wait()
      var ending = ProcessEnding(of: process, marks: [:])
      if asks { ending.ask(Signals.terminate) }
      let isOver = ending.isOver(at: MonotonicClock.now())
      #expect(isOver)
      process.finish()
    }
  }

  #if os(Linux)
  @Test("A process that left the group has time to end, also if its parent waits for it")
  func waitedFor() throws {
    let child = "trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.01; done"
    let process = try ProcessRequest(
      ["sh", "-c", #"trap : TERM; setsid -w sh -c "$0"; exit 3"#, child], captureOutput: true
    ).start()
    _ = read(process, until: "up")
    var ending = ProcessEnding(of: process, marks: [:])
    ending.ask(Signals.terminate)
    #expect(process.wait() == .exited(3))
    wait(for: &ending)
    #expect(read(process).contains("bye"))
    process.finish()
  }

  @Test("A process that left the group receives the signal, and has time to end after its parent")
  func leftGroup() throws {
    let process = try start("setsid")
    var ending = ProcessEnding(of: process, marks: ["MARK": "ending"])
    ending.ask(Signals.terminate)
    #expect(process.wait() == .signalled(Signals.terminate))
    wait(for: &ending)
    #expect(read(process).contains("bye"))
    process.finish()
  }
  #endif
}
