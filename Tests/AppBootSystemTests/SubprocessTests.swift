import AppBootC
@testable import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Subprocess", .ownProcess)
struct SubprocessTests {
  @Test("A process ends with its exit code", arguments: [0, 1, 42, 255] as [Int32])
  func exitCode(code: Int32) throws {
    let process = try ProcessRequest(["sh", "-c", "exit \(code)"]).start()
    #expect(process.wait() == .exited(code))
    #expect(process.reap() == .exited(code))
    #expect(process.end() == .exited(code))
  }

  @Test("A signal kills the whole group of a process")
  func signalled() throws {
    let process = try ProcessRequest(["sh", "-c", "sleep 60 & wait"]).start()
    #expect(process.end() == nil && process.reap() == nil)
    #expect(process.kill(Signals.kill))
    #expect(process.wait() == .signalled(9))
    #expect(!process.kill(Signals.kill))
    process.finish()
    #expect(!process.killGroup(Signals.kill))
  }

  @Test(
    "A stopped process reports its signal; only SIGTTIN and SIGTTOU are requests for the terminal",
    arguments: [("TTIN", true), ("TTOU", true), ("STOP", false)])
  func stopped(name: String, isRequest: Bool) throws {
    let process = try ProcessRequest(["sh", "-c", "echo up; kill -\(name) $$"], captureOutput: true).start()
    let signal = try #require(Signals.number(named: name))
    while process.stopSignal == nil, process.end() == nil {}
    #expect(process.stopSignal == signal)
    #expect(process.terminalRequest == (isRequest ? signal : nil))
    process.killGroup(Signals.kill)
    #expect(process.wait() == .signalled(Signals.kill))
    #expect(process.stopSignal == nil)
  }

  @Test("The group of an ended process can be signalled until it is finished")
  func orphans() throws {
    let process = try ProcessRequest(["sh", "-c", "sleep 60 & echo started"], captureOutput: true).start()
    #expect(process.wait() == .exited(0))
    #expect(process.killGroup(Signals.kill))
    // The orphan is the last process that holds the pipe, so the output ends with it.
    #expect(output(of: process) == "started\n")
  }

  @Test("The exit descriptor becomes readable when the process ends")
  func exitDescriptor() throws {
    let process = try ProcessRequest(["cat"], captureOutput: true, standardInput: Array("hello".utf8)).start()
    let poller = try Poller()
    try poller.add(try process.exitDescriptor(), token: 3)
    #expect(try poller.wait() == [3])
    #expect(process.end() == .exited(0))
    #expect(output(of: process) == "hello")
  }

  @Test("A thread reports the exit if the system has no descriptor for it")
  func exitDescriptorFallback() throws {
    let process = try ProcessRequest(["sleep", "1000"]).start()
    let descriptor = try ExitDescriptor.makePipe(for: process.processIdentifier)
    defer { Descriptor.close(descriptor) }
    let poller = try Poller()
    try poller.add(descriptor, token: 3)
    #expect(try poller.wait(deadline: 0) == [])
    process.kill(Signals.terminate)
    #expect(try poller.wait() == [3])
    #expect(process.reap() == .signalled(Signals.terminate))
  }

  @Test("One pipe captures standard output and error in order")
  func captures() throws {
    let process = try ProcessRequest(
      ["sh", "-c", "echo a; echo b >&2; echo c"], captureOutput: true
    ).start()
    #expect(output(of: process) == "a\nb\nc\n")
    #expect(process.wait() == .exited(0))
  }

  @Test("A process reads an input larger than a pipe")
  func largeInput() throws {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
    let process = try ProcessRequest(["wc", "-c"], captureOutput: true, standardInput: input).start()
    #expect(output(of: process).contains("1000000"))
  }

  @Test("A process without input reads nothing")
  func noInput() throws {
    let process = try ProcessRequest(["cat"], captureOutput: true).start()
    #expect(output(of: process) == "")
  }

  @Test("A process has its parent's environment with the changes")
  func environment() throws {
    let request = ProcessRequest(
      ["sh", "-c", "echo $APPBOOT_X; echo $PATH"], environment: ["APPBOOT_X": "a b=c"], captureOutput: true)
    let path = ProcessEnvironment.value(of: "PATH") ?? ""
    #expect(output(of: try request.start()) == "a b=c\n\(path)\n")
    let replaced = ProcessRequest(
      ["/bin/sh", "-c", "echo $PATH"], environment: ["PATH": "/nowhere"], captureOutput: true)
    #expect(output(of: try replaced.start()) == "/nowhere\n")
  }

  @Test("A process starts in its directory, and a relative program is found there")
  func directory() throws {
    let directory = try TemporaryDirectory()
    try script("#!/bin/sh\npwd\n", at: directory.file("tool"))
    let process = try ProcessRequest(["./tool"], directory: directory.path, captureOutput: true).start()
    #expect(output(of: process) == (FileSystem.resolve(directory.path) ?? "") + "\n")
  }

  @Test("A process leads its own group and has default signal handling")
  func groupAndSignals() throws {
    guard Host.platform == "linux" else { return }
    Signals.ignoreBrokenPipes()
    let command = "cut -d' ' -f5 /proc/self/stat; grep -E 'Sig(Blk|Ign)' /proc/self/status"
    let process = try ProcessRequest(["sh", "-c", command], captureOutput: true).start()
    let lines = output(of: process).split(separator: "\n")
    #expect(lines.first.map(String.init) == String(process.processIdentifier))
    let masks = lines.dropFirst().compactMap { UInt64($0.suffix(16), radix: 16) }
    #expect(masks.count == 2)
    // Bit n - 1 is signal n. The C library uses 32 and 33 itself.
    let all = ~(UInt64(0b11) << 31)
    #expect(masks.allSatisfy { $0 & all == 0 }, "blocked, ignored")
  }

  @Test("A process inherits only the standard descriptors")
  func descriptors() throws {
    guard Host.platform == "linux" else { return }
    let pipe = try Pipe()
    let poller = try Poller()
    // Not the descriptors of ls, which opens the directory.
    let process = try ProcessRequest(["sh", "-c", "ls /proc/$$/fd; :"], captureOutput: true).start()
    let inherited = output(of: process).split(separator: "\n").compactMap { Int32($0) }
    #expect(inherited.contains(1))
    #expect(!inherited.contains(pipe.readEnd) && !inherited.contains(pipe.writeEnd))
    withExtendedLifetime((pipe, poller)) {}
  }

  #if os(Linux)

  @Test(
    "A process that starts a program of another user stays dumpable", .enabled(if: ProgramSearch.isPrivileged)
  )
  func dumpable() throws {
    var settings = ProcessSettings()
    settings.user = "daemon"
    var request = ProcessRequest(["/bin/true"])
    try settings.apply(to: &request)
    let before = appboot_prctl(3, 0, 0, 0, 0)  // PR_GET_DUMPABLE
    let process = try request.start()
    #expect(process.wait() == .exited(0))
    process.finish()
    #expect(appboot_prctl(3, 0, 0, 0, 0) == before)
  }

  #endif

  @Test("A limit that the system refuses is the reason why a program does not start")
  func refusedLimit() throws {
    var settings = ProcessSettings()
    settings.limits = [.openFiles: .max]
    var request = ProcessRequest(["/bin/true"])
    try settings.apply(to: &request)
    let error = #expect(throws: SpawnError.self) { try request.start() }
    #expect(error?.description == #"cannot set "limits.openFiles": operation not permitted"#)
  }

  private func script(_ text: String, at path: String) throws {
    try FileSystem.writeFile(atomically: Array(text.utf8), to: path, mode: 0o755)
  }
}

@Suite("SpawnError", .ownProcess)
struct SpawnErrorTests {
  @Test("The error for a missing program names it and the searched directories")
  func notFound() {
    let request = ProcessRequest(["appboot-no-such"], environment: ["PATH": "/bin:/nowhere"])
    let error = #expect(throws: SpawnError.self) { try request.start() }
    #expect(error == .programNotFound("appboot-no-such", searched: ["/bin", "/nowhere"]))
    #expect(error?.description == #"there is no program "appboot-no-such" in PATH (/bin:/nowhere)"#)
  }

  @Test("A missing program and a missing directory are different errors")
  func badDirectory() {
    #expect(throws: SpawnError.programNotFound("/no/such", searched: [])) {
      try ProcessRequest(["/no/such"]).start()
    }
    let expected = SystemError(call: "enter", path: "/no/dir", code: 2)
    #expect(throws: SpawnError.badDirectory("/no/dir", expected)) {
      try ProcessRequest(["true"], directory: "/no/dir").start()
    }
    #expect(throws: SpawnError.badDirectory("/bin/sh", SystemError(call: "enter", path: "/bin/sh", code: 20)))
    {
      try ProcessRequest(["true"], directory: "/bin/sh").start()
    }
  }

  @Test("A file that is not a program and a missing file are different errors")
  func notExecutable() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("tool")
    try FileSystem.writeFile(atomically: Array("#!/no/interpreter\n".utf8), to: path)
    #expect(throws: SpawnError.notExecutable(path)) { try ProcessRequest([path]).start() }
    #expect(throws: SpawnError.notExecutable(path)) {
      try ProcessRequest(["tool"], environment: ["PATH": directory.path]).start()
    }
    try FileSystem.setPermissions(path, to: 0o755)
    #expect(throws: SpawnError.interpreterNotFound(path)) { try ProcessRequest([path]).start() }
    let error = #expect(throws: SpawnError.self) { try ProcessRequest([directory.path]).start() }
    #expect(error?.description == "cannot start \"\(directory.path)\": is a directory")
  }

  @Test("A program is found again after it has moved within PATH")
  func movedProgram() throws {
    let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
    let request = ProcessRequest(
      ["tool"], environment: ["PATH": "\(first.path):\(second.path)"], captureOutput: true)
    try FileSystem.writeFile(
      atomically: Array("#!/bin/sh\nexec /bin/echo $0\n".utf8), to: first.file("tool"), mode: 0o755)
    #expect(output(of: try request.start()) == first.file("tool") + "\n")
    try FileSystem.writeFile(
      atomically: try FileSystem.readFile(first.file("tool")), to: second.file("tool"), mode: 0o755)
    try FileSystem.remove(first.file("tool"))
    #expect(output(of: try request.start()) == second.file("tool") + "\n")
  }

  @Test("A request without a program name throws")
  func empty() {
    #expect(throws: SpawnError.self) { try ProcessRequest([]).start() }
    #expect(throws: SpawnError.self) { try ProcessRequest([""]).start() }
  }
}

/// Returns the output of a process and its group, up to the end of the last process.
func output(of process: Subprocess) -> String {
  var tail = OutputTail()
  guard let descriptor = process.outputDescriptor else { return "" }
  repeat {
    _ = Descriptor.wait(descriptor, for: 1, until: nil)  // POLLIN is 1 on Linux and Darwin.
  } while process.readOutput(.output, { tail.append($0) })
  return tail.text
}
