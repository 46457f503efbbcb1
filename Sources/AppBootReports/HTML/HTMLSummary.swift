import AppBoot

/// The page's head and foot: whether it booted, the figures, and where the record comes from.
struct HTMLSummary {
  private let record: StartupRecord

  init(_ record: StartupRecord) { self.record = record }

  /// The head.
  var text: String {
    """
    <header>
    <div class="top"><h1>\(Markup.visible(record.outline.name))</h1>\
    <span class="badge \(tone)">\(record.outcome.words)</span></div>
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
    let reason: String
    switch record.outcome {
    case .running: reason = "The launch has not reached its end: the record ends \(record.lastRunning)."
    case .succeeded:
      reason = record.toleratedFailures.isEmpty ? "" : "Some steps failed, as they are allowed to."
    case .failed(let step): reason = "\(record.outline[step].id) \(record[step].state.verb)."
    case .timedOut: reason = "It reached its time limit."
    case .cancelled(let text): reason = "It was cancelled: \(text)"
    }
    let launch =
      "Launch: \(record.outline.options.reason.rawValue)\(record.outline.options.url.map { ", \($0)" } ?? "")."
    let lists = record.failedLists { $0 }.map { "After it, \($0)." } ?? ""
    let safeMode = record.outline.safeMode.map { "Safe mode: \($0.reason)." } ?? ""
    return Markup.visible([reason, lists, safeMode, launch].filter { !$0.isEmpty }.joined(separator: " "))
  }

  private var cards: String {
    let path = CriticalPath(of: record).steps
    var cards = card(
      "Time", TimeNumbers.brief(record.duration),
      record.outcome == .running ? "as far as anything is known" : "of the whole launch", name: "duration")
    if let budget = record.outline.budget {
      let isOver = record.duration > budget
      let share = TimeNumbers.percent(record.duration, of: max(1, budget)).prefix { $0 != "." }
      cards += card(
        "Budget", DurationText.exact(.nanoseconds(budget)), isOver ? "exceeded" : "\(share) % used",
        isOver: isOver)
    }
    let counts = StateCounts(record)
    cards += card("Steps", String(record.count), counts.parts ?? "none", name: "count")
    if !path.isEmpty, record.outcome != .running {
      cards += card(
        "Critical path", "\(path.count) \(path.count == 1 ? "step" : "steps")", "decided how long it took")
    }
    if let slowest = record.max(by: { $0.execution.running < $1.execution.running }),
      slowest.execution.running > 0
    {
      cards += card("Slowest step", TimeNumbers.brief(slowest.execution.running), Markup.visible(slowest.id))
    }
    return cards
  }

  private func card(
    _ title: String, _ value: String, _ remark: String, name: String? = nil, isOver: Bool = false
  ) -> String {
    let id = name.map { " id=\"\($0)\"" } ?? ""
    return """
      <div class="card"><dt>\(title)</dt><dd\(id)\(isOver ? " class=\"over\"" : "")>\(value)\
      <div class="sub">\(remark)</div></dd></div>

      """
  }

  /// The foot.
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

/// What failed, each with its place, its message and its causes.
struct HTMLFailures {
  private static let limit = 50
  private let record: StartupRecord

  init(_ record: StartupRecord) { self.record = record }

  /// The section; empty where nothing failed.
  var text: String {
    let all = blocks(for: record) + record.events.flatMap { blocks(for: $0.record, on: " on \($0.name)") }
    guard !all.isEmpty else { return "" }
    let more = all.count > Self.limit ? "<p>\(all.count - Self.limit) more are in the record.</p>\n" : ""
    return """
      <section aria-labelledby="failed"><h2 id="failed">What failed</h2>
      \(all.prefix(Self.limit).joined())\(more)</section>

      """
  }

  private func blocks(for record: StartupRecord, on event: String = "") -> [String] {
    let locations = record.outline.locations()
    return record.failures.map { block(for: $0, at: locations[$0.index], on: event) }
      + record.compactMap(undo)
  }

  private func block(for step: StepRecord, at location: SourceLocation?, on event: String) -> String {
    let isAllowed = step.step.onFailure == .continue
    let title = "\(step.id)\(event) \(step.state.verb)\(isAllowed ? ", as it is allowed to" : "")"
    var lines = [step.state.failure?.message ?? ""]
    lines += (step.state.failure?.causes ?? []).map { "caused by: \($0)" }
    if let said = step.details.lastLine { lines.append("it last said: \(said)") }
    var place = ""
    if let location, let file = record.outline.manifestName { place = "\(file):\(location)" }
    return block(title, place, lines.joined(separator: "\n"), isAllowed: isAllowed)
  }

  private func undo(of step: StepRecord) -> String? {
    step.details.undo?.failure.map {
      block("The undo of \(step.id) failed", "", $0.description, isAllowed: false)
    }
  }

  private func block(_ title: String, _ place: String, _ message: String, isAllowed: Bool) -> String {
    """
    <div class="failure\(isAllowed ? " allowed" : "")"><h3>\(Markup.visible(title)) \
    <span class="place">\(Markup.visible(place))</span></h3><pre>\(Markup.visibleLines(message))</pre></div>

    """
  }
}
