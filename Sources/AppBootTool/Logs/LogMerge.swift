import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// Reads the logs of several steps in the order of time.
struct LogMerge {
  /// Something that is read.
  enum Item {
    case line(LogLine, step: String)
    /// A part of a step's log was pruned before it could be read.
    case pruned(LogReader.Pruned, step: String)
    /// Some lines of these steps have no known time.
    case untimed(steps: [String])
    /// The step, or every step if it is `nil`, has no log of the latest launch. The lines are of an earlier launch.
    case earlier(step: String?, launch: String)
    /// The log of a step cannot be read, and is left out.
    case unreadable(step: String, reason: String)
  }

  private let directory: String
  /// The steps whose logs are read; empty for all steps that printed in ``launch``, or from ``first`` on.
  private let asked: [String]
  /// True to read the logs of the steps from their oldest file on; false for the latest launch of each.
  private let readsAll: Bool
  /// The launch whose logs are read; `nil` for any.
  private let launch: String?
  private var readers: [LogReader] = []
  /// The steps with lines without a known time.
  private var untimed: Set<String> = []
  /// The steps whose logs cannot be read, with the reasons.
  private var unreadable: [String: String] = [:]
  /// The steps in ``unreadable`` that were not passed yet.
  private var newUnreadable: [String] = []
  /// The items ``Item/earlier(step:launch:)`` that were not passed yet.
  private var earlier: [(step: String?, launch: String)] = []
  /// The beginning of the id of the latest launch that is recorded, which may have no log; `nil` if it is unknown.
  private let recorded: String?
  /// The beginning of the id of the launch of the running app; `nil` if no app is running.
  private let app: String?
  /// The launch from which on all logs are read: that of the running app, or the latest one. `nil` before any log.
  private var first: String?
  /// The beginnings of the ids of the launches that are left out.
  private let leftOut: Set<String>
  /// True once the first round has begun.
  private var hasBegun = false
  /// True if lines that are added later are read too.
  private let follows: Bool
  /// The number of bytes at the end of each log to begin with; `nil` for whole logs.
  var tail: Int?

  /// - Parameters:
  ///   - state: The path of the state directory.
  ///   - steps: The steps whose logs are read; empty for all that printed in `launch`, or in the latest launch and
  ///     those since the launch of the running app.
  ///   - readsAll: True to read also what the steps printed in earlier launches.
  ///   - launch: The id of the launch whose logs are read; `nil` for any.
  ///   - recorded: The beginning of the id of the latest launch that is recorded; `nil` if it is unknown.
  ///   - app: The beginning of the id of the launch of the running app; `nil` if no app is running.
  ///   - leftOut: The beginnings of the ids of launches that are left out.
  ///   - follows: True if lines that are added later are read too. Otherwise the last line of a log needs no end.
  init(
    state: String, steps: [String], readsAll: Bool = false, launch: String? = nil, recorded: String? = nil,
    app: String? = nil, leavingOut leftOut: Set<String> = [], follows: Bool = true
  ) {
    (directory, asked) = (OutputLogs.directory(in: state), steps)
    (self.readsAll, self.launch, self.recorded, self.follows) = (readsAll, launch, recorded, follows)
    (self.app, self.leftOut) = (app, leftOut)
  }

  /// The steps whose logs are read.
  var steps: [String] { readers.map(\.step) }

  /// The number of bytes that are in the logs and were not read when the round began.
  var unread: Int { readers.reduce(0) { $0 + $1.rest } }

  /// Looks for new files and steps. Then ``readRound(_:)`` reads the lines that are in the logs now.
  mutating func beginRound() throws {
    let files = try allFiles()
    if asked.isEmpty { addLatestLaunches(files) } else { try addAsked(files) }
    for index in readers.indices { readers[index].beginRound(files[readers[index].name] ?? []) }
    hasBegun = true
  }

  /// Returns the files of each log that are read, the oldest first.
  private func allFiles() throws -> [String: [LogFile]] {
    let all = try LogFile.all(in: directory, of: launch)
    if leftOut.isEmpty { return all }
    return all.mapValues { $0.filter { !leftOut.contains(String($0.launch.prefix { $0 != "-" })) } }
      .filter { !$0.value.isEmpty }
  }

  /// True if the logs have lines before those that are read.
  var hasEarlier: Bool { readers.contains(where: \.hasEarlier) }

  /// Returns a merge of the lines before those that this one has read, for one round.
  ///
  /// - Parameter count: The number of bytes to read of each log.
  func earlier(_ count: Int) -> LogMerge {
    let files = (try? allFiles()) ?? [:]
    var merge = self
    merge.readers = readers.compactMap { try? $0.earlier(count, files[$0.name] ?? []) }
    return merge
  }

  private mutating func addAsked(_ files: [String: [LogFile]]) throws {
    let latest = files.values.compactMap(\.last?.launch).max()
    for step in asked where !steps.contains(step) {
      let name = OutputLogs.name(ofStep: step)
      var reader = LogReader(step: step, name: name, directory: directory, follows: follows)
      reader.tail = tail
      let all = files[name] ?? []
      let own = all.last?.launch
      guard try reader.begin(with: readsAll ? all : all.filter { $0.launch == own }) else { continue }
      readers.append(reader)
      if let own, !readsAll, app == nil && own != latest || isOld(own) { earlier.append((step, own)) }
    }
  }

  /// Adds the logs of the launches from ``first`` on. Steps that did not print in them are left out.
  private mutating func addLatestLaunches(_ files: [String: [LogFile]]) {
    guard let latest = files.values.compactMap(\.last?.launch).max() else { return }
    if !hasBegun, isOld(latest) { earlier.append((nil, latest)) }
    let first = self.first ?? min(app ?? latest, latest)
    self.first = first
    let known = Set(readers.map(\.name))
    let new = files.filter { name, files in files.last?.launch ?? "" >= first && !known.contains(name) }
      .map { name, files in (step: OutputLogs.step(ofLog: name), name: name, files: files) }
      .filter { unreadable[$0.step] == nil }
    guard !new.isEmpty else { return }
    // Each log has two open files.
    OpenFiles.allow(2 * (readers.count + new.count) + 64)
    for (step, name, files) in new.sorted(by: { $0.step < $1.step }) {
      var reader = LogReader(step: step, name: name, directory: directory, follows: follows)
      reader.tail = tail
      let shown = files.filter { $0.launch >= first }
      guard leavingOut(step, { try reader.begin(with: shown) }) == true else { continue }
      if hasBegun, tail == nil { reader.notePrunedBefore() }
      readers.append(reader)
    }
  }

  /// Returns whether a launch with a log is earlier than that of the running app, or than the latest one recorded.
  private func isOld(_ launch: String) -> Bool { (app ?? recorded).map { $0 > launch } ?? false }

  /// Returns the result of a function that opens a step's log. If it fails, the log is left out with a warning.
  private mutating func leavingOut<Result>(_ step: String, _ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      unreadable[step] = "\(error)"
      newUnreadable.append(step)
      return nil
    }
  }

  /// Passes the lines of the round to a function. Returns false if there are none.
  mutating func readRound(_ body: (Item) -> Void) throws -> Bool {
    for (step, launch) in earlier { body(.earlier(step: step, launch: launch)) }
    earlier = []
    var times: [Int64?] = []
    for index in readers.indices {
      times.append(try readers[index].nextTime())
    }
    var hasRead = false
    while let first = Self.earliest(of: times, except: nil) {
      hasRead = true
      let limit = Self.earliest(of: times, except: first).flatMap { times[$0] } ?? .max
      var last: Int64 = times[first] ?? 0
      repeat {
        passPruned(of: first, body)
        if let line = try readers[first].next() { body(.line(line, step: readers[first].step)) }
        times[first] = try readers[first].nextTime().map { max($0, last) }
        last = times[first] ?? .max
      } while times[first] != nil && last <= limit
    }
    passUntimed(body)
    for step in newUnreadable { body(.unreadable(step: step, reason: unreadable[step] ?? "")) }
    newUnreadable = []
    return hasRead
  }

  private mutating func passUntimed(_ body: (Item) -> Void) {
    let new = readers.filter { $0.hasUntimed && !untimed.contains($0.step) }.map(\.step)
    guard !new.isEmpty else { return }
    untimed.formUnion(new)
    body(.untimed(steps: new))
  }

  private mutating func passPruned(of index: Int, _ body: (Item) -> Void) {
    guard let pruned = readers[index].pruned else { return }
    body(.pruned(pruned, step: readers[index].step))
    readers[index].pruned = nil
  }

  /// Passes the last line of each log to a function, if it has no end.
  mutating func finish(_ body: (Item) -> Void) {
    for index in readers.indices {
      if let line = readers[index].finish() { body(.line(line, step: readers[index].step)) }
    }
  }

  /// Returns the index of the earliest time; `nil` without times.
  private static func earliest(of times: [Int64?], except: Int?) -> Int? {
    times.indices.lazy.filter { $0 != except && times[$0] != nil }.min { (times[$0] ?? 0) < (times[$1] ?? 0) }
  }
}

/// Prints the lines of logs.
struct LogPrinter {
  let tool: ToolContext
  /// The ids of the steps before their lines.
  let hasPrefix: Bool
  /// The times before the lines.
  let hasTimes: Bool
  /// True to print each line as an object.
  var isJSON = false
  /// The microseconds since 1970 before which lines are left out; `nil` for none.
  var since: Int64?
  /// The microseconds since 1970 after which lines are left out; `nil` for none.
  var until: Int64?
  /// The text that shown lines contain; `nil` for all lines.
  var text: String?
  /// The regular expression that shown lines match; `nil` for all lines.
  var expression: SearchExpression?
  /// True to name the first launch too, and not only each later one.
  var namesFirst = false
  private let style: TextStyle
  private var width = 0
  /// The latest launch whose output was printed.
  private var launch: String?
  /// True if the last line that was printed is not whole.
  private var isInsideLine = false

  init(_ tool: ToolContext, hasPrefix: Bool, hasTimes: Bool) {
    (self.tool, self.hasPrefix, self.hasTimes) = (tool, hasPrefix, hasTimes)
    style = tool.outputStyle
  }

  /// Makes room for the ids of steps.
  mutating func widen(for steps: [String]) {
    for step in steps { width = max(width, DisplayWidth.of(style.visible(step))) }
  }

  /// Returns whether an item is shown. A line without a known time is.
  func shows(_ item: LogMerge.Item) -> Bool {
    guard case .line(let line, _) = item else { return true }
    if let time = line.time, time < since ?? .min || time > until ?? .max { return false }
    guard text != nil || expression != nil else { return true }
    let shown = VisibleText.withoutColors(String(decoding: line.bytes, as: UTF8.self))
    return text.map(shown.contains) ?? true && expression.map { $0.matches(shown) == true } ?? true
  }

  mutating func print(_ item: LogMerge.Item) {
    guard shows(item) else { return }
    switch item {
    case .line(let line, let step) where isJSON: tool.output.write(json(line, of: step))
    case .line(let line, let step): print(line, of: step)
    case .pruned(let pruned, let step):
      let cause =
        switch pruned {
        case .files(1): "a log file was pruned before it was read"
        case .files(let count): "\(count) log files were pruned before they were read"
        case .unknown: "log files were pruned before they were read"
        }
      // The warning comes between the lines that it separates.
      tool.flush()
      tool.warn(
        "output of \"\(step)\" is missing: \(cause); "
          + "raise \"maxSize\" or \"files\" in the manifest's \"logs\"")
    case .earlier(let step, let launch):
      tool.flush()
      let subject = step.map { "\"\($0)\" has no log of the latest launch" } ?? "the latest launch has no log"
      tool.inform("\(subject); this is launch \(launch)")
    case .unreadable(let step, let reason):
      tool.flush()
      tool.warn("the log of \"\(step)\" is left out: \(reason)")
    case .untimed(let steps):
      guard hasPrefix || hasTimes else { return }
      tool.flush()
      tool.warn(
        "some line times of \(steps.quoted) are missing or damaged: "
          + "these lines are shown at the time of their log file's last change")
    }
  }

  private func json(_ line: LogLine, of step: String) -> String {
    JSONWriter.object { writer in
      if let time = line.time { writer.member("time", WallClock.timestamp(microseconds: time)) }
      writer.member("step", step)
      writer.member("launch", line.launch)
      if let stream = line.stream { writer.member("stream", stream == .output ? "stdout" : "stderr") }
      writer.member("text", String(decoding: line.bytes, as: UTF8.self))
    } + "\n"
  }

  private mutating func print(_ line: LogLine, of step: String) {
    if launch.map({ $0 < line.launch }) ?? true {
      if launch != nil || namesFirst {
        tool.output.write(style.paint("-- launch \(style.visible(line.launch)) --", .faint) + "\n")
      }
      launch = line.launch
    }
    var text = style.visibleOutput(String(decoding: line.bytes, as: UTF8.self))
    if !isInsideLine { text = prefix(line, of: step) + text }
    isInsideLine = !line.isWhole && !hasPrefix
    tool.output.write(isInsideLine ? text : text + "\n")
  }

  private func prefix(_ line: LogLine, of step: String) -> String {
    var prefix = ""
    if hasTimes {
      prefix += line.time.map(WallClock.timestamp(microseconds:)) ?? "-"
      prefix += " "
    }
    if hasPrefix {
      prefix += DisplayWidth.pad(style.visible(step), to: width) + " | "
    }
    guard let last = prefix.popLast() else { return "" }
    return style.paint(prefix, .faint) + String(last)
  }
}
