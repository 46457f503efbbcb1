import AppBootAnalysis
import AppBoot

/// An attempt of a step, a pause between attempts, or a span, which is drawn as a slice inside the step's slice.
struct SlicePart {
  let name: String
  let category: String
  let start: Int64
  let end: Int64
  let error: String?

  /// Returns the step's attempts, pauses and spans, sorted by start.
  ///
  /// If two start at the same time, the longer one is first.
  ///
  /// - Parameter end: The time in nanoseconds at which attempts and spans without an end are drawn to end.
  static func parts(of step: StepRecord, until end: Int64) -> [SlicePart] {
    let attempts = step.details.attempts.enumerated().map { number, attempt in
      SlicePart(
        name: "attempt \(number + 1)", category: "attempt", start: attempt.startTime,
        // In a hand-written record an attempt may start after its step's end.
        end: attempt.endTime ?? max(attempt.startTime, end),
        error: attempt.failure?.description)
    }
    let spans = step.details.spans.map { span in
      SlicePart(
        name: span.name, category: "span", start: span.startTime,
        end: span.endTime ?? max(span.startTime, end),
        error: span.error)
    }
    return (attempts + pauses(of: step, until: end) + spans).enumerated()
      .sorted {
        ($0.element.start, -$0.element.end, $0.offset) < ($1.element.start, -$1.element.end, $1.offset)
      }
      .map(\.element)
  }

  /// Returns the pauses after failed attempts: the backoff, then the wait for a slot or for the main lane.
  static func pauses(of step: StepRecord, until end: Int64) -> [SlicePart] {
    let attempts = step.details.attempts
    return attempts.indices.flatMap { index -> [SlicePart] in
      let next = index + 1 < attempts.count ? attempts[index + 1].startTime : end
      guard let retry = step.step.retry, index + 1 < retry.attempts, attempts[index].failure != nil,
        let start = attempts[index].endTime, start < next
      else { return [] }
      let ready = min(next, start.addingClamped(max(0, retry.delay(afterAttempt: index + 1))))
      let number = index + 1
      return [("backoff", start, ready), ("wait", ready, next)].filter { $0.1 < $0.2 }
        .map { name, start, end in
          SlicePart(name: "\(name) \(number)", category: name, start: start, end: end, error: nil)
        }
    }
  }
}
