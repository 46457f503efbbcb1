import AppBoot

/// The differences of a launch's steps from a base, by step index, which the waterfall shows.
struct PageChanges {
  /// The change of the running time in nanoseconds; `nil` for a step without times on both sides.
  var change: [Int64?]
  /// The running times in the base.
  var baseRunning: [Int64?]
  /// The start times in the base's launch; `nil` if the base is no single launch.
  var baseStart: [Int64?]?
  /// The change in words, for example `medians 38.0 ms before, 45.7 ms now (+20.3 %), slower`.
  var words: [String]
  /// The name of the other side, `base` or `baseline`.
  private let baseName: String
  /// The effect of the change on the launch in words; `nil` for a step without one.
  var gain: [String?]

  /// Creates the differences that a comparison found.
  ///
  /// - Parameters:
  ///   - comparison: The comparison whose head has the launch.
  ///   - record: The launch.
  ///   - base: The launch of the base to draw; `nil` to draw only its running times.
  ///   - effects: The effects on the launch in words, by id.
  init(
    _ comparison: Comparison, in record: StartupRecord, base: StartupRecord? = nil,
    effects: [String: String] = [:]
  ) {
    baseName = comparison.baseName
    let steps = Dictionary(comparison.steps.map { ($0.id, $0) }) { first, _ in first }
    let former = base.map { Dictionary($0.map { ($0.id, $0) }) { first, _ in first } }
    let added = Set(comparison.added)
    let moved = Set(comparison.reordered)
    change = []
    (baseRunning, baseStart, words, gain) = ([], base == nil ? nil : [], [], [])
    for step in record {
      let match = steps[step.id]
      let other = match.flatMap { former?[$0.formerID ?? $0.id] }
      let effect = match?.effect
      let hasTimes = effect?.hasTimes == true
      change.append(hasTimes ? effect.map { $0.headMedian - $0.baseMedian } : nil)
      if let other {
        baseRunning.append(other.execution.startTime == nil ? nil : other.execution.runningTime)
      } else {
        baseRunning.append(hasTimes ? effect?.baseMedian : nil)
      }
      baseStart?.append(other?.execution.startTime)
      var text = added.contains(step.id) ? "added" : match.map(Self.words) ?? ""
      if moved.contains(step.id) { text += ", moved" }
      words.append(text)
      gain.append(effects[step.id])
    }
  }

  /// The sentence that tells the numbers of the picture apart.
  var legend: String {
    baseStart == nil
      ? "A bar is this launch. A hollow bar is the median of the \(baseName), and Δ is the change of the medians."
      : "A bar and a hollow bar are one launch of each side. Δ is the change of the medians over all launches."
  }

  private static func words(for step: Comparison.Step) -> String {
    let words = EffectText(effect: step.effect, ascii: false)
    let former = step.formerID.map { ", renamed from \($0)" } ?? ""
    guard step.effect.hasTimes else { return words.decision + former }
    return "medians \(words.base) before, \(words.head) now (\(words.medianChange)), "
      + "\(words.verdict)\(former)"
  }
}
