import AppBoot

/// What failed, each with its place in the manifest, its causes, and what was skipped because of it.
struct FailureBlocks {
  let style: TextStyle

  /// A block per failed step and per failed undo, with an empty line in between.
  func text(of record: StartupRecord) -> String {
    guard !record.failures.isEmpty || record.contains(where: { $0.details.undo?.failure != nil }) else {
      return ""
    }
    let places = record.plan.source.map { SourceLines($0) }
    let chains = skipChains(in: record)
    var blocks = record.failures.map { block(for: $0, places, chains[$0.index] ?? []) }
    for step in record {
      if let failure = step.details.undo?.failure {
        blocks.append(title(of: step, failed: "undo failed", places) + lines(of: failure))
      }
    }
    return blocks.joined(separator: "\n")
  }

  private func block(for step: StepRecord, _ places: SourceLines?, _ chains: [String]) -> String {
    guard let failure = step.state.failure else { return "" }
    var text = title(of: step, failed: verb(for: step), places) + lines(of: failure)
    if step.details.attempts.count > 1 { text += "  " + attempts(of: step) + "\n" }
    if let last = step.details.lastLine { text += "  it last said: \(style.visible(last))\n" }
    for chain in chains { text += "  \(style.paint("skipped:", .faint)) \(style.visible(chain))\n" }
    return text
  }

  private func title(of step: StepRecord, failed: String, _ places: SourceLines?) -> String {
    let name = step.id == step.step.commandName ? step.id : "\(step.id) (\(step.step.commandName))"
    let line =
      "\(style.paint("error:", .failure)) \(style.paint(style.visible("\(name) \(failed)"), .heading))\n"
    guard let places, let range = step.step.range else { return line }
    let place = "\(places.source.name):\(places.location(of: Int(range.start))):"
    return "\(style.paint(style.visible(place), .heading)) \(line)"
  }

  private func verb(for step: StepRecord) -> String {
    let isAllowed = step.step.onFailure == .continue
    if case .timedOut = step.state { return isAllowed ? "timed out, as it is allowed to" : "timed out" }
    return isAllowed ? "failed, as it is allowed to" : "failed"
  }

  private func lines(of failure: Failure) -> String {
    var text = ""
    for line in style.lines(failure.message) { text += "  \(line)\n" }
    for cause in failure.causes {
      let lines = style.lines(cause)
      text += "  \(style.paint("caused by:", .faint)) \(lines.joined(separator: "\n             "))\n"
    }
    return text
  }

  private func attempts(of step: StepRecord) -> String {
    let times = step.details.attempts.map { attempt in
      DurationText.brief(nanoseconds: (attempt.end ?? attempt.start) - attempt.start, ascii: style.usesASCII)
    }
    return "\(times.count) attempts: \(times.joined(separator: ", "))"
  }

  // MARK: - Skips

  /// What was skipped because of each failed step: `screen → banner`, one line per step at the chain's end.
  ///
  /// The steps that a stop left out have no chain of their own and stand in one line.
  private func skipChains(in record: StartupRecord) -> [Int: [String]] {
    var chains: [Int: [String]] = [:]
    var stopped: [Int: [String]] = [:]
    let arrow = style.usesASCII ? " -> " : " → "
    for step in record {
      guard case .skipped(let reason) = step.state else { continue }
      switch reason {
      case .excluded, .condition: continue
      case .stopped(let cause): stopped[cause, default: []].append(step.id)
      case .dependency:
        let chain = record.causeChain(of: step.index)
        guard let root = chain.first else { continue }
        let ids = (chain + [step.index]).map { record.plan[$0].id }
        chains[root, default: []].append(ids.joined(separator: arrow))
      }
    }
    for (cause, ids) in stopped {
      let more = ids.count > 12 ? " and \(ids.count - 12) more" : ""
      chains[cause, default: []].append(ids.prefix(12).joined(separator: ", ") + more)
    }
    return chains
  }
}
