import AppBoot

/// The header and footer of the HTML report: the outcome, the key figures, and the record's origin.
struct HTMLSummary {
  private let record: StartupRecord
  private let check: CheckSummary?
  private var outcome: OutcomeText { OutcomeText(record) }

  init(_ record: StartupRecord, _ check: CheckSummary? = nil) { (self.record, self.check) = (record, check) }

  /// The HTML of the header.
  var text: String {
    """
    <header>
    <div class="top"><h1>\(Markup.visible(record.outline.name))</h1>\
    <span class="badge \(check.map { HTMLCheck($0).tone } ?? tone)">\(check?.title ?? outcome.verb)</span></div>
    <p class="lead">\(lead)</p>
    <dl class="cards">
    \(cards)</dl>
    </header>

    """
  }

  private var tone: String {
    switch record.outcome {
    case .running: "warn"
    case .succeeded: record.toleratedFailures.isEmpty && record.succeededWithEvents ? "good" : "warn"
    case .failed, .timedOut, .cancelled: "bad"
    }
  }

  private var lead: String {
    let allowed = record.toleratedFailures.isEmpty ? "" : "Steps failed that are allowed to fail."
    let launchReason = outcome.reason().map { "The launch \(outcome.verb): \($0)." } ?? allowed
    let reason = check.map { $0.line + "." } ?? launchReason
    let launch =
      "Launch: \(record.outline.options.reason.rawValue)\(record.outline.options.url.map { ", \($0)" } ?? "")."
    let events = record.failedEvents { $0 }.map { "After the launch, \($0)." } ?? ""
    let safeMode = record.outline.safeMode.map { "Safe mode: \($0.reason)." } ?? ""
    return Markup.visible([reason, events, safeMode, launch].filter { !$0.isEmpty }.joined(separator: " "))
  }

  private var cards: String {
    let times = LaunchTimes(record)
    var cards = card(
      "Time", TimeNumbers.brief(record.duration),
      record.outcome == .running ? "up to the end of the record" : "of the whole launch", name: "duration")
    if let budget = record.outline.budget {
      let isOver = record.duration > budget
      let share = TimeNumbers.percent(record.duration, of: max(1, budget)).prefix { $0 != "." }
      cards += card(
        "Budget", DurationText.exact(.nanoseconds(budget)), isOver ? "exceeded" : "\(share) % used",
        isOver: isOver)
    }
    cards += card("Steps", String(record.count), StateCounts(record).parts, name: "count")
    let path = times.critical.count
    if path > 0, record.outcome != .running {
      cards += card("Critical path", "\(path) \(path == 1 ? "step" : "steps")", "decided the time")
    }
    return cards + lever(times)
  }

  /// Returns the card of the best lever; of the slowest step if the launch did not succeed.
  private func lever(_ times: LaunchTimes) -> String {
    guard let slowest = times.slowest.first else { return "" }
    guard let text = LeverText(record, atMost: 1) else {
      return card("Slowest step", TimeNumbers.brief(slowest.execution.running), Markup.visible(slowest.id))
    }
    guard let lever = text.levers.all.first else { return card("Best lever", "none", text.none) }
    let step = Markup.visible(text.id(lever))
    return card(
      "Best lever", TimeNumbers.brief(lever.gain), "\(text.share(lever)) shorter if \(step) took no time")
  }

  private func card(
    _ title: String, _ value: String, _ detail: String, name: String? = nil, isOver: Bool = false
  ) -> String {
    let id = name.map { " id=\"\($0)\"" } ?? ""
    return """
      <div class="card"><dt>\(title)</dt><dd\(id)\(isOver ? " class=\"over\"" : "")>\(value)\
      <div class="sub">\(detail)</div></dd></div>

      """
  }

  /// The HTML of the footer.
  var footer: String {
    var facts = ["Started \(record.startedAt)"]
    if let manifest = record.outline.manifestName { facts.append(manifest) }
    if let digest = record.outline.manifestDigest { facts.append(String(digest.prefix(19)) + "…") }
    if let host = record.header.host {
      facts.append("\(host.system) \(host.release) \(host.architecture)")
      facts.append("\(host.processor.map { "\($0), " } ?? "")\(host.cores) cores")
    }
    if let tool = record.header.tool { facts.append("\(tool.name) \(tool.version)") }
    return "<footer>\(Markup.visible(facts.joined(separator: " · ")))</footer>\n"
  }
}

/// The list of failures in the HTML report, each with its line in the manifest, its message and its causes.
struct HTMLFailures {
  private static let maximumBlocks = 50
  private let record: StartupRecord

  init(_ record: StartupRecord) { self.record = record }

  /// The HTML of the section; empty if nothing failed.
  var text: String {
    let all = blocks(for: record) + record.events.flatMap { blocks(for: $0.record, on: $0) }
    guard !all.isEmpty else { return "" }
    let more =
      all.count > Self.maximumBlocks
      ? "<p>\(all.count - Self.maximumBlocks) more failures are in the record.</p>\n" : ""
    return """
      <section aria-labelledby="failed"><h2 id="failed">What failed</h2>
      \(all.prefix(Self.maximumBlocks).joined())\(more)</section>

      """
  }

  private func blocks(for record: StartupRecord, on event: EventRecord? = nil) -> [String] {
    let locations = record.outline.locations()
    return record.failures.map { block(for: $0, at: locations[$0.index], on: event) }
      + record.compactMap(undo)
  }

  private func block(for step: StepRecord, at location: SourceLocation?, on event: EventRecord?)
    -> String
  {
    let text = FailureText(step, on: event)
    var place = ""
    if let location, let file = record.outline.file(of: location) { place = "\(file):\(location)" }
    return block(text.title, place, text.lines.joined(separator: "\n"), isAllowed: step.isAllowedFailure)
  }

  private func undo(of step: StepRecord) -> String? {
    step.details.undo?.failure.map {
      block(FailureText.undo(of: step), "", $0.description, isAllowed: false)
    }
  }

  private func block(_ title: String, _ place: String, _ message: String, isAllowed: Bool) -> String {
    """
    <div class="failure\(isAllowed ? " allowed" : "")"><h3>\(Markup.visible(title)) \
    <span class="place">\(Markup.visible(place))</span></h3><pre>\(Markup.visibleLines(message))</pre></div>

    """
  }
}
