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

  /// Writes the levers of a launch as the member `levers`, unless it has none.
  static func write(of record: StartupRecord, to writer: inout JSONWriter) {
    guard let text = LeverText(record) else { return }
    writer.key("levers")
    writer.array { writer in
      for lever in text.levers.all {
        writer.object { writer in
          writer.member("step", text.id(lever))
          writer.member("saves", lever.gain)
        }
      }
    }
  }

  /// Returns the id of a lever's step.
  func id(_ lever: Levers.Lever) -> String { record.outline[lever.step].id }

  /// Returns a lever's gain as a part of the launch, for example `40 %`.
  func share(_ lever: Levers.Lever) -> String { "\(Int((100 * lever.share).rounded())) %" }
}
