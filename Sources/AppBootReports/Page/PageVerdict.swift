import AppBoot
import AppBootRecords

/// The header and the footer of a page: the verdict in one sentence, and the record's origin.
struct PageVerdict {
  private let record: LaunchRecord
  private let check: CheckSummary?
  private let difference: String?
  private let running: RunningApp?
  private var outcome: OutcomeText { OutcomeText(record) }

  init(
    _ record: LaunchRecord, _ check: CheckSummary? = nil, _ difference: String? = nil,
    _ running: RunningApp? = nil
  ) {
    (self.record, self.check, self.difference, self.running) = (record, check, difference, running)
  }

  /// The HTML of the header.
  var text: String {
    Self.header(
      record.outline.name, badge: check?.title ?? running?.badge ?? outcome.title,
      tone: check.map { PageCheck($0).tone } ?? tone,
      lead: (running?.lead ?? "") + safeMode + lead, aside: aside, origin: origin)
  }

  /// Returns the HTML of a header.
  ///
  /// - Parameters:
  ///   - tone: The CSS class of the badge: `good`, `warn` or `bad`.
  ///   - lead: The verdict as a sentence.
  ///   - aside: More sentences, or an empty text.
  ///   - origin: The time and the labels as HTML, or an empty text.
  static func header(
    _ name: String, badge: String, tone: String, lead: String, aside: String, origin: String = ""
  ) -> String {
    """
    <header>
    <div class="top"><h1>\(Markup.visible(name))</h1>\
    <span class="badge \(tone)">\(Markup.visible(badge))</span></div>
    <p class="lead">\(Markup.visible(lead))</p>
    \(origin.isEmpty ? "" : "<p class=\"aside\">\(origin)</p>\n")\
    \(aside.isEmpty ? "" : "<p class=\"aside\">\(Markup.visible(aside))</p>\n")</header>

    """
  }

  private var tone: String {
    switch record.severity {
    case .good: "good"
    case .running, .warning: "warn"
    case .failure: "bad"
    }
  }

  /// The verdict: for a launch that did not boot the step that stopped it and its cause, then the other failures.
  private var lead: String {
    if let check { return check.line + "." }
    if running != nil, record.outcome == .running { return "\(StateCounts(record).text)." }
    let time = TimeNumbers.brief(record.elapsedTime)
    let counts = StateCounts(record).text
    guard let reason = outcome.reason(after: TimeNumbers.brief) else {
      let budget = record.outline.budgetTime.map {
        record.elapsedTime > $0 ? ", \(BudgetText.over($0))" : ", within its budget of \(Self.exact($0))"
      }
      let change = difference.map { " It is \($0)." } ?? ""
      return "The launch took \(time)\(budget ?? "").\(change) \(counts)."
    }
    let verdict = "The launch \(outcome.verb): \(reason)"
    guard case .failed(let stopper) = record.outcome else { return "\(verdict). \(counts)." }
    let cause = record[stopper].cause.map { ": \($0.prefix(300))" } ?? ""
    return "\(verdict)\(cause)\(outcome.rollback). It took \(time). \(counts)."
  }

  private var aside: String {
    let options = record.outline.options
    let launch =
      options == LaunchOptions()
      ? "" : "Launch: \(options.reason.rawValue)\(options.url.map { ", \($0)" } ?? "")."
    let allowed =
      record.toleratedFailures.isEmpty || check != nil ? "" : "Some steps failed, but are allowed to fail."
    let events = record.failedEvents { $0 }.map { "After the launch, \($0)." } ?? ""
    let retried = record.filter { $0.details.attempts.count > 1 }
    let names = retried.map { "\($0.id) (\($0.details.attempts.count) attempts)" }
    let retries = names.isEmpty ? "" : "Retried: \(names.listed(atMost: 5))."
    return [events, allowed, retries, launch].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var safeMode: String { record.outline.safeMode.map { "Safe mode: \($0.reason). " } ?? "" }

  private static func exact(_ time: Int64) -> String { DurationText.exact(.nanoseconds(time)) }

  /// The HTML of the footer.
  var footer: String {
    let facts = PageOrigin.facts(of: record).dropFirst().map(\.value).joined(separator: " · ")
    return "<footer>\(Markup.visible(facts))</footer>\n"
  }

  /// The time of the start, which the script shows as local time, and the labels, for example branch and commit.
  private var origin: String {
    let labels = record.header.labels.map { Markup.visible("\($0.name) \($0.value)") }
    return (["Started \(PageFrame.time(record.startedAt))"] + labels).joined(separator: " · ")
  }
}

/// The facts about the origin of a record: its start, manifest, machine and tool.
enum PageOrigin {
  /// Returns the facts and the labels of launches with their names. A fact has each of its values once.
  static func facts(of records: [LaunchRecord]) -> [(name: String, value: String)] {
    var names: [String] = []
    var values: [String: [String]] = [:]
    for record in records {
      for (name, value) in facts(of: record) + record.header.labels.map({ ($0.name, $0.value) }) {
        if values[name] == nil { names.append(name) }
        if values[name]?.contains(value) != true { values[name, default: []].append(value) }
      }
    }
    return names.map { ($0, text(of: values[$0] ?? [], named: $0)) }
  }

  private static func text(of values: [String], named name: String) -> String {
    if name == "Started", values.count > 1, let first = values.min(), let last = values.max() {
      return "\(first) to \(last)"
    }
    return values.listed(atMost: 3)
  }

  /// Returns the facts of a launch with their names.
  static func facts(of record: LaunchRecord) -> [(name: String, value: String)] {
    let (outline, header) = (record.outline, record.header)
    let facts: [(name: String, value: String?)] = [
      ("Started", record.startedAt),
      ("Manifest", outline.manifestName),
      ("Digest", outline.manifestDigest.map { "\($0.prefix(19))…" }),
      ("System", header.host.map { "\($0.system) \($0.release) \($0.architecture)" }),
      ("Machine", header.host.map { "\($0.processor.map { "\($0), " } ?? "")\($0.cores) cores" }),
      ("Tool", header.toolText),
    ]
    return facts.compactMap { name, value in value.map { (name, $0) } }
  }
}
