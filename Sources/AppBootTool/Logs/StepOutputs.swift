import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

extension LogMerge {
  /// The most bytes of one step's output in a page, and of all steps together.
  private static let (mostOfStep, mostOfAll) = (64_000, 250_000)

  /// Returns the output of a launch's steps for its page, by id: of each step the newest lines that have room.
  ///
  /// Returns an empty dictionary if the state directory has no logs of the launch.
  static func outputs(of record: LaunchRecord, in state: String?, tool: String) -> [String: StepOutput] {
    let beginning = LaunchID.compact(record.startedAt) + "-"
    guard let state, let files = try? LogFile.all(in: OutputLogs.directory(in: state)) else { return [:] }
    let launches = Set(files.values.joined().map(\.launch))
    guard let launch = launches.first(where: { $0.hasPrefix(beginning) }) else { return [:] }
    var merge = LogMerge(state: state, steps: [], launch: launch, follows: false)
    var lines: [String: NewestLines] = [:]
    try? merge.beginRound()
    _ = try? merge.readRound { item in
      guard case .line(let line, let step) = item else { return }
      let text = VisibleText.lastDrawn(String(decoding: line.bytes, as: UTF8.self))
      lines[step, default: NewestLines(atLeast: mostOfStep)].add(text)
    }
    let room = min(mostOfStep, max(60, mostOfAll / max(1, lines.count)))
    let option = launches.max() == launch ? "" : " --launch \(launch)"
    return record.reduce(into: [:]) { outputs, step in
      guard let newest = lines[OutputLogs.step(ofLog: OutputLogs.name(ofStep: step.id))] else { return }
      let all = newest.lines
      var used = 0
      let shown = all.reversed().prefix { line in
        used += line.utf8.count + 1
        return used <= room
      }
      let text =
        shown.isEmpty ? "…" + (all.last ?? "").suffix(room / 4) : shown.reversed().joined(separator: "\n")
      let command = "`\(tool) logs\(option) \(StepArgument.operand(step.id))`"
      let rest =
        newest.isCut || shown.count < all.count
        ? "\(command) has the rest." : "\(command) shows it in a terminal."
      outputs[step.id] = StepOutput(text: text, rest: rest)
    }
  }
}

/// The newest lines of an output, with a limit on their bytes.
private struct NewestLines {
  private(set) var lines: [String] = []
  private(set) var isCut = false
  private var count = 0
  private let least: Int

  /// - Parameter least: The bytes that are kept at least. At most twice as many are kept, and the last line.
  init(atLeast least: Int) { self.least = least }

  mutating func add(_ line: String) {
    lines.append(line)
    count += line.utf8.count
    guard count > 2 * least else { return }
    isCut = true
    var first = 0
    while count > least, first < lines.count - 1 {
      count -= lines[first].utf8.count
      first += 1
    }
    lines.removeFirst(first)
  }
}
