import AppBoot
import AppBootRecords
import AppBootAnalysis

/// The first list of a page: the failures, those that stopped most first, the exceeded budgets, the retries, then the
/// levers, those that gain most first.
///
/// On a check's page, the reasons of the verdict replace the levers.
struct PageTodo {
  private static let maximumFailures = 50
  private let record: LaunchRecord
  private let check: CheckSummary?

  init(_ record: LaunchRecord, _ check: CheckSummary? = nil) { (self.record, self.check) = (record, check) }

  /// The HTML of the section; empty if there is nothing to do.
  var text: String {
    let handlers = record.events.flatMap {
      Self.failures($0.record.failuresFirstToFix, of: $0.record, on: $0)
    }
    let failures = findings + launchFailures + handlers
    // Beside the reasons of a check's verdict, general advice would distract.
    let isAdvised = check?.reasons.isEmpty != false
    let found = isAdvised ? LeverText(record) : nil
    let advice = isAdvised ? budgets + retries + (found.map(levers) ?? []) : []
    let items = failures.prefix(Self.maximumFailures) + advice
    guard !items.isEmpty else { return "" }
    let hidden = failures.count - Self.maximumFailures
    let rest = hidden > 0 ? "\(hidden) more failures are in the record. " : ""
    let title: Title = failures.isEmpty ? .time : check?.verdict == .inconclusive ? .open : .failure
    return Self.section(Array(items), title: title, more: rest)
  }

  /// The title of the section.
  enum Title: String {
    case failure = "What failed"
    case open = "What is not decided"
    case time = "Where the time goes"
  }

  /// Returns the HTML of the section.
  static func section(_ items: [String], title: Title, more: String = "") -> String {
    """
    <section aria-labelledby="first"><h2 id="first">\(title.rawValue)</h2>
    <ol class="todo">
    \(items.joined())</ol>
    \(more.isEmpty ? "" : "<p class=\"aside\">\(more)</p>\n")</section>

    """
  }

  // MARK: - Failures

  /// The reasons of a check's verdict, without those of a failure that the shown launch has too.
  private var findings: [String] {
    let failed = Set(record.failures.map(\.id))
    return (check?.reasons ?? []).filter { $0.step.map { !failed.contains($0) } ?? true }.map { finding in
      Self.item(
        finding.message, check?.verdict == .inconclusive ? .warning : .failure,
        step: finding.step.flatMap { record.outline.index(ofStep: $0) })
    }
  }

  /// The steps over their budgets, largest excess first. A check's budgets are about the medians of its launches.
  private var budgets: [String] {
    guard check == nil else { return [] }
    return record.stepsOverBudget.prefix(LaunchRecord.maximumBudgets).map { step in
      let time = TimeNumbers.brief(step.execution.runningTime)
      let title = "\(step.id) took \(time), \(BudgetText.over(step.step.budgetTime ?? 0))"
      return Self.item(title, .warning, step: step.index)
    }
  }

  private var launchFailures: [String] {
    Self.failures(record.failuresFirstToFix, of: record, on: nil)
      + (record.isStillRunning ? [] : record.interrupted).map { step in
        Self.item(
          "\(step.id) was still running", .failure, message: step.lastOutputText ?? "", step: step.index)
      }
  }

  /// Returns an item for each group of equal failures, then for each group of failed undos.
  private static func failures(
    _ steps: [StepRecord], of record: LaunchRecord, on event: EventRecord?
  ) -> [String] {
    let skipped = record.skippedByFailure
    let locations = record.outline.locations()
    return FailureGroup.of(steps).map { group in
      failure(
        group, of: record, at: locations[group.first.index], on: event,
        skipped: group.steps.reduce(0) { $0 + (skipped[$1.index] ?? 0) })
    }
      + FailureGroup.undos(of: record).map { group in
        undo(of: group, in: record, at: locations[group.first.index], on: event)
      }
  }

  private static func failure(
    _ group: FailureGroup, of record: LaunchRecord, at location: SourceLocation?, on event: EventRecord?,
    skipped: Int
  ) -> String {
    let text = FailureText(group, on: event)
    var notes = [same(group)].compactMap(\.self)
    if skipped > 0 {
      let cause = group.steps.count == 1 ? "it" : "them"
      notes.append("\(skipped) \(skipped == 1 ? "step" : "steps") did not run because of \(cause).")
    }
    if let attempts = group.attempts {
      notes.append("\(group.steps.count == 1 ? "It" : "They") failed in \(attempts).")
    }
    return item(
      text.title, group.first.isAllowedFailure ? .warning : .failure,
      place: record.outline.place(of: location),
      note: notes.joined(separator: " "), message: text.lines.joined(separator: "\n"),
      step: event == nil ? group.first.index : nil)
  }

  private static func undo(
    of group: FailureGroup, in record: LaunchRecord, at location: SourceLocation?, on event: EventRecord?
  ) -> String {
    let text = FailureText(undo: group)
    return item(
      text.title, .failure, place: record.outline.place(of: location), note: same(group) ?? "",
      message: text.lines.joined(separator: "\n"), step: event == nil ? group.first.index : nil)
  }

  /// Returns a sentence with the steps that the title only counts; `nil` if the title names all steps.
  private static func same(_ group: FailureGroup) -> String? {
    group.others.map { "The same error: \($0)." }
  }

  // MARK: - Levers

  /// The steps that needed several attempts, with what the failed ones cost.
  private var retries: [String] {
    guard let text = RetryText(record) else { return [] }
    let gain = "−\(TimeNumbers.brief(text.gain)), \(text.share)"
    let words = (text.firstFailure.map { "\($0). " } ?? "") + "\(text.sentence(time: TimeNumbers.brief))."
    return [Self.item("Avoid the retries of \(text.names { $0 })", gain: gain, note: words, step: text.step)]
  }

  private func levers(_ text: LeverText) -> [String] {
    guard !text.levers.all.isEmpty else {
      return ["<li><p>\(text.none.prefix(1).uppercased() + text.none.dropFirst()).</p></li>\n"]
    }
    let critical = CriticalPath(of: record)
    return text.levers.all.map { lever in
      let step = record[lever.step]
      let attempts = step.details.attempts.count
      let path = critical.contains(lever.step) ? ", on the critical path" : ""
      return Self.item(
        "\(step.id) \(step.ranText())"
          + "\(attempts > 1 ? " in \(attempts) attempts" : "")\(path)",
        note: "If it took 20 % less time, the launch would save \(TimeNumbers.brief(lever.gain)) "
          + "(\(text.share(lever))).", step: lever.step)
    }
  }

  // MARK: - Items

  /// The CSS class of an item.
  enum Tone: String {
    case advice = ""
    case warning = " class=\"failure allowed\""
    case failure = " class=\"failure\""
  }

  /// Returns the HTML of an item.
  ///
  /// - Parameters:
  ///   - place: The place in the manifest, if it is known.
  ///   - gain: The time that the launch can save, if the item is about one.
  ///   - note: The sentences below the title, or an empty text.
  ///   - message: The lines of an error, if the item has one.
  ///   - step: The index of the step that the item is about, if it is about one.
  static func item(
    _ title: String, _ tone: Tone = .advice, place: String? = nil, gain: String? = nil, note: String = "",
    message: String? = nil, step: Int? = nil
  ) -> String {
    let attribute = step.map { " data-step=\"\($0)\"" } ?? ""
    let place = place.map { " <span class=\"place\">\(Markup.visible($0))</span>" } ?? ""
    return """
      <li\(tone.rawValue)\(attribute)>\(gain.map { "<span class=\"n\">\(Markup.visible($0))</span>" } ?? "")\
      <h3>\(Markup.visible(title))\(place)</h3>\(note.isEmpty ? "" : "<p>\(Markup.visible(note))</p>")\
      \(message.map { "<pre tabindex=\"0\">\(Markup.visibleLines($0))</pre>" } ?? "")</li>

      """
  }
}
