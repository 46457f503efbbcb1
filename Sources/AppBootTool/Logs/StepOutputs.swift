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
    var lines: [String: [String]] = [:]
    try? merge.beginRound()
    _ = try? merge.readRound { item in
      guard case .line(let line, let step) = item else { return }
      lines[step, default: []].append(VisibleText.lastDrawn(String(decoding: line.bytes, as: UTF8.self)))
    }
    let room = min(mostOfStep, max(60, mostOfAll / max(1, lines.count)))
    let option = launches.max() == launch ? "" : " --launch \(launch)"
    return record.reduce(into: [:]) { outputs, step in
      guard let all = lines[OutputLogs.step(ofLog: OutputLogs.name(ofStep: step.id))] else { return }
      var used = 0
      let shown = all.reversed().prefix { line in
        used += line.utf8.count + 1
        return used <= room
      }
      let text =
        shown.isEmpty ? "…" + (all.last ?? "").suffix(room / 4) : shown.reversed().joined(separator: "\n")
      let command = "`\(tool) logs \(ShellText.word(step.id))\(option)`"
      let rest = shown.count < all.count ? "\(command) has the rest." : "\(command) shows it in a terminal."
      outputs[step.id] = StepOutput(text: text, rest: rest)
    }
  }
}
