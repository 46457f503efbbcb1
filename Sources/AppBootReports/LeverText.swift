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

  // MARK: - More at once

  /// A change with which more of the launch would run at the same time.
  struct Parallel {
    /// The change in few words, for example `--jobs 6` or `Server alongside Index`.
    let name: String
    let gain: Int64
    /// The gain as a part of the launch, for example `40 %`.
    let share: String
    /// The limit of the launch, or the assumption of the change.
    let condition: String
    /// The arguments of `whatif` that show the change; `nil` if they are too many.
    let arguments: [String]?
    /// The index of the step; `nil` for more slots.
    let step: Int?
  }

  /// Returns the changes with which more would run at the same time, largest gain first.
  ///
  /// - Parameter mark: A function that returns a text of the launch or the command line as the report shows it.
  func parallel(mark: (String) -> String) -> [Parallel] {
    var found = levers.parallel.orders.map { order in
      let (step, other) = (id(order.step), id(order.predecessor))
      return Parallel(
        name: "\(mark(step)) alongside \(mark(other))", gain: order.gain, share: Self.percent(order.share),
        condition: "if \(mark(step)) needs nothing of \(mark(other))", arguments: arguments(order),
        step: order.step)
    }
    if let jobs = levers.parallel.jobs {
      let condition = jobs.recorded == 1 ? "one slot" : "\(jobs.recorded) slots"
      let new = Parallel(
        name: mark("--jobs \(jobs.count)"), gain: jobs.gain, share: Self.percent(jobs.share),
        condition: "\(condition) limited the launch", arguments: ["--jobs", "\(jobs.count)"], step: nil)
      found.insert(new, at: found.firstIndex { $0.gain < jobs.gain } ?? found.count)
    }
    return found
  }

  /// Returns the changes with which more would run at the same time in one line; `nil` if there are none.
  func parallelLine(mark: (String) -> String, time: (Int64) -> String) -> String? {
    let changes = parallel(mark: mark)
    guard !changes.isEmpty else { return nil }
    return changes.prefix(Self.maximumParallel).enumerated().map { index, change in
      "\(change.name) \(index == 0 ? "saves up to " : "")\(time(change.gain)) (\(change.share))"
    }.joined(separator: ", ")
  }

  /// Returns the arguments of `whatif` for a changed order; `nil` if they have many ids, or an id with a comma.
  private func arguments(_ order: ParallelLevers.Order) -> [String]? {
    let changes = order.predecessors.sorted { $0.key < $1.key }
    let ids = changes.map { (step: id($0.key), after: $0.value.map(id)) }
    guard ids.reduce(0, { $0 + 1 + $1.after.count }) <= Self.maximumIDs else { return nil }
    guard !ids.contains(where: { $0.after.contains { $0.contains(",") } }) else { return nil }
    return ids.flatMap { ["--after", "\($0.step)=\($0.after.joined(separator: ","))"] }
  }

  private static let maximumParallel = 2
  private static let maximumIDs = 16

  /// Returns the id of a lever's step.
  func id(_ lever: Levers.Lever) -> String { id(lever.step) }

  private func id(_ step: Int) -> String { record.outline.id(ofStep: step) }

  /// Returns a lever's gain as a part of the launch, for example `40 %`.
  func share(_ lever: Levers.Lever) -> String { Self.percent(lever.share) }

  private static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
}
