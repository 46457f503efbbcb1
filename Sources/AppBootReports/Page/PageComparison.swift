package import AppBoot
import AppBootAnalysis
import AppBootRecords

extension LaunchPage {
  /// Returns a comparison as HTML, with the launch of median time of each side over each other.
  ///
  /// - Parameters:
  ///   - comparison: The comparison.
  ///   - base: The launches of the base.
  ///   - head: The launches to judge.
  package func text(of comparison: Comparison, base: [LaunchRecord], head: [LaunchRecord]) -> String {
    let empty = LaunchRunner(LaunchPlan(sequence: [])).snapshot().record
    let isFailing = comparison.launchChange?.failsMore == true
    let former = Self.shown(base, failed: false) ?? empty
    let record = Self.shown(head, failed: isFailing) ?? empty
    let page = PageComparison(comparison, head: record)
    let changes = PageChanges(
      comparison, in: record, base: former, effects: page.effects,
      highlighted: Set(comparison.decided.filter(\.effect.isSlower).map(\.id)))
    return Self.document(
      title: "\(comparison.head.name): \(comparison.headline)",
      body: """
        \(page.header)\
        <main>
        \(page.todo)\(page.table)\(page.steps)\
        <h2>\(isFailing ? "The first launch that failed" : "The launch of median time") over the base</h2>
        \(PageFrame.pictures(changes))\
        \(PageTable(record).text)\
        \(page.origins(of: base, head))\
        </main>

        """,
      data: PageData(of: record, changes).json)
  }

  /// The launch to draw: the one of median time among those that succeeded, or else the first.
  ///
  /// - Parameter failed: True for the first launch that failed.
  private static func shown(_ records: [LaunchRecord], failed: Bool) -> LaunchRecord? {
    if failed, let record = records.first(where: { !$0.succeeded }) { return record.withEstimatedEnd }
    return records.filter(\.succeeded).median ?? records.first?.withEstimatedEnd
  }
}

/// The sections of a page that compares two sets of launches.
struct PageComparison {
  private static let limit = 200
  /// The maximum number of steps of all simulations, so that a page takes less than a second.
  private static let simulatedSteps = 200_000

  private let comparison: Comparison
  private let head: LaunchRecord
  /// The effects of changed steps on the launch in nanoseconds, by id: positive if the change made it longer.
  private let gains: [String: Int64]

  init(_ comparison: Comparison, head: LaunchRecord) {
    (self.comparison, self.head) = (comparison, head)
    gains = Self.gains(comparison, head)
  }

  /// The effects of changed steps on the launch in words, by id.
  var effects: [String: String] { gains.mapValues(Self.effect) }

  /// Predicts the head with the base's time of each changed step. Steps with larger changes come first.
  private static func gains(_ comparison: Comparison, _ head: LaunchRecord) -> [String: Int64] {
    guard let replay = LaunchReplay(of: head) else { return [:] }
    var gains: [String: Int64] = [:]
    let changed = comparison.different.filter { $0.effect.hasTimes && $0.effect.baseMedian > 0 }
    for step in changed.prefix(max(1, min(40, simulatedSteps / max(1, head.count)))) {
      guard let index = head.outline.index(ofStep: step.id) else { continue }
      var changes = LaunchChanges()
      changes.times[index] = .scaled(Double(step.effect.baseMedian) / Double(max(1, step.effect.headMedian)))
      gains[step.id] = head.elapsedTime - replay.predictedDuration(with: changes)
    }
    return gains
  }

  /// Returns words in which a percentage stays on one line.
  private static func unbroken(_ words: String) -> String {
    words.split(separator: " ").reduce(into: "") { text, word in
      if !text.isEmpty { text += word == "%" ? "\u{A0}" : " " }
      text += word
    }
  }

  private static func effect(_ gain: Int64) -> String {
    if gain == 0 { return "no effect" }
    return "\(gain > 0 ? "+" : "−")\(TimeNumbers.brief(abs(gain)))"
  }

  // MARK: - The verdict

  var header: String {
    let warnings = comparison.ownWarnings.map { $0.words + "." }.joined(separator: " ")
    return PageVerdict.header(
      comparison.head.name, badge: comparison.headline, tone: tone, lead: comparison.summary() + ".",
      aside: ["Base: \(comparison.base.counts).", "Head: \(comparison.head.counts).", warnings]
        .filter { !$0.isEmpty }.joined(separator: " "))
  }

  private var tone: String {
    if comparison.launchChange?.failsMore == true || comparison.isSlower { return "bad" }
    if comparison.launch.isFaster || comparison.launchChange != nil { return "good" }
    if case .inconclusive = comparison.launch.decision { return "warn" }
    return comparison.hasTimes ? "good" : "warn"
  }

  /// The changed outcomes, then the slower steps.
  var todo: String {
    let states = comparison.states.map { change in
      let step = change.step.flatMap { head.outline.index(ofStep: $0) }
      // As on the page of a launch, an allowed failure is no error.
      let isAllowed = step.map { head.outline[$0].onFailure == .continue } ?? false
      return PageTodo.item(
        change.step ?? "the launch", change.failsMore && !isAllowed ? .failure : .warning,
        note: "\(change.before.words) → \(change.now.words)", step: step)
    }
    let slower = comparison.decided.filter(\.effect.isSlower).map { step in
      let words = EffectText(effect: step.effect, ascii: false)
      return PageTodo.item(
        "\(step.id) is \(Self.unbroken(words.decision))", gain: gains[step.id].map(Self.effect) ?? "",
        note: "It took \(words.base) before and takes \(words.head) now.",
        step: head.outline.index(ofStep: step.id))
    }
    let items = states.prefix(Self.limit) + slower.prefix(20)
    guard !items.isEmpty else { return "" }
    let more =
      slower.isEmpty ? "" : "An effect is the time that the launch would save with the step's former time."
    let isFailure = comparison.states.contains(where: \.failsMore)
    return PageTodo.section(Array(items), title: isFailure ? .failure : .time, more: more)
  }

  // MARK: - The table

  var table: String {
    guard comparison.hasTimes else { return "" }
    let different = comparison.different
    let rows =
      different.prefix(Self.limit).map { row($0.id, $0.effect) } + [row("the launch", comparison.launch)]
    let hidden = different.count - Self.limit
    let notes = [comparison.equalLine ?? "", hidden > 0 ? "\(hidden) more steps are not shown" : ""]
    return PageFrame.table(
      "What changed", id: "changes",
      heads: [
        ("Step", ""), ("Before", "n"), ("p90", "n wide"), ("Now", "n"), ("p90", "n wide"),
        ("Change", "n"), ("95 % confidence", "n wide"),
        ("Effect on the launch", "n wide"), ("Decision", ""),
      ],
      rows: rows, note: notes.filter { !$0.isEmpty }.joined(separator: "; "))
  }

  private func row(_ id: String, _ effect: Effect) -> String {
    let words = EffectText(effect: effect, ascii: false)
    return PageFrame.row(
      id,
      [
        ("n", words.base), ("n wide", words.base90), ("n", words.head), ("n wide", words.head90),
        (effect.isSlower ? "n over" : "n", words.change),
        ("n wide", words.interval), ("n wide", gains[id].map(Self.effect) ?? ""),
        ("", Markup.visible(Self.unbroken(words.decision))),
      ])
  }

  /// The steps that were added, removed, renamed or moved.
  var steps: String {
    let items = comparison.changedSteps().map { name, ids in
      "<dt>\(name)</dt><dd>\(Markup.visible(ids.listed(atMost: Self.limit)))</dd>"
    }
    return items.isEmpty ? "" : "<dl class=\"facts\">\(items.joined())</dl>\n"
  }

  /// Returns the table with the origins of the launches of both sides. It marks the differences.
  func origins(of base: [LaunchRecord], _ head: [LaunchRecord]) -> String {
    let (before, now) = (PageOrigin.facts(of: base), PageOrigin.facts(of: head))
    let names = now.map(\.name) + before.map(\.name).filter { name in !now.contains { $0.name == name } }
    let rows = names.map { name -> String in
      let values = [before, now].map { $0.first { $0.name == name }?.value ?? "" }
      let mark = values[0] == values[1] || name == "Started" ? "" : "different"
      return PageFrame.row(name, values.map { ("wrap", Markup.visible($0)) } + [("", mark)])
    }
    return PageFrame.table(
      "Origin of the launches", id: "origins",
      heads: [("Fact", ""), ("Base", ""), ("Head", ""), ("Comparison", "")], rows: rows)
  }
}

/// The differences of a launch's steps from a base, which the waterfall shows.
struct PageChanges {
  /// The difference of a step.
  struct Step {
    /// The change of the running time in nanoseconds; `nil` for a step without times on both sides.
    let time: Int64?
    /// The running time in the base.
    let baseRunning: Int64?
    /// The start time in the base's launch; `nil` if the base is no single launch.
    let baseStart: Int64?
    /// The change in words, for example `medians 38.0 ms before, 45.7 ms now (+20.3 %), slower`.
    let words: String
    /// The effect of the change on the launch in words; `nil` for a step without one.
    let effect: String?
    /// True if the verdict names the step.
    let isHighlighted: Bool
  }

  /// The differences, by step index.
  let steps: [Step]
  /// True if a launch of the base is drawn, and not only its running times.
  let drawsLaunch: Bool
  /// The name of the other side, `base` or `baseline`.
  private let baseName: String

  /// Creates the differences that a comparison found.
  ///
  /// - Parameters:
  ///   - comparison: The comparison whose head has the launch.
  ///   - record: The launch.
  ///   - base: The launch of the base to draw; `nil` to draw only its running times.
  ///   - effects: The effects on the launch in words, by id.
  ///   - highlighted: The ids of the steps that the verdict names.
  init(
    _ comparison: Comparison, in record: LaunchRecord, base: LaunchRecord? = nil,
    effects: [String: String] = [:], highlighted: Set<String>
  ) {
    baseName = comparison.baseName
    drawsLaunch = base != nil
    let matches = Dictionary(comparison.steps.map { ($0.id, $0) }) { first, _ in first }
    let former = base.map { Dictionary($0.map { ($0.id, $0) }) { first, _ in first } }
    let (added, moved) = (Set(comparison.added), Set(comparison.reordered))
    steps = record.map { step in
      let match = matches[step.id]
      let other = match.flatMap { former?[$0.formerID ?? $0.id] }?.execution
      let effect = match.flatMap { $0.effect.hasTimes ? $0.effect : nil }
      let words = added.contains(step.id) ? "added" : match.map(Self.words) ?? ""
      return Step(
        time: effect?.medianDifference,
        baseRunning: other.map { $0.startTime == nil ? nil : $0.runningTime } ?? effect?.baseMedian,
        baseStart: other?.startTime, words: words + (moved.contains(step.id) ? ", moved" : ""),
        effect: effects[step.id], isHighlighted: highlighted.contains(step.id))
    }
  }

  /// The sentence that tells the numbers of the picture apart.
  var legend: String {
    drawsLaunch
      ? "A bar and a hollow bar are one launch of each side. Δ is the change of the medians over all launches."
      : "A bar is this launch. A hollow bar is the median of the \(baseName), and Δ is the change of the medians."
  }

  private static func words(for step: Comparison.Step) -> String {
    let words = EffectText(effect: step.effect, ascii: false)
    let former = step.formerID.map { ", renamed from \($0)" } ?? ""
    guard step.effect.hasTimes else { return words.decision + former }
    return "medians \(words.base) before, \(words.head) now (\(words.medianChange)), "
      + "\(words.verdict)\(former)"
  }
}
