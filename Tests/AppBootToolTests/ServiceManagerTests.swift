import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The service manager's socket", .ownThread)
struct ServiceManagerTests {
  @Test("A launch that succeeds reports READY=1, and its processes do not see the socket")
  func ready() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let entry = Entry.shell("echo ${NOTIFY_SOCKET-none} > seen", id: "a")
    let tool = try ToolProcess("run").environment("NOTIFY_SOCKET", socket.path).manifest("[\(entry)]")
    #expect(try tool.run().status == 0)
    #expect(socket.assignments() == ["READY=1", "STATUS=booted"])
    #expect(try FileSystem.readFile(tool.directory.file("seen")) == Array("none\n".utf8))
  }

  @Test("A plan without processes reports READY=1 too, and a launch that fails names its failed step")
  func others() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let failing = try ToolProcess("run").environment("NOTIFY_SOCKET", socket.path)
      .manifest("[\(Entry.shell("exit 1", id: "a"))]")
    #expect(try failing.run().status == 1)
    let status = socket.assignments()
    #expect(
      status.count == 1 && status[0].hasPrefix("STATUS=Test did not boot: a failed at "), "\(status)")
    let plain = try ToolProcess("run").environment("NOTIFY_SOCKET", socket.path).manifest(#"["Appearance"]"#)
    #expect(try plain.run().status == 0)
    #expect(socket.assignments() == ["READY=1", "STATUS=booted"])
  }

  @Test("An app with services is ready when they are, and reports STOPPING=1 at its end")
  func services() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let service =
      #"{ "command": "RunService", "id": "web", "with": { "ready": { "output": "up" }, "arguments": "#
      + #"["sh", "-c", "echo up; exec sleep 1000"] } }"#
    let running = try ToolProcess("run", "--format", "jsonl").environment("NOTIFY_SOCKET", socket.path)
      .manifest("[\(service)]").start()
    #expect(try running.waitForOutput(#""kind":"launchEnded""#))
    let poller = try Poller()
    try poller.add(socket.readDescriptor, token: 0)
    _ = try poller.wait(deadline: Patience.end)
    #expect(socket.assignments() == ["READY=1", "STATUS=booted"])
    running.signal(Signals.terminate)
    #expect(try running.finish().status == 0)
    #expect(socket.assignments() == ["STOPPING=1", "STATUS=stopping"])
  }

  /// Waits until an assignment with the given end has arrived, and returns all that have arrived.
  private func assignments(_ socket: NotificationSocket, until last: String) throws -> [String] {
    let poller = try Poller()
    try poller.add(socket.readDescriptor, token: 0)
    let deadline = Patience.end
    var all: [String] = []
    while !all.contains(where: { $0.hasSuffix(last) }), MonotonicClock.now() < deadline {
      _ = try poller.wait(deadline: deadline)
      all += socket.assignments()
    }
    return all
  }

  /// Returns an app that stays, for which the manager's watchdog waits 100 ms.
  private func watched(_ socket: NotificationSocket, process: String) throws -> RunningTool {
    try ToolProcess("run", "--stay", "--format", "jsonl").environment("NOTIFY_SOCKET", socket.path)
      .script(
        "export WATCHDOG_USEC=100000 WATCHDOG_PID=\(process); exec \"$0\" \"$@\" 2>\"$APPBOOT_TEST_ERRORS\""
      )
      .manifest(
        "[]",
        members:
          #""name": "Test", "on": { "didReceiveReload": [\#(Entry.shell("echo again", id: "reload"))] }"#
      )
      .start()
  }

  @Test("An app reports WATCHDOG=1 while it is up")
  func watchdog() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let running = try watched(socket, process: "$$")
    #expect(try assignments(socket, until: "WATCHDOG=1").prefix(2) == ["READY=1", "STATUS=booted"])
    running.signal(Signals.terminate)
    #expect(try running.finish().status == 0)
  }

  @Test("HUP reports RELOADING=1, and READY=1 after its handlers; the watchdog of another process is ignored")
  func reload() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let running = try watched(socket, process: "1")
    #expect(try assignments(socket, until: "STATUS=booted") == ["READY=1", "STATUS=booted"])
    running.signal(Signals.hangup)
    var reload = try assignments(socket, until: "STATUS=booted")
    #expect(reload.count == 5 && reload.remove(at: 1).hasPrefix("MONOTONIC_USEC="))
    #expect(reload == ["RELOADING=1", "STATUS=reloading", "READY=1", "STATUS=booted"])
    #expect(try running.waitForOutput(#""text":"again""#))
    running.signal(Signals.terminate)
    #expect(try running.finish().status == 0)
    #expect(socket.assignments() == ["STOPPING=1", "STATUS=stopping"])
  }

  @Test("A service that ends an app is in the status")
  func failedService() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let service =
      #"{ "command": "RunService", "id": "web", "with": { "ready": { "output": "up" }, "arguments": "#
      + #"["sh", "-c", "echo up; until [ -e go ]; do sleep 0.02; done; exit 3"] } }"#
    let running = try ToolProcess("run", "--format", "jsonl").environment("NOTIFY_SOCKET", socket.path)
      .manifest("[\(service)]").start()
    #expect(try running.waitForOutput(#""kind":"launchEnded""#))
    try FileSystem.writeFile(atomically: [], to: running.file("go"))
    #expect(try running.finish().status == 1)
    #expect(socket.assignments().last?.hasPrefix("STATUS=Test booted in ") == true)
  }

  @Test("A launch reports its progress, and asks the manager to wait as long as its own timeout")
  func progress() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let entry = Entry.shell("echo up; until [ -e go ]; do sleep 0.02; done", id: "slow")
    let tool = try ToolProcess("run").environment("NOTIFY_SOCKET", socket.path)
      .manifest("[\(entry)]", members: #""name": "Test", "timeout": "1h""#)
    let running = try tool.start()
    let messages = try assignments(socket, until: "  slow: up")
    #expect(messages.contains { $0.hasPrefix("STATUS=0/1  slow ") && $0.hasSuffix("  slow: up") })
    #expect(messages.last?.hasPrefix("EXTEND_TIMEOUT_USEC=3") == true)
    try FileSystem.writeFile(atomically: [], to: tool.directory.file("go"))
    #expect(try running.finish().status == 0)
    #expect(socket.assignments().suffix(2) == ["READY=1", "STATUS=booted"])
  }

  @Test("A command that replaces the launch has the socket, and reports for itself")
  func command() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    let result = try ToolProcess("run", "-q", "--", "sh", "-c", "echo $NOTIFY_SOCKET")
      .environment("NOTIFY_SOCKET", socket.path).manifest("[\(Entry.shell("true", id: "a"))]").run()
    #expect(result.output == "\(socket.path)\n")
    #expect(socket.assignments().isEmpty)
  }

  /// Runs the tool with the file `commands.json` as descriptor 3, as a manager passes a socket.
  private static let passing =
    #"exec 3<commands.json; LISTEN_FDS=1 LISTEN_FDNAMES=web LISTEN_PID=$$ WATCHDOG_USEC=1000000 WATCHDOG_PID=$$; "#
    + "export LISTEN_FDS LISTEN_FDNAMES LISTEN_PID WATCHDOG_USEC WATCHDOG_PID; "
    + "exec \"$0\" \"$@\" 2>\"$APPBOOT_TEST_ERRORS\""
  /// Prints the variables of the manager, whether the pid is that of the process, and the target of descriptor 3.
  private static let look =
    "echo ${LISTEN_FDS-none} ${LISTEN_FDNAMES-none} ${WATCHDOG_USEC-none} ${WATCHDOG_PID-none}; "
    + "[ \"$LISTEN_PID\" = $$ ]; echo $?; readlink /proc/$$/fd/3 || true"

  @Test("A process does not inherit the manager's sockets and watchdog")
  func hidden() throws {
    let tool = try ToolProcess("run", "-q").script(Self.passing)
      .manifest("[\(Entry.shell("{ \(Self.look); } > seen", id: "a"))]")
    #expect(try tool.run().status == 0)
    let seen = String(decoding: try FileSystem.readFile(tool.directory.file("seen")), as: UTF8.self)
    #expect(seen == "none none none none\n1\n")
  }

  @Test("A process with \"sockets\" gets the manager's sockets, and LISTEN_PID names it")
  func passed() throws {
    let entry = Entry.shell("{ \(Self.look); } > seen", id: "look", with: #""sockets": true"#)
    let tool = try ToolProcess("run", "-q").script(Self.passing).manifest("[\(entry)]")
    #expect(try tool.run().status == 0)
    let seen = String(decoding: try FileSystem.readFile(tool.directory.file("seen")), as: UTF8.self)
    #expect(seen.hasPrefix("1 web none none\n0\n") && seen.hasSuffix("/commands.json\n"))
  }

  @Test("A command that replaces the launch has the sockets and the watchdog of its own process")
  func replaced() throws {
    for entry in [Entry.shell("true", id: "a"), #""Appearance""#] {
      let look = Self.look + "; [ \"$WATCHDOG_PID\" = $$ ]; echo $?"
      let result = try ToolProcess("run", "-q", "--", "sh", "-c", look).script(Self.passing)
        .manifest("[\(entry)]").run()
      let lines = result.output.split(separator: "\n")
      #expect(lines.first?.hasPrefix("1 web 1000000 ") == true)
      #expect(lines.count == 4 && lines[1] == "0" && lines[2].hasSuffix("/commands.json") && lines[3] == "0")
    }
  }
}
