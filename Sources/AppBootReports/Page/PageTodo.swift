import AppBoot

/// The list "Do first" of a page: the failures by what they stopped, then the levers by what they gain.
///
/// On a check's page, the reasons of the verdict come first.
struct PageTodo {
  private static let maximumFailures = 50
  private let record: StartupRecord
  private let check: CheckSummary?

  init(_ record: StartupRecord, _ check: CheckSummary? = nil) { (self.record, self.check) = (record, check) }

  /// The HTML of the section; empty if there is nothing to do.
  var text: String {
    let failures = findings + launchFailures + record.events.flatMap { Self.failures(of: $0.record, on: $0) }
    let levers = levers
    let items = failures.prefix(Self.maximumFailures) + levers
    guard !items.isEmpty else { return "" }
    let hidden = failures.count - Self.maximumFailures
    let rest = hidden > 0 ? "\(hidden) more failures are in the record. " : ""
    let gain =
      "A gain is the time that the launch would save with only that change. A step to shorten takes no time."
    return Self.section(Array(items), more: rest + (levers.isEmpty ? "" : gain))
  }

  /// Returns the HTML of the section.
  static func section(_ items: [String], more: String = "") -> String {
    """
    <section aria-labelledby="first"><h2 id="first">Do first</h2>
    <ol class="todo">
    \(items.joined())</ol>
    \(more.isEmpty ? "" : "<p class=\"aside\">\(more)</p>\n")</section>

    """
  }

  // MARK: - Failures

  /// The reasons of a check's verdict, without those of a failure that the shown launch has too.
  private var findings: [String] {
    let failed = Set(record.failures.map(\.id))
    return (check?.findings ?? []).filter { $0.step.map { !failed.contains($0) } ?? true }.map { finding in
      let step = finding.step.flatMap { record.outline.index(ofStep: $0) }
      return "<li class=\"failure\"\(Self.attribute(step))><h3>\(Markup.visible(finding.message))</h3></li>\n"
    }
  }

  private var launchFailures: [String] {
    let skipped = record.skippedByFailure
    let locations = record.outline.locations()
    return record.failuresFirstToFix.map {
      Self.failure($0, of: record, at: locations[$0.index], on: nil, skipped: skipped[$0.index] ?? 0)
    } + record.compactMap(Self.undo)
  }

  private static func failures(of record: StartupRecord, on event: EventRecord) -> [String] {
    let locations = record.outline.locations()
    let skipped = record.skippedByFailure
    return record.failures.map {
      failure($0, of: record, at: locations[$0.index], on: event, skipped: skipped[$0.index] ?? 0)
    } + record.compactMap(undo)
  }

  private static func failure(
    _ step: StepRecord, of record: StartupRecord, at location: SourceLocation?, on event: EventRecord?,
    skipped: Int
  ) -> String {
    let text = FailureText(step, on: event)
    var place = ""
    if let location, let file = record.outline.file(of: location) { place = "\(file):\(location)" }
    var notes: [String] = []
    if skipped > 0 {
      notes.append("\(skipped) \(skipped == 1 ? "step" : "steps") did not run because of it.")
    }
    let attempts = step.details.attempts.count
    if attempts > 1 { notes.append("It failed in \(attempts) attempts.") }
    return block(
      text.title, place, notes.joined(separator: " "), text.lines.joined(separator: "\n"),
      isAllowed: step.isAllowedFailure, step: event == nil ? step.index : nil)
  }

  private static func undo(of step: StepRecord) -> String? {
    step.details.undo?.failure.map {
      block(FailureText.undo(of: step), "", "", $0.description, isAllowed: false, step: nil)
    }
  }

  private static func block(
    _ title: String, _ place: String, _ note: String, _ message: String, isAllowed: Bool, step: Int?
  ) -> String {
    """
    <li class="failure\(isAllowed ? " allowed" : "")"\(attribute(step))><h3>\(Markup.visible(title)) \
    <span class="place">\(Markup.visible(place))</span></h3>\
    \(note.isEmpty ? "" : "<p>\(Markup.visible(note))</p>")<pre>\(Markup.visibleLines(message))</pre></li>

    """
  }

  private static func attribute(_ step: Int?) -> String { step.map { " data-step=\"\($0)\"" } ?? "" }

  // MARK: - Levers

  private var levers: [String] {
    guard let text = LeverText(record, atMost: 6) else { return [] }
    let parallel = text.parallel(mark: { $0 })
    guard !text.levers.all.isEmpty || !parallel.isEmpty else {
      return record.isEmpty
        ? [] : ["<li><p>\(text.none.sentence)</p></li>\n"]
    }
    let critical = Set(CriticalPathText(record).steps)
    let steps = text.levers.all.map { lever in
      let step = record[lever.step]
      let ran = "It ran for \(TimeNumbers.brief(step.execution.running))"
      let path = critical.contains(lever.step) ? " on the critical path" : ""
      let item = Self.item(
        "Shorten \(step.id)", "−\(TimeNumbers.brief(lever.gain)), \(text.share(lever))",
        "\(ran)\(retries(of: step) ?? path).", step: lever.step)
      return (gain: lever.gain, item: item)
    }
    let others = parallel.map { (gain: $0.gain, item: item($0)) }
    return (steps + others).enumerated()
      .sorted { ($1.element.gain, $0.offset) < ($0.element.gain, $1.offset) }.map(\.element.item)
  }

  private func item(_ change: LeverText.Parallel) -> String {
    let arguments = change.arguments.map { [record.header.tool?.name ?? "appboot", "whatif"] + $0 }
    return Self.item(
      change.title, "−\(TimeNumbers.brief(change.gain)), \(change.share)", change.condition.sentence,
      step: change.step, command: arguments?.map(\.shellWord).joined(separator: " "))
  }

  /// Returns the end of a sentence about a step with several attempts: what its first failure cost.
  private func retries(of step: StepRecord) -> String? {
    let attempts = step.details.attempts
    guard attempts.count > 1, let last = attempts.last, let failure = attempts.first?.failure else {
      return nil
    }
    var words = " in \(attempts.count) attempts; the first failed: \(failure.lastLine.prefix(200))"
    if let replay = LaunchReplay(of: record) {
      var changes = LaunchChanges()
      changes.times[step.index] = .exactly(max(0, (last.end ?? last.start) - last.start))
      let gain = record.duration - replay.predictedDuration(with: changes)
      words +=
        ". If the first attempt had succeeded, the launch would take \(TimeNumbers.brief(max(0, gain))) less"
    }
    return words
  }

  /// Returns the HTML of an item with a gain.
  ///
  /// - Parameter command: The command line that shows the gain; `nil` for none.
  static func item(
    _ title: String, _ gain: String, _ words: String, step: Int?, command: String? = nil
  ) -> String {
    """
    <li\(attribute(step))><span class="n">\(Markup.visible(gain))</span><h3>\(Markup.visible(title))</h3>\
    <p>\(Markup.visible(words))</p>\
    \(command.map { "<p><code>\(Markup.visible($0))</code></p>" } ?? "")</li>

    """
  }
}

extension LeverText.Parallel {
  /// The title of the change in a list of things to do.
  fileprivate var title: String { step == nil ? "Run more at once: \(name)" : "Start \(name)" }
}

extension String {
  /// The text as a sentence.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }

  /// The text as a word of a POSIX shell, in quotes if it needs them.
  fileprivate var shellWord: String {
    let plain = Set("%+=:,./-_@".unicodeScalars)
    let isPlain = unicodeScalars.allSatisfy {
      plain.contains($0) || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
    }
    guard !isPlain else { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

extension StartupRecord {
  /// The failed steps: the one that stopped the launch, then those because of which the most steps did not run.
  var failuresFirstToFix: [StepRecord] {
    let skipped = skippedByFailure
    var stopper: Int?
    if case .failed(let step) = outcome { stopper = step }
    return failures.sorted { left, right in
      func rank(_ step: StepRecord) -> (Int, Int, Int, Int) {
        (
          step.index == stopper ? 0 : 1, step.isAllowedFailure ? 1 : 0, -(skipped[step.index] ?? 0),
          step.index
        )
      }
      return rank(left) < rank(right)
    }
  }

  /// The number of steps that were skipped because of each failed step, by its index. Takes O(steps).
  var skippedByFailure: [Int: Int] {
    var roots: [Int: Int] = [:]
    var counts: [Int: Int] = [:]
    for step in self {
      var path: [Int] = []
      var current = step.index
      while roots[current] == nil, path.count <= count, let cause = cause(ofSkipped: current) {
        path.append(current)
        current = cause
      }
      let root = roots[current] ?? current
      for skipped in path { roots[skipped] = root }
      if !path.isEmpty || roots[step.index] != nil, root != step.index { counts[root, default: 0] += 1 }
    }
    return counts
  }

  /// Returns the step that caused another step to be skipped; `nil` for a step that was not skipped.
  private func cause(ofSkipped step: Int) -> Int? {
    switch self[step].state {
    case .skipped(.dependency(let cause)), .skipped(.stopped(by: let cause)): cause
    case .skipped, .waiting, .ready, .running, .succeeded, .failed, .timedOut, .cancelled: nil
    }
  }
}

extension Failure {
  /// The last line of the message that is not empty: for a program that failed, the end of its output.
  fileprivate var lastLine: String {
    let lines = message.split(whereSeparator: \.isNewline).map(String.init)
    return lines.last { $0.contains { !$0.isWhitespace } }.map { String($0.drop(while: \.isWhitespace)) }
      ?? ""
  }
}
