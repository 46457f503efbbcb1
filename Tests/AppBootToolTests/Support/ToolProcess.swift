import AppBoot
import AppBootLibC
import AppBootSystem
import AppBootTestSupport

/// A call of the real executable in a directory of its own. The result has both streams and the exit code.
///
/// ```swift
/// let result = try ToolProcess("run").manifest(#"["Appearance"]"#).run()
/// #expect(result.status == 0)
/// ```
struct ToolProcess {
  private var arguments: [String]
  private var environment = [
    "LC_ALL": "C.UTF-8", "NO_COLOR": "", "FORCE_COLOR": "", "TERM": "xterm", "COLUMNS": "",
    "APPBOOT_STATE": "",
  ]
  private var input: [UInt8] = []
  private var script = #"exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#
  let directory: TemporaryDirectory

  init(_ arguments: String...) throws {
    self.arguments = arguments
    directory = try TemporaryDirectory()
  }

  /// Adds arguments.
  func with(_ arguments: String...) -> Self { with(arguments) }

  /// Adds arguments.
  func with(_ arguments: [String]) -> Self { changing { $0.arguments += arguments } }

  /// Sets a variable.
  func environment(_ name: String, _ value: String) -> Self { changing { $0.environment[name] = value } }

  /// Sets standard input.
  func input(_ text: String) -> Self { input(Array(text.utf8)) }

  func input(_ bytes: [UInt8]) -> Self { changing { $0.input = bytes } }

  /// Writes `commands.json` with commands and other members.
  func manifest(_ commands: String, members: String = #""name": "Test""#) throws -> Self {
    try file("commands.json", "{ \"version\": 1, \(members),\n  \"commands\": \(commands) }\n")
  }

  /// Writes a file into the directory.
  func file(_ name: String, _ text: String) throws -> Self { try file(name, bytes: Array(text.utf8)) }

  /// Writes a file into the directory.
  func file(_ name: String, bytes: [UInt8]) throws -> Self {
    try FileSystem.writeFile(atomically: bytes, to: directory.file(name))
    return self
  }

  /// Sets a shell script that runs the tool as `"$0" "$@"`, and redirects its standard error.
  func script(_ script: String) -> Self { changing { $0.script = script } }

  /// Starts the tool.
  func start() throws -> RunningTool {
    let errors = directory.file("stderr")
    var variables = environment
    variables["APPBOOT_TEST_ERRORS"] = errors
    let request = ProcessRequest(
      ["sh", "-c", script, try Self.executable()] + arguments, directory: directory.path,
      environment: variables, captureOutput: true, standardInput: input.isEmpty ? nil : input)
    return try RunningTool(request.start(), errors: errors, directory: directory)
  }

  /// Runs the tool to its end, and drains its pipe.
  func run() throws -> ToolResult { try start().finish() }

  private func changing(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns the path of the product `appboot`, which is next to the test bundle.
  static func executable() throws -> String {
    if let path = ProcessEnvironment.value(of: "APPBOOT_EXECUTABLE") { return path }
    let bundle = FileSystem.resolve("/proc/self/exe") ?? CommandLine.arguments.first ?? ""
    var directory = FileSystem.directory(of: bundle)
    for _ in 0..<5 {
      let candidate = FileSystem.join(directory, "appboot")
      if FileSystem.kind(of: candidate) == .regular { return candidate }
      directory = FileSystem.directory(of: directory)
    }
    let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(package)/.build/debug/appboot"
  }
}

/// The result of a call: standard output, standard error and the exit code.
struct ToolResult {
  let output: String
  let errors: String
  let end: ProcessEnd

  /// The exit code; -1 after a signal.
  var status: Int32 { if case .exited(let code) = end { code } else { -1 } }

  /// The lines of standard error without those about services that are slow to stop, which a busy machine adds.
  var messages: [String] {
    errors.split(separator: "\n").map(String.init).filter { !$0.contains(" (KILL in ") }
  }

  /// Standard output as one JSON value.
  func json() throws -> JSONValue { try JSONDocument(parsing: SourceText(name: "stdout", text: output)).root }

  /// Standard output as a JSON value per line.
  func jsonLines() throws -> [JSONValue] {
    try output.split(separator: "\n").map { line in
      try JSONDocument(parsing: SourceText(name: "stdout", text: String(line))).root
    }
  }
}

/// A running tool.
final class RunningTool {
  private let process: Subprocess
  private let errors: String
  private let directory: TemporaryDirectory
  private let poller: Poller
  private var output: [UInt8] = []
  private var isOpen = true
  /// The time at which a tool that still writes output, or that has not ended, is killed.
  private let limit = MonotonicClock.now() + 600_000_000_000

  /// An error for a tool that has not ended after ten minutes.
  struct TimedOut: Error { let output: String }

  init(_ process: Subprocess, errors: String, directory: TemporaryDirectory) throws {
    self.process = process
    self.errors = errors
    self.directory = directory
    poller = try Poller()
    if let descriptor = process.outputDescriptor { try poller.add(descriptor, token: 0) }
  }

  /// The identifier of the process that was started.
  var identifier: Int32 { process.processIdentifier }

  /// Sends a signal to the tool, but not to its children.
  func signal(_ signal: Int32) { Signals.send(signal, to: process.processIdentifier) }

  /// Reads until standard output contains the text; returns false if it ends before.
  func waitForOutput(_ text: String) throws -> Bool {
    while !String(decoding: output, as: UTF8.self).contains(text) {
      guard isOpen else { return false }
      try read()
    }
    return true
  }

  /// Waits until a signal stops the tool's process; returns false if it ends before.
  func waitForStop() -> Bool {
    var info = siginfo_t()
    let identifier = id_t(truncatingIfNeeded: process.processIdentifier)
    while waitid(P_PID, identifier, &info, WSTOPPED | WEXITED | WNOWAIT) != 0 {
      guard errno == EINTR else { return false }
    }
    return info.si_code == 5  // CLD_STOPPED on Linux and Darwin.
  }

  /// Waits until standard output has a number of unread bytes; returns false after a minute.
  ///
  /// A full pipe may hold as little as 32 KiB: it has 16 pages, and a write that does not fit begins a new page.
  func waitForUnread(_ count: Int) -> Bool { Patience.wait { unreadBytes >= count } }

  /// Returns the path of a file in the tool's directory.
  func file(_ name: String) -> String { directory.file(name) }

  /// Waits until a file exists; returns false after a minute.
  func waitForFile(_ name: String) -> Bool { directory.wait(for: name) }

  /// The number of unread bytes of standard output.
  var unreadBytes: Int {
    var count: Int32 = 0
    guard let descriptor = process.outputDescriptor else { return 0 }
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Waits for the tool's end.
  ///
  /// - Parameter killing: True to kill the processes that it left in its group.
  func end(killing: Bool = true) -> ProcessEnd {
    let end = process.wait()
    if killing { process.killGroup(Signals.kill) }
    process.finish()
    return end
  }

  /// Reads both streams to their end, and waits for the tool's end.
  func finish() throws -> ToolResult {
    while isOpen { try read() }
    let end = process.wait()
    process.finish()
    let messages = FileSystem.exists(errors) ? try FileSystem.readFile(errors) : []
    return ToolResult(
      output: String(decoding: output, as: UTF8.self), errors: String(decoding: messages, as: UTF8.self),
      end: end)
  }

  private func read() throws {
    let tokens = try poller.wait(deadline: limit)
    if tokens.isEmpty, MonotonicClock.now() >= limit {
      process.killGroup(Signals.kill)
      throw TimedOut(output: String(decoding: output, as: UTF8.self))
    }
    isOpen = process.readOutput { output += $0 }
    if !isOpen, let descriptor = process.outputDescriptor { poller.remove(descriptor) }
  }
}

extension TemporaryDirectory {
  /// The directories of the log files of launches, the oldest launch first.
  var logDirectories: [String] {
    let logs = file(".appboot/logs")
    return ((try? FileSystem.list(logs)) ?? []).map { FileSystem.join(logs, $0) }
  }

  /// The path of a log file of the latest launch.
  func log(_ name: String) -> String { FileSystem.join(logDirectories.last ?? "", name) }

  /// Waits up to a minute until the latest launch has a log file. Returns false if it does not.
  func waitForLog(_ name: String) -> Bool { Patience.wait { FileSystem.exists(log(name)) } }
}
