package import AppBoot
import AppBootSystem

/// A summary of a launch, which is all that the history stores of it.
package struct LaunchSummary: Sendable, Hashable {
  /// The outcome of a launch, without details.
  package typealias Outcome = LaunchOutcome.Kind
  /// The state of a step, without details.
  package typealias State = StepState.Kind

  /// The summary of a step.
  package struct Step: Sendable, Hashable {
    /// The step's id.
    package let id: String
    /// The step's state at the end of the launch.
    package let state: State
    /// The nanoseconds from the start of the first attempt to the end of the last one; 0 if the step never ran.
    package let duration: Int64
    /// The number of attempts; 0 if the step never ran.
    package private(set) var attempts = 1
  }

  /// The name of the launch.
  package let name: String
  /// The wall time at which the launch began, as RFC 3339 in UTC.
  package let startedAt: String
  /// The nanoseconds from the start to the end of the launch.
  package let duration: Int64
  /// The outcome of the launch.
  package let outcome: Outcome
  /// The id of the step that decided the outcome `failed`; `nil` for other outcomes, and in earlier builds' histories.
  package private(set) var failedStep: String?
  /// The id of the service whose failure ended the app after the launch; `nil` if there is none, or if it is unknown.
  /// The history does not store it.
  package var failedLater: String?
  /// The number of the launch's record, from 1 for the latest one; `nil` without a record. The history does not store
  /// it.
  package var recordNumber: Int?
  /// The labels, sorted by name.
  package private(set) var labels: [LaunchLabel] = []
  /// The digest of the manifest; `nil` for a plan made in code.
  package private(set) var planDigest: String?
  /// The steps in manifest order.
  package let steps: [Step]

  /// True if the launch succeeded. Steps with the policy `continue` may have failed.
  package var succeeded: Bool { outcome == .succeeded }

  /// Returns the value of the label with a name; `nil` if the launch does not have the label.
  package func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
}

extension LaunchRecord {
  /// The index of the service whose failure ended the app after a launch that succeeded; `nil` if there is none.
  package var failedLaterStep: Int? {
    guard case .failed(let step) = outcome, cancellation == nil, self[step].details.failureTime != nil else {
      return nil
    }
    return step
  }
}

/// The end of a launch's line in a history: its plan, and facts about the whole file.
///
/// The last line of the file thus suffices to append the next one.
struct HistoryLineEnd: Equatable {
  /// The maximum number of bytes of the end of a line.
  static let length = 160

  /// The key of the launch's plan (``LaunchSummary/planKey``).
  let plan: String
  /// The start time of the first launch in the file.
  let first: String
  /// The number of launches in the file, including this one.
  let count: Int

  init(plan: String, first: String, count: Int) {
    (self.plan, self.first, self.count) = (plan, first, count)
  }

  /// Reads the end of a line, with or without its line feed; `nil` if the line is damaged or that of a plan.
  init?(_ bytes: ArraySlice<UInt8>) {
    let bytes = bytes.last == .lineFeed ? bytes.dropLast() : bytes
    let end = bytes.suffix(Self.length)
    let mark = Array(#","plan":""#.utf8)
    guard bytes.last == UInt8(ascii: "}"),
      let start = end.indices.last(where: { end[$0...].starts(with: mark) }),
      let object = try? RecordObject(
        parsing: SourceText(name: "history", bytes: [UInt8(ascii: "{")] + end[(start + 1)...])),
      let plan = try? object.required("plan", .text), let first = try? object.required("first", .text),
      let count = try? object.required("count", .integer(in: 1...Int.max))
    else { return nil }
    self.init(plan: plan, first: first, count: count)
  }

  func write(to writer: inout JSONWriter) {
    writer.member("plan", plan)
    writer.member("first", first)
    writer.member("count", count)
  }
}

extension LaunchSummary {
  /// Creates the summary of a record. If the end of the launch is not recorded, its duration is estimated.
  package init(_ record: LaunchRecord) {
    let record = record.withEstimatedEnd
    let failedLater = record.failedLaterStep
    let outcome = failedLater == nil ? record.outcome : .succeeded
    self.init(
      name: record.outline.name, startedAt: record.startedAt, duration: record.elapsedTime,
      outcome: outcome.kind, failedStep: RecordedOutcome(outcome, in: record.outline).failedStep,
      failedLater: failedLater.map { record[$0].id }, labels: record.header.labels,
      planDigest: record.outline.manifestDigest,
      steps: record.map { step in
        // A service that failed later had succeeded in the launch.
        let state = step.details.failureTime == nil ? step.state.kind : .succeeded
        return Step(
          id: step.id, state: state, duration: step.execution.runningTime,
          attempts: step.execution.startTime == nil ? 0 : max(1, step.details.attempts.count))
      })
  }

  /// The version of the history's lines.
  static let lineVersion = 1

  /// The key of the launch's plan in a history: a hash of the manifest's digest and of the steps' ids.
  var planKey: String {
    var hash = FNV1a()
    for text in [planDigest ?? ""] + steps.map(\.id) {
      hash.add(text.utf8)
      hash.add(CollectionOfOne(0xFF))
    }
    return hash.value.digits(16, radix: 16)
  }

  /// Returns the line of the launch's plan, which launches of the same plan share.
  func planLine() -> [UInt8] {
    JSONWriter.line { writer in
      writer.member("plan", planKey)
      writer.member("version", Self.lineVersion)
      writer.member("name", name)
      if let planDigest { writer.member("digest", planDigest) }
      writer.member("steps", steps.map(\.id))
    }
  }

  /// Returns the line of the launch. It has a number for each step, whose ids are in the line of the plan.
  func line(_ end: HistoryLineEnd) -> [UInt8] {
    JSONWriter.line { writer in
      writer.member("startedAt", startedAt)
      writer.member("duration", duration)
      writer.member("outcome", outcome.rawValue)
      if let failedStep { writer.member("failedStep", failedStep) }
      if !labels.isEmpty { _ = writer.optional("labels", .labels, labels) }
      writeSteps(to: &writer)
      end.write(to: &writer)
    }
  }

  private func writeSteps(to writer: inout JSONWriter) {
    let times = steps.map { $0.attempts > 0 ? ($0.duration + 500) / 1000 : nil }
    _ = writer.optional("microseconds", .numbers, times)
    if steps.contains(where: { $0.state != .succeeded }) {
      writer.member("states", String(steps.map(\.state.letter)))
    }
    let retried = steps.indices.filter { steps[$0].attempts > 1 }
    guard !retried.isEmpty else { return }
    _ = writer.optional("attempts", .numbers, retried.flatMap { [Int64($0), Int64(steps[$0].attempts)] })
  }
}

extension RecordForm<[Int64?]> {
  /// Whole numbers, or `null`.
  fileprivate static var numbers: Self {
    let integer = RecordForm<Int64>.integer(in: 0...LaunchRecord.longestTime / 1000)
    return array(
      of: RecordForm<Int64?>(
        write: { number, writer in if let number { integer.write(number, &writer) } else { writer.null() } },
        read: { value, object, name throws(RecordError) in
          value.isNull ? nil : try integer.read(value, object, name)
        },
        schema: integer.schema, placeholder: { nil }))
  }
}

extension LaunchSummary.State {
  /// The letter of the state in a history.
  fileprivate var letter: Character {
    switch self {
    case .succeeded: "."
    case .failed: "f"
    case .timedOut: "t"
    case .cancelled: "c"
    case .skipped: "s"
    case .waiting: "w"
    case .ready: "q"
    case .running: "r"
    }
  }
}

/// A reader of a history's lines, first to last.
struct HistoryLines {
  private struct Plan {
    let name: String
    let digest: String?
    let steps: [String]
  }

  private var plans: [String: Plan] = [:]
  /// The launches so far, in the order of the lines.
  private(set) var launches: [LaunchSummary] = []
  /// The numbers of the lines that could not be read.
  private(set) var damaged: [Int] = []
  /// The number of launches that a newer version of the format describes.
  private(set) var newer = 0
  /// The keys of the plans that a newer version of the format describes.
  private var newerPlans: Set<String> = []

  /// Reads a line.
  ///
  /// - Parameter number: The number of the line in its file, from 1.
  mutating func read(_ line: ArraySlice<UInt8>, number: Int = 0) {
    do throws(RecordError) {
      let object = try RecordObject(parsing: SourceText(name: "history", bytes: Array(line)))
      let key = try object.required("plan", .text)
      if try object.optional("startedAt", .text) == nil {
        let version = try object.required("version", .integer(in: 1...Int.max))
        if version > LaunchSummary.lineVersion {
          newerPlans.insert(key)
        } else {
          plans[key] = try plan(object)
        }
      } else if let plan = plans[key] {
        launches.append(try launch(object, of: plan))
      } else if newerPlans.contains(key) {
        newer += 1
      } else {
        damaged.append(number)
      }
    } catch {
      damaged.append(number)
    }
  }

  private func plan(_ object: RecordObject) throws(RecordError) -> Plan {
    Plan(
      name: try object.required("name", .text), digest: try object.optional("digest", .text),
      steps: try object.optional("steps", .texts) ?? [])
  }

  private func launch(_ object: RecordObject, of plan: Plan) throws(RecordError) -> LaunchSummary {
    let times = try object.optional("microseconds", .numbers) ?? []
    var states = [LaunchSummary.State](repeating: .succeeded, count: times.count)
    if let letters = try object.optional("states", .text) {
      states = letters.compactMap { letter in LaunchSummary.State.allCases.first { $0.letter == letter } }
    }
    var attempts = times.map { $0 == nil ? 0 : 1 }
    let pairs = try object.optional("attempts", .numbers) ?? []
    guard times.count == plan.steps.count, states.count == times.count, pairs.count.isMultiple(of: 2) else {
      throw object.damaged("the numbers do not fit the steps")
    }
    for place in stride(from: 0, to: pairs.count, by: 2) {
      guard let step = pairs[place].map(Int.init), attempts.indices.contains(step),
        let count = pairs[place + 1]
      else { throw object.damaged("there is no such step", at: "attempts") }
      attempts[step] = Int(count)
    }
    let startedAt = try object.required("startedAt", .text)
    guard LaunchID.stamp(of: startedAt) != nil else {
      throw object.damaged("expected a time", at: "startedAt")
    }
    return LaunchSummary(
      name: plan.name, startedAt: startedAt,
      duration: try object.required("duration", .time),
      outcome: try object.required("outcome", .choice(.running)),
      failedStep: try object.optional("failedStep", .text),
      labels: try object.optional("labels", .labels) ?? [], planDigest: plan.digest,
      steps: times.indices.map { index in
        LaunchSummary.Step(
          id: plan.steps[index], state: states[index], duration: (times[index] ?? 0) * 1000,
          attempts: attempts[index])
      })
  }
}
