import AppBoot
import AppBootRecords

/// The failures of a launch as text, with a block for each. Equal failures share a block.
///
/// A block has the step's line in the manifest, the error message, and the steps that were skipped because of the
/// failure.
struct FailureBlocks {
  let style: TextStyle

  /// Returns a block for each failed step and each failed undo, separated by empty lines.
  ///
  /// - Parameter isShown: A function that returns true for a step whose failures were printed before. They are left
  ///   out.
  func text(of record: LaunchRecord, isShown: (_ step: Int) -> Bool = { _ in false }) -> String {
    let failures = FailureGroup.of(record.failuresFirstToFix.filter { !isShown($0.index) })
    let undos = FailureGroup.undos(of: record).filter { !isShown($0.first.index) }
    guard !failures.isEmpty || !undos.isEmpty else { return "" }
    let places = record.outline.locations().map(record.outline.place)
    let skipped = Dictionary(grouping: record.skipRoots, by: \.value).mapValues { $0.map(\.key) }
    let blocks =
      failures.map { group in
        block(for: group, at: places[group.first.index], skips(of: group, skipped, in: record))
      } + undos.map { undoBlock(for: $0, at: places[$0.first.index]) }
    return blocks.joined(separator: "\n")
  }

  /// Returns the block of a step that has just failed.
  func text(ofStep step: Int, in record: LaunchRecord) -> String {
    block(for: FailureGroup(steps: [record[step]]), at: place(of: step, in: record), [])
  }

  /// Returns the block of a step whose undo has just failed.
  func text(ofUndo step: Int, in record: LaunchRecord) -> String {
    undoBlock(for: FailureGroup(steps: [record[step]]), at: place(of: step, in: record))
  }

  private func place(of step: Int, in record: LaunchRecord) -> String? {
    record.outline.place(of: record.outline.locations()[step])
  }

  /// Returns one line about steps that failed with the error of a step whose block was printed before.
  func text(of steps: [StepRecord], like first: StepRecord) -> String {
    let count = "\(steps.count) more \(steps.count == 1 ? "step" : "steps") \(FailureText.verb(of: first))"
    let front = "\(severity(of: first)) \(style.paint(count, .heading))"
    let ids = steps.map(\.id).listed(atMost: FailureGroup.mostIDs)
    return style.wrapped("\(front) like \(style.visible("\(first.id): \(ids)"))", indent: 2) + "\n"
  }

  private func undoBlock(for group: FailureGroup, at place: String?) -> String {
    guard let undo = group.first.details.undo, let failure = undo.failure else { return "" }
    let command = commandLine(undo.commandLine.map(FailureText.prompt))
    return title(of: group, "undo failed", place) + command + lines(of: failure) + others(of: group)
  }

  private func block(for group: FailureGroup, at place: String?, _ skips: [String]) -> String {
    let step = group.first
    guard let failure = step.state.failure else { return "" }
    let command = group.hasOneCommandLine ? commandLine(FailureText.commandLine(of: step)) : ""
    var text = title(of: group, FailureText.verb(of: step), place) + command + lines(of: failure)
    if group.steps.count > 1 {
      text += group.attempts.map { "  \($0)\n" } ?? ""
    } else if step.details.attempts.count > 1 {
      text += "  " + attempts(of: step) + "\n"
    }
    if let last = step.newLastOutput {
      let output = style.fit(style.visible(last), to: Failure.outputColumns)
      text += style.wrapped("  \(FailureText.lastOutput) \(output)", indent: 4) + "\n"
    }
    text += others(of: group)
    for skip in skips { text += faint("skipped:", skip) }
    return text
  }

  private func others(of group: FailureGroup) -> String {
    group.others.map { faint(FailureText.sameError, $0) } ?? ""
  }

  private func faint(_ name: String, _ text: String) -> String {
    style.wrapped("  \(style.paint(name, .faint)) \(style.visible(text))", indent: 4) + "\n"
  }

  private func severity(of step: StepRecord) -> String {
    step.isAllowedFailure ? style.paint("warning:", .warning) : style.paint("error:", .failure)
  }

  private func title(of group: FailureGroup, _ verb: String, _ place: String?) -> String {
    let step = group.first
    let isNamed = group.steps.count > 1 || step.id == step.step.commandName
    let name = isNamed ? group.subject() : "\(step.id) (\(step.step.commandName))"
    let line = "\(severity(of: step)) \(style.paint(style.visible("\(name) \(verb)"), .heading))"
    let front = place.map { style.paint(style.visible("\($0):"), .heading) + " " } ?? ""
    return style.wrapped(front + line, indent: 2) + "\n"
  }

  /// Returns the line with the program that ran, as a shell shows it; empty without a process.
  private func commandLine(_ line: String?) -> String {
    guard let line else { return "" }
    return style.wrapped("  \(style.paint(style.visible(line), .faint))", indent: 4) + "\n"
  }

  private func lines(of failure: Failure) -> String {
    var text = ""
    for line in wrapped(failure.message, indent: 2) { text += "  \(line)\n" }
    for cause in failure.causes {
      let lines = wrapped(cause, indent: 13)
      text += "  \(style.paint("caused by:", .faint)) \(lines.joined(separator: "\n             "))\n"
    }
    return text
  }

  /// Returns the lines of a text, wrapped if the style has a width.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    style.width.map { style.wrap(text, to: max(20, $0 - indent)) } ?? style.lines(text)
  }

  private func attempts(of step: StepRecord) -> String {
    let times = step.details.attempts.map { style.time(($0.endTime ?? $0.startTime) - $0.startTime) }
    return "\(times.count) attempts: \(times.joined(separator: ", "))"
  }

  // MARK: - Skips

  /// The maximum number of chains that are shown for a failure, and of steps in one chain.
  private static let limit = 12

  /// Returns the texts about the steps that were skipped because of failures.
  ///
  /// Steps that were skipped because of a dependency form a chain: `sync → banner → late`. Steps that were skipped
  /// because the failure stopped the launch share one line, and so do the steps of several failures.
  ///
  /// - Parameter skipped: The steps that were skipped because of each failed step.
  private func skips(of group: FailureGroup, _ skipped: [Int: [Int]], in record: LaunchRecord) -> [String] {
    let skipped = group.steps.flatMap { skipped[$0.index] ?? [] }.sorted()
    guard group.steps.count == 1 else { return skipped.isEmpty ? [] : [list(skipped, record)] }
    var isCause = Set<Int>()
    var stopped: [Int] = []
    var ends: [Int] = []
    for step in skipped {
      switch record[step].state {
      case .skipped(.dependency(let cause)):
        isCause.insert(cause)
        ends.append(step)
      case .skipped(.stopped): stopped.append(step)
      case .skipped, .waiting, .ready, .running, .succeeded, .failed, .timedOut, .cancelled: continue
      }
    }
    ends.removeAll { isCause.contains($0) }
    var texts = ends.prefix(Self.limit).map { chain(to: $0, record) }
    let hidden = ends.count - texts.count
    if hidden > 0 { texts.append("and \(hidden) more chains") }
    return texts + (stopped.isEmpty ? [] : [list(stopped, record)])
  }

  private func chain(to step: Int, _ record: LaunchRecord) -> String {
    let chain = record.causeChain(of: step) + [step]
    var ids = chain.prefix(Self.limit).map { record.outline[$0].id }
    if chain.count > Self.limit { ids += ["…", record.outline[step].id] }
    return ids.joined(separator: " → ")
  }

  private func list(_ steps: [Int], _ record: LaunchRecord) -> String {
    steps.map { record.outline[$0].id }.listed(atMost: FailureGroup.mostIDs)
  }
}

extension LaunchOutline {
  /// Returns a location in the manifest as `file:line:column`; `nil` if it is unknown.
  func place(of location: SourceLocation?) -> String? {
    location.flatMap { location in file(of: location).map { "\($0):\(location)" } }
  }
}
