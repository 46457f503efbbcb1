import AppBoot
package import AppBootAnalysis
import AppBootRecords

/// The critical path of a launch in words: the steps that decided when it ended, with what each waited for.
struct CriticalPathText {
  /// The links of the path, from first to last.
  let links: [CriticalPath.Link]
  private let record: LaunchRecord

  init(_ record: LaunchRecord) {
    self.record = record
    links = CriticalPath(of: record).links.reversed()
  }

  /// The time in nanoseconds in which a step of the chain ran.
  var running: Int64 { links.reduce(0) { $0.addingClamped($1.end - $1.start) } }

  /// Returns the path as one line, for example `a 10.0 ms → b 25.0 ms (needed a slot)`.
  ///
  /// - Parameters:
  ///   - count: The maximum number of steps. Of a longer path, steps in the middle are left out.
  ///   - mark: A function that returns a step's id in the report's markup.
  ///   - time: A function that returns a time in words.
  func line(
    _ style: TextStyle, atMost count: Int, mark: (String) -> String, time: (Int64) -> String
  ) -> String {
    let words = links.map { link in
      let wait = link.reason.resourceText.map { " (needed \($0))" } ?? ""
      return "\(mark(record.outline[link.step].id)) \(time(link.end - link.start))\(wait)"
    }
    return style.chain(words, atMost: count)
  }

  /// Returns the path as one line in a style.
  func line(_ style: TextStyle, atMost count: Int) -> String {
    line(style, atMost: count, mark: style.visible, time: style.time)
  }
}

/// The levers of a launch in words. All reports use them.
struct LeverText {
  let levers: Levers
  private let record: LaunchRecord

  /// Finds the levers of a launch. Returns `nil` if it did not succeed, ran in safe mode, or has one step only.
  init?(_ record: LaunchRecord) {
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
  private let record: LaunchRecord
  private let cost: RetryCost

  /// Returns `nil` if failed attempts cost a launch that succeeded less than 1 % of its time.
  init?(_ record: LaunchRecord) {
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

/// A prediction as text for a terminal, or as JSON.
package struct PredictionText: Sendable {
  private static let maximumCritical = 12
  /// The smallest relative difference that counts: 1 %.
  private static let least = 0.01

  private let style: TextStyle

  /// Creates a text in a style.
  package init(style: TextStyle = TextStyle()) { self.style = style }

  /// Returns the prediction as text. Each line ends with a line feed.
  ///
  /// - Parameter setsJobs: True if the number of slots was changed.
  package func text(of prediction: LaunchPrediction, setsJobs: Bool) -> String {
    var lines = [("launches", launches(prediction))]
    if prediction.leftOut > 0 {
      let count = prediction.leftOut == 1 ? "1 launch" : "\(prediction.leftOut) launches"
      lines.append(("left out", "\(count) with other steps or --jobs"))
    }
    lines.append(("critical", critical(prediction.simulated)))
    if let words = processors(prediction, setsJobs: setsJobs) { lines.append(("processors", words)) }
    if !prediction.timedOut.isEmpty {
      lines.append(("timeout", "\(names(prediction.timedOut)) would time out; timeouts are not simulated"))
    }
    return lines.map { style.fact($0, $1) }.joined() + headline(prediction) + "\n"
  }

  private func headline(_ prediction: LaunchPrediction) -> String {
    let name = style.visible(prediction.simulated.outline.name)
    let times = "\(style.time(prediction.predicted)) instead of \(style.time(prediction.recorded))"
    return "\(name) would boot in \(times): \(difference(prediction.predicted, prediction.recorded))"
  }

  private func difference(_ time: Int64, _ base: Int64) -> String {
    let saved = base - time
    let percent = base > 0 ? Int((100 * Double(saved.magnitude) / Double(base)).rounded()) : 0
    guard percent > 0 else { return "no change of 1 % or more" }
    return "\(percent) % \(saved > 0 ? "faster" : "slower")"
  }

  private func launches(_ prediction: LaunchPrediction) -> String {
    let count = prediction.samples.count
    let (predicted, recorded) = (words(prediction.range), words(prediction.recordedRange))
    guard count > 1 else {
      let range = prediction.range.lowerBound < prediction.range.upperBound ? "predicted \(predicted), " : ""
      return "1 recorded launch: \(range)the variation between launches is unknown"
    }
    return "\(count) recorded launches took \(recorded); predicted \(predicted)"
  }

  private func words(_ range: ClosedRange<Int64>) -> String {
    "\(style.time(range.lowerBound)) to \(style.time(range.upperBound))"
  }

  private func critical(_ record: LaunchRecord) -> String {
    let chain = CriticalPathText(record)
    return chain.links.isEmpty ? "no step runs" : chain.line(style, atMost: Self.maximumCritical)
  }

  /// Returns how far the processors limit the prediction; `nil` if they do not.
  private func processors(_ prediction: LaunchPrediction, setsJobs: Bool) -> String? {
    guard let unlimited = prediction.unlimited else {
      return setsJobs ? "unknown: the prediction is too short if the steps compute rather than wait" : nil
    }
    if setsJobs, !prediction.unmeasured.isEmpty {
      return "the CPU time of \(names(prediction.unmeasured)) is unknown: all running time counts as waiting"
    }
    if setsJobs, !prediction.partlyComputing.isEmpty {
      return
        "\(names(prediction.partlyComputing)) computed, and waited for something: if it was a processor that "
        + "other work used, the effect of --jobs cannot be told"
    }
    guard prediction.isLimitedByProcessors else { return nil }
    let count = prediction.simulated.processorText
    let predicted = Double(prediction.predicted)
    guard predicted - Double(unlimited) > Self.least * predicted else {
      return "the recorded steps shared \(count): how long they take alone is an estimate"
    }
    return "the steps share \(count): without a limit, the launch would take \(style.time(unlimited))"
  }

  private func names(_ ids: [String]) -> String { ids.map(style.visible).listed(atMost: 6) }

  /// Returns the prediction as JSON. Times are in nanoseconds.
  ///
  /// - Parameter setsJobs: True if the number of slots was changed.
  package func json(of prediction: LaunchPrediction, setsJobs: Bool) -> String {
    let simulated = prediction.simulated
    let json: JSONObject = [
      "name": simulated.outline.name,
      "launches": prediction.samples.count,
      "leftOut": prediction.leftOut,
      "recorded": prediction.recorded,
      "predicted": prediction.predicted,
      "shortest": prediction.range.lowerBound,
      "longest": prediction.range.upperBound,
      "limitedByProcessors": processors(prediction, setsJobs: setsJobs) != nil,
      "withoutProcessorLimit": prediction.unlimited,
      "critical": CriticalPath(of: simulated).steps.map { simulated.outline[$0].id },
      "unmeasured": prediction.unmeasured,
      "partlyComputing": prediction.partlyComputing,
      "timedOut": prediction.timedOut,
    ]
    return json.text(pretty: true)
  }
}

extension LaunchRecord {
  /// The number of processors in words.
  fileprivate var processorText: String {
    switch header.processors ?? header.host?.cores {
    case 1?: "one processor"
    case let count?: "\(count) processors"
    case nil: "the processors"
    }
  }
}
