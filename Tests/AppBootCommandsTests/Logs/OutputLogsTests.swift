import AppBoot
import AppBootLibC
import AppBootSystem
import Testing
import AppBootTestSupport

@testable import AppBootCommands

@Suite("OutputLogs")
struct OutputLogsTests {
  private let directory: String

  init() throws { directory = try FileSystem.makeTemporaryDirectory() }

  private func append(_ text: String, to logs: OutputLogs, of step: String = "a") {
    let log = logs.begin(ofStep: step, launch: "0-7")
    Array(text.utf8).withUnsafeBytes { logs.append($0, from: .output, to: log) }
    logs.end(log)
  }

  private func path(of step: String = "a", number: Int = 0) -> String {
    LogFile(launch: "0-7", name: OutputLogs.name(ofStep: step), number: number)
      .path(in: OutputLogs.directory(in: directory))
  }

  private func text(of step: String = "a") throws -> String {
    String(decoding: try FileSystem.readFile(path(of: step)), as: UTF8.self)
  }

  private func remove() { try? FileSystem.removeTree(directory) }

  @Test(
    "A log's name can be turned back into the step's id",
    arguments: ["web", "a/b", "x.1", "ä %", "-", "..", "~", "a\u{202E}b", String(repeating: "日", count: 60)])
  func names(_ id: String) throws {
    defer { remove() }
    let logs = OutputLogs(state: directory) { _ in }
    append("x", to: logs, of: id)
    logs.settle()
    #expect(try OutputLogs.steps(in: directory) == [id])
  }

  @Test("A step with a long id has a log with a shortened name", arguments: ["x", "/", "日"])
  func longNames(_ character: String) throws {
    defer { remove() }
    let id = String(repeating: character, count: 300)
    let warnings = Lock<[String]>([])
    let logs = OutputLogs(state: directory) { text in warnings.withLock { $0.append(text) } }
    append("one", to: logs, of: id)
    append("two", to: logs, of: id + "y")
    logs.settle()
    #expect(warnings.withLock(\.self) == [])
    #expect(try text(of: id).contains("one"))
    let steps = try OutputLogs.steps(in: directory)
    #expect(steps.count == 2)
    #expect(try steps.map(text(of:)).joined().contains("two"))
  }

  @Test(
    "A symbolic link in place of the directory of the logs or of a launch is an error",
    arguments: ["logs", "logs/0-7"])
  func linked(_ path: String) throws {
    defer { remove() }
    let target = FileSystem.join(directory, "target")
    try FileSystem.createDirectory(target)
    if path != "logs" { try FileSystem.createDirectory(FileSystem.join(directory, "logs")) }
    #expect(symlink(target, FileSystem.join(directory, path)) == 0)
    let warnings = Lock<[String]>([])
    let logs = OutputLogs(state: directory) { text in warnings.withLock { $0.append(text) } }
    append("x", to: logs)
    logs.settle()
    #expect(warnings.withLock { $0.first }?.hasSuffix("it is a symbolic link: move it away") == true)
    #expect(try FileSystem.list(target) == [])
  }

  @Test("The first error is reported once, and ends the logs")
  func errors() throws {
    defer { remove() }
    try FileSystem.writeFile(atomically: [], to: FileSystem.join(directory, "logs"))
    let warnings = Lock<[String]>([])
    let logs = OutputLogs(state: directory) { text in warnings.withLock { $0.append(text) } }
    for _ in 0..<2 {
      append("x", to: logs)
      logs.settle()
    }
    #expect(warnings.withLock(\.count) == 1)
    let isOff = Lock(false)
    logs.handOver(ofStep: "a", launch: "0-7") { location in isOff.withLock { $0 = location == nil } }
    #expect(isOff.withLock { $0 })
  }

  @Test("The lines of two streams are joined at line ends")
  func streams() throws {
    defer { remove() }
    let logs = OutputLogs(state: directory) { _ in }
    let log = logs.begin(ofStep: "a", launch: "0-7")
    for (text, stream) in [("out", CapturedStream.output), ("err\n", .errors), ("put\n", .output)] {
      Array(text.utf8).withUnsafeBytes { logs.append($0, from: stream, to: log) }
    }
    logs.end(log)
    logs.settle()
    #expect(try text() == "err\noutput\n")
  }

  @Test("An unfinished line is written after a time limit")
  func prompt() throws {
    defer { remove() }
    let logs = OutputLogs(state: directory) { _ in }
    let log = logs.begin(ofStep: "a", launch: "0-7")
    Array("Password: ".utf8).withUnsafeBytes { logs.append($0, from: .output, to: log) }
    #expect(Patience.wait { (try? text()) == "Password: " })
  }

  @Test("The output of a second process does not continue the last line of the first")
  func attempts() throws {
    defer { remove() }
    let logs = OutputLogs(state: directory) { _ in }
    append("one", to: logs)
    append("two\n", to: logs)
    logs.settle()
    #expect(try text() == "one\ntwo\n")
  }

  @Test("A disk that does not answer makes reading pause, but does not block it")
  func slowDisk() throws {
    defer { remove() }
    let gate = Condition(false)
    let logs = OutputLogs(state: directory, willWrite: { gate.wait { $0 ? () : nil } }) { _ in }
    #expect(!logs.isBehind)
    append(String(repeating: "x", count: OutputLogs.capacity) + "\n", to: logs)
    #expect(logs.isBehind && logs.isBehind)
    gate.withLock { $0 = true }
    gate.broadcast()
    logs.settle()
    #expect(!logs.isBehind)
    #expect(FileSystem.exists(path(number: 2)))
  }

  @Test("Output is dropped and counted if too much waits for a disk that does not answer")
  func dropped() throws {
    defer { remove() }
    let gate = Condition(false)
    let warnings = Lock<[String]>([])
    let logs = OutputLogs(state: directory, willWrite: { gate.wait { $0 ? () : nil } }) { text in
      warnings.withLock { $0.append(text) }
    }
    append(String(repeating: "x", count: OutputLogs.mostWaiting), to: logs)
    append("more\n", to: logs)
    gate.withLock { $0 = true }
    gate.broadcast()
    logs.settle()
    #expect(
      warnings.withLock { $0 }.map { $0.hasPrefix("5 bytes of the steps' output are missing") } == [true])
  }

  @Test(
    "Another process gets a log when the output so far is written, with the stream of its unfinished line")
  func handOver() throws {
    defer { remove() }
    let logs = OutputLogs(state: directory) { _ in }
    append("half", to: logs)
    let received = Lock<(String?, CapturedStream?)>((nil, nil))
    let path = path()
    logs.handOver(ofStep: "a", launch: "0-7") { location in
      let text = (try? FileSystem.readFile(path)).map { String(decoding: $0, as: UTF8.self) }
      received.withLock { $0 = (text, location?.open) }
    }
    logs.settle()
    #expect(received.withLock { $0.0 } == "half")
    #expect(received.withLock { $0.1 } == .output)
  }
  @Test("A log continues in the newest file after another process got it")
  func handedOver() throws {
    defer { remove() }
    let logs = OutputLogs(state: directory) { _ in }
    logs.handOver(ofStep: "a", launch: "0-7") { _ in }
    logs.settle()
    var other = RotatingFile(
      launch: "0-7", name: "a", in: logs.directory, limits: LogLimits(maxSize: 4, files: 1), isShared: true)
    for line in ["one\n", "two\n"] {
      try Array(line.utf8).withUnsafeBytes { bytes throws in
        try other.append(bytes, [LogTimes.Mark(offset: 0, time: 0)])
      }
    }
    append("three\n", to: logs)
    logs.settle()
    #expect(try String(decoding: FileSystem.readFile(path(number: 1)), as: UTF8.self) == "two\nthree\n")
    #expect(!FileSystem.exists(path()))
  }

  @Test("Logs older than maxDays are removed, and newer logs stay")
  func age() throws {
    defer { remove() }
    let folder = OutputLogs.directory(in: directory)
    let now = LaunchID.compact(WallClock.timestamp())
    for launch in ["20200101T000000.000Z-1", "\(now)-2", "\(now)-3"] {
      do {
        let logs = OutputLogs(state: directory, limits: LogLimits(maxDays: 1)) { _ in }
        let log = logs.begin(ofStep: "a", launch: launch)
        Array("x\n".utf8).withUnsafeBytes { logs.append($0, from: .output, to: log) }
        logs.end(log)
        logs.settle()
      }
      // The thread of the logs may hold them, and their lock, for a moment.
      #expect(
        try Patience.wait {
          try LogFile.replaceable(in: folder).values.joined().contains { $0.launch == launch }
        })
    }
    #expect(try LogFile.all(in: folder).values.joined().map(\.launch) == ["\(now)-2", "\(now)-3"])
    #expect(!FileSystem.exists(LogFile.directory(ofLaunch: "20200101T000000.000Z-1", in: folder)))
  }

  @Test("A step keeps its log while it does not print, whatever number of launches follow")
  func quietStep() throws {
    defer { remove() }
    let folder = OutputLogs.directory(in: directory)
    for launch in 1...5 {
      do {
        let logs = OutputLogs(state: directory, limits: LogLimits(files: 2)) { _ in }
        for step in launch == 1 ? ["a", "b"] : ["b"] {
          let log = logs.begin(ofStep: step, launch: "0-\(launch)")
          Array("\(launch)\n".utf8).withUnsafeBytes { logs.append($0, from: .output, to: log) }
          logs.end(log)
        }
        logs.settle()
      }
      // The thread of the logs may hold them, and their lock, for a moment.
      #expect(
        try Patience.wait {
          try LogFile.replaceable(in: folder).values.joined().contains { $0.launch == "0-\(launch)" }
        })
    }
    let files = try LogFile.all(in: folder)
    #expect(files.mapValues { $0.map(\.launch) } == ["a": ["0-1"], "b": ["0-4", "0-5"]])
  }
}
