import AppBoot
import AppBootReports
import AppBootSystem

/// The subcommand `logs`, which shows the output of a launch's steps.
enum LogsSubcommand: Subcommand {
  static let name = "logs"
  static let abstract = "Shows the output of the steps, from the logs in the state directory."
  static var discussion: String {
    """
    Without STEP, it shows the last log of each step, with the step's id before each line. A step has a log if its \
    process printed something in the last launches.

    Exit codes: 0 shown; 4 there is no log.
    """
  }
  static var operands: [Operand] {
    [Operand(name: "STEP", help: "The step's id. Default: all steps.", values: .text), .manifest]
  }
  static var options: [OptionDeclaration] { [follow, .state, .color] }

  static let follow = OptionDeclaration(
    "follow", short: "f", .flag, "Keep showing new lines, until INT or TERM.")

  /// The nanoseconds between two reads of the logs.
  private static let interval: Int64 = 100_000_000

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let state = LaunchRequest.stateDirectory(arguments, manifest: arguments.manifest(at: 1))
    let known = OutputLogs.steps(in: state)
    let step = arguments.operands.first
    guard !known.isEmpty, step.map(known.contains) ?? true else {
      throw MissingLog(step: step, known: known, directory: OutputLogs.directory(in: state))
    }
    let style = tool.outputStyle(arguments.color)
    var printer = LogPrinter(tool.output, style, steps: step.map { [$0] } ?? known, in: state)
    printer.printNew()
    guard arguments.isSet(follow) else {
      printer.finish()
      return .succeeded
    }
    let poller = try Poller()
    while true {
      try tool.output.flush()
      _ = try poller.wait(deadline: MonotonicClock.now() + interval)
      if step == nil { printer.add(OutputLogs.steps(in: state)) }
      printer.printNew()
    }
  }
}

/// A printer of lines from logs. Each line is printed once.
private struct LogPrinter {
  private struct Log {
    let step: String
    var reader: LogReader
    var lines = LineSplitter()
  }

  private let output: StandardOutput
  private let style: TextStyle
  private let directory: String
  private let hasPrefix: Bool
  private var logs: [Log] = []
  private var width = 0

  init(_ output: StandardOutput, _ style: TextStyle, steps: [String], in state: String) {
    (self.output, self.style) = (output, style)
    directory = OutputLogs.directory(in: state)
    hasPrefix = steps.count > 1
    add(steps)
  }

  /// Adds the logs of those steps that were not added before.
  mutating func add(_ steps: [String]) {
    for step in steps where !logs.contains(where: { $0.step == step }) {
      let reader = LogReader(directory: directory, name: OutputLogs.name(ofStep: step))
      logs.append(Log(step: step, reader: reader))
      width = max(width, style.visible(step).count)
    }
  }

  /// Prints the lines that were written to the logs since the last call.
  mutating func printNew() {
    for index in logs.indices {
      var log = logs[index]
      let step = log.step
      while let bytes = log.reader.read() {
        bytes.withUnsafeBytes { bytes in log.lines.append(bytes) { print($0, of: step) } }
      }
      logs[index] = log
    }
  }

  /// Prints the last line of each log that does not end with a line feed.
  func finish() {
    for log in logs {
      var lines = log.lines
      lines.finish { print($0, of: log.step) }
    }
  }

  private func print(_ line: UnsafeRawBufferPointer, of step: String) {
    var text = style.visible(String(decoding: line, as: UTF8.self))
    if hasPrefix {
      let id = style.visible(step)
      let padding = String(repeating: " ", count: max(0, width - id.count))
      text = "\(style.paint("\(id)\(padding) |", .faint)) \(text)"
    }
    output.write(text + "\n")
  }
}

/// A reader of the bytes that are appended to a log.
///
/// A full log file is renamed. The reader reads it to its end, and then continues with the next file.
private struct LogReader {
  private let directory: String
  private let name: String
  private var identity: FileSystem.Identity?
  private var offset = 0

  init(directory: String, name: String) { (self.directory, self.name) = (directory, name) }

  /// Returns the next bytes; `nil` if there are none at the moment.
  mutating func read() -> [UInt8]? {
    while let (age, isContinued) = findFile() {
      if !isContinued { (identity, offset) = (FileSystem.identity(of: path(age)), 0) }
      let bytes = try? FileSystem.readStart(of: path(age), from: offset, limit: 1 << 20)
      // Renamed between the two calls: look for it again.
      guard FileSystem.identity(of: path(age)) == identity else { continue }
      if let bytes, !bytes.isEmpty {
        offset += bytes.count
        return bytes
      }
      guard age > 0 else { return nil }
      (identity, offset) = (FileSystem.identity(of: path(age - 1)), 0)
    }
    return nil
  }

  /// Returns the age of the log file to read, and whether it is the one that was read before; `nil` without a file.
  private func findFile() -> (age: Int, isContinued: Bool)? {
    guard let identity else { return FileSystem.exists(path(0)) ? (0, false) : nil }
    var age = 0
    while age == 0 || FileSystem.exists(path(age)) {
      if FileSystem.identity(of: path(age)) == identity { return (age, true) }
      age += 1
    }
    // It was removed: the oldest file that is left has what follows.
    return FileSystem.exists(path(age - 1)) ? (age - 1, false) : nil
  }

  private func path(_ age: Int) -> String { RotatingFile.path(in: directory, name: name, age: age) }
}

/// An error that reports that a step or a launch has no log.
private struct MissingLog: ReportableError {
  let step: String?
  let known: [String]
  let directory: String

  var message: String {
    guard let step else { return "there are no logs in \"\(directory)\"" }
    return "there is no log of a step \"\(step)\" in \"\(directory)\""
  }

  func help(tool: String) -> String? {
    known.isEmpty
      ? "a launch logs the output of its processes; select its state with --state DIR or its manifest"
      : "steps with a log: \(known.joined(separator: ", "))"
  }
}
