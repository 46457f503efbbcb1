import AppBoot

/// The failures of a launch as text, with a block for each.
///
/// A block has the step's line in the manifest, the error message, and the steps that were skipped because of the
/// failure.
struct FailureBlocks {
  let style: TextStyle

  /// Returns a block for each failed step and each failed undo, separated by empty lines.
  ///
  /// - Parameter isShown: A function that returns true for a step whose failures were printed before. They are left
  ///   out.
  func text(of record: StartupRecord, isShown: (_ step: Int) -> Bool = { _ in false }) -> String {
    let failures = record.failures.filter { !isShown($0.index) }
    let undos = record.filter { $0.details.undo?.failure != nil && !isShown($0.index) }
    guard !failures.isEmpty || !undos.isEmpty else { return "" }
    let places = StepPlaces(record.outline)
    let chains = skipChains(in: record)
    let blocks =
      failures.map { block(for: $0, at: places[$0.index], chains[$0.index] ?? []) }
      + undos.map { undoBlock(for: $0, at: places[$0.index]) }
    return blocks.joined(separator: "\n")
  }

  /// Returns the block of a step that has just failed.
  func text(ofStep step: Int, in record: StartupRecord) -> String {
    block(for: record[step], at: StepPlaces.place(of: step, in: record.outline), [])
  }

  /// Returns the block of a step whose undo has just failed.
  func text(ofUndo step: Int, in record: StartupRecord) -> String {
    undoBlock(for: record[step], at: StepPlaces.place(of: step, in: record.outline))
  }

  private func undoBlock(for step: StepRecord, at place: String?) -> String {
    step.details.undo?.failure.map { title(of: step, "undo failed", place) + lines(of: $0) } ?? ""
  }

  private func block(for step: StepRecord, at place: String?, _ chains: [String]) -> String {
    guard let failure = step.state.failure else { return "" }
    var text = title(of: step, FailureText.verb(of: step), place) + commandLine(of: step) + lines(of: failure)
    if step.details.attempts.count > 1 { text += "  " + attempts(of: step) + "\n" }
    if let last = step.newLastOutput {
      let output = style.fit(style.visible(last), to: Failure.outputColumns)
      text += style.wrapped("  \(FailureText.lastOutput) \(output)", indent: 4) + "\n"
    }
    for chain in chains {
      text += style.wrapped("  \(style.paint("skipped:", .faint)) \(style.visible(chain))", indent: 4) + "\n"
    }
    return text
  }

  private func title(of step: StepRecord, _ verb: String, _ place: String?) -> String {
    let name = step.id == step.step.commandName ? step.id : "\(step.id) (\(step.step.commandName))"
    let severity =
      step.isAllowedFailure ? style.paint("warning:", .warning) : style.paint("error:", .failure)
    let line = "\(severity) \(style.paint(style.visible("\(name) \(verb)"), .heading))"
    let front = place.map { style.paint(style.visible("\($0):"), .heading) + " " } ?? ""
    return style.wrapped(front + line, indent: 2) + "\n"
  }

  /// Returns the line with the program that the step ran, as a shell shows it; empty without a process.
  private func commandLine(of step: StepRecord) -> String {
    guard let line = FailureText.commandLine(of: step) else { return "" }
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
    let times = step.details.attempts.map { style.time(($0.end ?? $0.start) - $0.start) }
    return "\(times.count) attempts: \(times.joined(separator: ", "))"
  }

  // MARK: - Skips

  /// The maximum number of chains that are shown, and of steps in one chain.
  private static let limit = 12

  /// Returns the texts about skipped steps, by the failed step that caused them.
  ///
  /// Steps that were skipped because of a dependency form a chain: `sync → banner → late`. Steps that were skipped
  /// because the failure stopped the launch share one line.
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

/// The locations of the steps in the manifest, as `file:line:column`.
private struct StepPlaces {
  private let outline: LaunchOutline
  private let locations: [SourceLocation?]

  init(_ outline: LaunchOutline) {
    self.outline = outline
    locations = outline.locations()
  }

  subscript(step: Int) -> String? { Self.place(locations[step], in: outline) }

  /// Returns the location of a step as `file:line:column`; `nil` if it is unknown. Takes O(n) in the manifest's length.
  static func place(of step: Int, in outline: LaunchOutline) -> String? {
    place(outline.location(ofStep: step), in: outline)
  }

  private static func place(_ location: SourceLocation?, in outline: LaunchOutline) -> String? {
    guard let location, let file = outline.file(of: location) else { return nil }
    return "\(file):\(location)"
  }
}
