package import AppBoot
import AppBootRecords

/// Failed steps with the same error. Reports show the error once.
struct FailureGroup {
  /// The facts that equal failures share: the kind of the failure, the error, and the last line of output.
  struct Key: Hashable {
    private let verb: String
    private let failure: Failure?
    private let lastOutput: String?
    /// The command line if the process printed nothing. The error then says too little to be the same.
    private let commandLine: String?

    /// Creates the key of a step's failure.
    init(_ step: StepRecord) {
      (verb, failure, lastOutput) = (FailureText.verb(of: step), step.state.failure, step.newLastOutput)
      commandLine = step.details.lastOutput == nil ? step.details.commandLine : nil
    }

    /// Creates the key of a failed undo.
    init(undo step: StepRecord) {
      let undo = step.details.undo
      (verb, failure, lastOutput, commandLine) = ("", undo?.failure, nil, undo?.commandLine)
    }
  }

  /// The maximum number of ids in a list.
  static let mostIDs = 12

  /// The steps, in the given order.
  private(set) var steps: [StepRecord]

  /// The first step, which stands for the others.
  var first: StepRecord { steps[0] }

  /// True if all steps ran the same command line.
  var hasOneCommandLine: Bool { steps.allSatisfy { $0.details.commandLine == first.details.commandLine } }

  /// Returns failed steps in groups. A group is at the place of its first step.
  ///
  /// - Parameter key: A function that returns the facts which the steps of a group share.
  static func of(_ steps: [StepRecord], by key: (StepRecord) -> Key = { Key($0) }) -> [FailureGroup] {
    var groups: [FailureGroup] = []
    var places: [Key: Int] = [:]
    for step in steps {
      let key = key(step)
      if let place = places[key] {
        groups[place].steps.append(step)
      } else {
        places[key] = groups.count
        groups.append(FailureGroup(steps: [step]))
      }
    }
    return groups
  }

  /// Returns the failed undos of a record in groups.
  static func undos(of record: LaunchRecord) -> [FailureGroup] {
    of(record.filter { $0.details.undo?.failure != nil }) { Key(undo: $0) }
  }

  /// Returns the steps as the subject of a sentence, for example `a`, `a and b`, or `a and 29 more steps`.
  ///
  /// - Parameter mark: A function that returns an id in the report's markup.
  func subject(mark: (String) -> String = { $0 }) -> String {
    steps.count == 2
      ? "\(mark(first.id)) and \(mark(steps[1].id))" : mark(first.id) + Self.others(steps.count - 1)
  }

  private static func others(_ count: Int) -> String {
    count == 0 ? "" : " and \(count) more step\(count == 1 ? "" : "s")"
  }

  /// Returns findings with one for all that differ only in the step, for example `a and 29 more steps failed: no`.
  static func merged(_ findings: [CheckFinding]) -> [CheckFinding] {
    var merged: [(finding: CheckFinding, rest: Substring, count: Int)] = []
    var places: [Substring: Int] = [:]
    for finding in findings {
      let step = finding.step ?? ""
      let isAboutStep = !step.isEmpty && finding.message.hasPrefix(step + " ")
      let rest = isAboutStep ? finding.message.dropFirst(step.count) : ""
      if isAboutStep, let place = places[rest] {
        merged[place].count += 1
      } else {
        if isAboutStep { places[rest] = merged.count }
        merged.append((finding, rest, 0))
      }
    }
    return merged.map { finding, rest, count in
      guard count > 0, let step = finding.step else { return finding }
      return CheckFinding(step: step, message: step + others(count) + rest)
    }
  }

  /// The ids of the steps that the subject only counts, for example `b, c and 17 more`; `nil` if it names all steps.
  var others: String? { steps.count > 2 ? steps.dropFirst().map(\.id).listed(atMost: Self.mostIDs) : nil }

  /// The numbers of attempts in words, for example `3 attempts`, `3 attempts each` or `1 to 3 attempts`; `nil` if each
  /// step had one.
  var attempts: String? {
    let counts = steps.map { max(1, $0.details.attempts.count) }
    guard let least = counts.min(), let most = counts.max(), most > 1 else { return nil }
    return least == most
      ? "\(most) attempts\(counts.count > 1 ? " each" : "")" : "\(least) to \(most) attempts"
  }
}

extension LaunchRecord {
  /// The number of steps that were skipped because of each failed step, by the index of that step.
  var skippedByFailure: [Int: Int] { Dictionary(skipRoots.values.map { ($0, 1) }, uniquingKeysWith: +) }

  /// The failed steps: the one that stopped the launch, then those because of which the most steps did not run.
  package var failuresFirstToFix: [StepRecord] {
    let failed = failures
    guard failed.count > 1 else { return failed }
    let skipped = skippedByFailure
    var stopper: Int?
    if case .failed(let step) = outcome { stopper = step }
    func rank(_ step: StepRecord) -> (Int, Int, Int, Int) {
      (
        step.index == stopper ? 0 : 1, step.isAllowedFailure ? 1 : 0, -(skipped[step.index] ?? 0), step.index
      )
    }
    return failed.sorted { rank($0) < rank($1) }
  }
}
