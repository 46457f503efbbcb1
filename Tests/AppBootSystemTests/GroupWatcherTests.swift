import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("The watcher of process groups", .ownThread)
struct GroupWatcherTests {
  private let pipe: (read: Int32, write: Int32)
  private let watcher: Subprocess

  init() throws {
    pipe = try Descriptor.makePipe()
    watcher = try GroupWatcher.request(reading: pipe.read).start()
    Descriptor.close(pipe.read)
  }

  private func start(_ launch: String = "0") throws -> Subprocess {
    try ProcessRequest(["sleep", "600"], environment: [GroupWatcher.launchVariable: launch]).start()
  }

  /// Writes lines to the watcher, ends its input, and waits until it has ended.
  private func write(_ lines: [String]) throws {
    try FileSystem.writeAll(pipe.write, Array(lines.map { $0 + "\n" }.joined().utf8), path: nil)
    Descriptor.close(pipe.write)
    #expect(watcher.wait() == .exited(0))
  }

  @Test("The watcher kills the groups that have not ended when its pipe closes, and no others")
  func groups() throws {
    let processes = try (0..<4).map { _ in try start() }
    defer { for process in processes { process.kill(Signals.kill) } }
    let groups = processes.map(\.processIdentifier)
    // The end of a group that is not known, and one that comes twice, have no effect on the others.
    try write(groups.map { "\($0)" } + ["-\(groups[2])", "-\(groups[2])", "-1", "-\(groups[0])"])
    #expect(processes[1].wait() == .signalled(Signals.kill))
    #expect(processes[3].wait() == .signalled(Signals.kill))
    #expect(processes[0].end() == nil && processes[2].end() == nil)
  }

  #if os(Linux)
  @Test("The watcher kills a process that left its group, if it has the variable of a launch")
  func launch() throws {
    let launch = "20260101T000000Z-\(Host.processIdentifier)"
    let (own, other) = (try start(launch), try start(launch + "1"))
    defer { other.kill(Signals.kill) }
    // The group of the process is not known.
    try write(["launch \(launch)"])
    #expect(own.wait() == .signalled(Signals.kill))
    #expect(other.end() == nil)
  }
  #endif
}
