import AppBoot
import AppBootRecords
package import AppBootAnalysis

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

  private func critical(_ record: StartupRecord) -> String {
    let chain = CriticalPathText(record)
    return chain.steps.isEmpty ? "no step runs" : chain.line(style, atMost: Self.maximumCritical)
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
  package func json(of prediction: LaunchPrediction) -> String {
    let simulated = prediction.simulated
    let chain = StartChain(critical: simulated)?.links.reversed() ?? []
    let json: JSONObject = [
      "name": simulated.outline.name,
      "launches": prediction.samples.count,
      "leftOut": prediction.leftOut,
      "recorded": prediction.recorded,
      "predicted": prediction.predicted,
      "shortest": prediction.range.lowerBound,
      "longest": prediction.range.upperBound,
      "limitedByProcessors": prediction.isLimitedByProcessors,
      "withoutProcessorLimit": prediction.unlimited,
      "critical": chain.map { simulated.outline[$0.step].id },
      "unmeasured": prediction.unmeasured,
      "partlyComputing": prediction.partlyComputing,
      "timedOut": prediction.timedOut,
    ]
    return json.text(pretty: true)
  }
}

extension StartupRecord {
  /// The number of processors in words.
  fileprivate var processorText: String {
    switch header.processors ?? header.host?.cores {
    case 1?: "one processor"
    case let count?: "\(count) processors"
    case nil: "the processors"
    }
  }
}
