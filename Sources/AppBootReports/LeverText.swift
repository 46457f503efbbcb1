import AppBoot
import AppBootAnalysis

/// The levers of a launch in words. All reports use them.
struct LeverText {
  let levers: Levers
  private let record: StartupRecord

  /// Finds the levers of a launch. Returns `nil` if it did not succeed, ran in safe mode, or has one step only.
  init?(_ record: StartupRecord) {
    guard record.count > 1, let levers = Levers(of: record) else { return nil }
    self.levers = levers
    self.record = record
  }

  /// Returns all levers in one line.
  ///
  /// - Parameters:
  ///   - mark: A function that returns a step's id as the report shows it.
  ///   - time: A function that returns a time as the report shows it.
  func line(mark: (String) -> String, time: (Int64) -> String) -> String {
    guard !levers.all.isEmpty else { return none }
    return levers.all.enumerated().map { index, lever in
      "\(mark(id(lever))) \(index == 0 ? "20 % shorter saves " : "")\(time(lever.gain)) (\(share(lever)))"
    }.joined(separator: ", ")
  }

  /// The sentence for a launch without levers.
  var none: String {
    let step = levers.isComplete ? "no single step" : "none of the longest steps"
    return "\(step) shortens the launch by 1 % or more if it takes 20 % less time"
  }

  var json: [JSONObject] { levers.all.map { ["step": id($0), "saves": $0.gain] } }

  /// Returns the id of a lever's step.
  func id(_ lever: Levers.Lever) -> String { record.outline[lever.step].id }

  /// Returns a lever's gain as a part of the launch, for example `40 %`.
  func share(_ lever: Levers.Lever) -> String { Self.percent(lever.share) }

  static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
}

/// The cost of a launch's retries in words. All reports use them.
struct RetryText {
  private let record: StartupRecord
  private let cost: RetryCost

  /// Returns `nil` if failed attempts cost a launch that succeeded less than 1 % of its time.
  init?(_ record: StartupRecord) {
    guard let cost = RetryCost(of: record) else { return nil }
    (self.record, self.cost) = (record, cost)
  }

  /// The nanoseconds that the failed attempts cost.
  var gain: Int64 { cost.gain }
  /// The cost as a part of the launch, for example `40 %`.
  var share: String { LeverText.percent(Double(cost.gain) / Double(record.elapsedTime)) }
  /// The index of the only step with retries; `nil` for several.
  var step: Int? { cost.steps.count == 1 ? cost.steps.first : nil }
  /// The words for the first failure of the only step with retries; `nil` for several.
  var firstFailure: String? {
    step.flatMap { record[$0].details.attempts.first?.failure }
      .map { "The first attempt failed: \($0.lastOutput.prefix(200))" }
  }

  /// Returns the ids of the steps as the report shows them.
  func names(mark: (String) -> String) -> String {
    cost.steps.map { mark(record.outline[$0].id) }.listed(atMost: 3)
  }

  /// Returns the sentence with the cost, without its full stop.
  func sentence(mark: (String) -> String = { $0 }, time: (Int64) -> String) -> String {
    "If the first attempt of \(cost.steps.count == 1 ? "" : "each of ")\(names(mark: mark)) had succeeded, the launch "
      + "would have taken \(time(cost.gain)) less"
  }
}
