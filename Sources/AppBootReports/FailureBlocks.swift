import AppBoot

/// What failed, each with its place in the manifest, its causes, and what was skipped because of it.
struct FailureBlocks {
  let style: TextStyle

  /// A block per failed step and per failed undo, with an empty line in between.
  func text(of record: StartupRecord) -> String {
    guard !record.failures.isEmpty || record.contains(where: { $0.details.undo?.failure != nil }) else {
      return ""
    }
    let places = StepPlaces(record.outline)
    let chains = skipChains(in: record)
    var blocks = record.failures.map { block(for: $0, places, chains[$0.index] ?? []) }
    for step in record {
      if let failure = step.details.undo?.failure {
        blocks.append(title(of: step, failed: "undo failed", places) + lines(of: failure))
      }
    }
    return blocks.joined(separator: "\n")
  }

  private func block(for step: StepRecord, _ places: StepPlaces, _ chains: [String]) -> String {
    guard let failure = step.state.failure else { return "" }
    var text = title(of: step, failed: verb(for: step), places) + lines(of: failure)
    if step.details.attempts.count > 1 { text += "  " + attempts(of: step) + "\n" }
    if let last = step.details.lastLine, !lines(failure, contain: last) {
      text += "  it last said: \(style.fit(style.visible(last), to: Self.saidColumns))\n"
    }
    for chain in chains { text += "  \(style.paint("skipped:", .faint)) \(style.visible(chain))\n" }
    return text
  }

  private func title(of step: StepRecord, failed: String, _ places: StepPlaces) -> String {
    let name = step.id == step.step.commandName ? step.id : "\(step.id) (\(step.step.commandName))"
    let line =
      "\(style.paint("error:", .failure)) \(style.paint(style.visible("\(name) \(failed)"), .heading))\n"
    guard let place = places[step.index].map({ "\($0):" }) else { return line }
    return "\(style.paint(style.visible(place), .heading)) \(line)"
  }

  private func verb(for step: StepRecord) -> String {
    let isAllowed = step.isAllowedFailure
    if case .timedOut = step.state { return isAllowed ? "timed out, as it is allowed to" : "timed out" }
    return isAllowed ? "failed, as it is allowed to" : "failed"
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

  /// The text's lines, wrapped where there is a width to wrap them to.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    style.width.map { style.wrap(text, to: max(20, $0 - indent)) } ?? style.lines(text)
  }

  /// How much is shown of what a step said last: it may have no end in sight.
  private static let saidColumns = 400

  /// Whether the message ends with the output, as that of a program does; of a long line it has only the end.
  private func lines(_ failure: Failure, contain line: String) -> Bool {
    let end = line.suffix(Self.saidColumns)
    return failure.message.split(whereSeparator: \.isNewline).contains { $0.hasSuffix(end) }
  }

  private func attempts(of step: StepRecord) -> String {
    let times = step.details.attempts.map { attempt in
      DurationText.brief(nanoseconds: (attempt.end ?? attempt.start) - attempt.start, ascii: style.usesASCII)
    }
    return "\(times.count) attempts: \(times.joined(separator: ", "))"
  }

  // MARK: - Skips

  /// How many chains, and how many links of one, are shown.
  private static let limit = 12

  /// What was skipped because of each failed step: a chain `sync → banner → late` to each last step, and
  /// in one line the steps that a stop left out.
  private func skipChains(in record: StartupRecord) -> [Int: [String]] {
    var isCause = Set<Int>()
    var stopped: [Int: [Int]] = [:]
    for step in record {
      switch step.state {
      case .skipped(.dependency(let cause)): isCause.insert(cause)
      case .skipped(.stopped(let cause)): stopped[cause, default: []].append(step.index)
      case .skipped, .waiting, .ready, .running, .succeeded, .failed, .timedOut, .cancelled: continue
      }
    }
    var chains: [Int: [String]] = [:]
    var count = 0
    for step in record where !isCause.contains(step.index) {
      guard case .skipped(.dependency) = step.state else { continue }
      count += 1
      guard count <= Self.limit, let (root, text) = chain(to: step.index, record) else { continue }
      chains[root, default: []].append(text)
    }
    for (cause, steps) in stopped { chains[cause, default: []].append(list(steps, record)) }
    return chains
  }

  private func chain(to step: Int, _ record: StartupRecord) -> (root: Int, text: String)? {
    let chain = record.causeChain(of: step) + [step]
    guard let root = chain.first, chain.count > 1 else { return nil }
    var ids = chain.prefix(Self.limit).map { record.outline[$0].id }
    if chain.count > Self.limit { ids += ["…", record.outline[step].id] }
    return (root, ids.joined(separator: " → "))
  }

  private func list(_ steps: [Int], _ record: StartupRecord) -> String {
    let more = steps.count > Self.limit ? " and \(steps.count - Self.limit) more" : ""
    return steps.prefix(Self.limit).map { record.outline[$0].id }.joined(separator: ", ") + more
  }
}

/// Where each step stands in the manifest, as `file:line:column`.
private struct StepPlaces {
  private let file: String?
  private let locations: [SourceLocation?]

  init(_ plan: LaunchOutline) {
    file = plan.manifestName
    locations = plan.locations()
  }

  subscript(step: Int) -> String? {
    guard let file, let location = locations[step] else { return nil }
    return "\(file):\(location)"
  }
}
