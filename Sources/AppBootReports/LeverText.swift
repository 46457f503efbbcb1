import AppBoot
import AppBootAnalysis

/// The levers of a launch in words. All reports use them.
struct LeverText {
  let levers: Levers
  private let record: StartupRecord

  /// Finds the levers of a launch. Returns `nil` if it did not succeed.
  init?(_ record: StartupRecord, atMost limit: Int = 3) {
    guard let levers = Levers(of: record, atMost: limit) else { return nil }
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
      "\(mark(id(lever))) \(index == 0 ? "saves up to " : "")\(time(lever.gain)) (\(share(lever)))"
    }.joined(separator: ", ")
  }

  /// The sentence for a launch without levers.
  var none: String {
    let step = levers.isComplete ? "no step alone" : "none of the longest steps alone"
    return "\(step) shortens the launch by 1 % or more"
  }

  /// Returns the id of a lever's step.
  func id(_ lever: Levers.Lever) -> String { record.outline[lever.step].id }

  /// Returns a lever's gain as a part of the launch, for example `40 %`.
  func share(_ lever: Levers.Lever) -> String { "\(Int((100 * lever.share).rounded())) %" }
}
