import AppBoot
import AppBootRecords
import AppBootAnalysis

/// The critical path of a launch in words: the steps that decided when it ended, with what each waited for.
///
/// A step follows the last thing that it waited for: a step before it, or one that released the main lane or a slot.
struct CriticalPathText {
  /// The indices of the steps, from first to last.
  let steps: [Int]
  private let record: StartupRecord
  /// The words for a wait that is not for a step before it, by the step's index.
  private var waits: [Int: String] = [:]

  init(_ record: StartupRecord) {
    self.record = record
    // In a sequence no step waits for anything else.
    let isSequence = record.indices.allSatisfy { step in
      let before = record.outline.predecessors(of: step)
      return step == 0 ? before.isEmpty : before.count == 1 && before.first == step - 1
    }
    guard !isSequence, let chain = StartChain(critical: record) else {
      steps = CriticalPath(of: record).steps
      return
    }
    steps = chain.links.reversed().map(\.step)
    for link in chain.links { waits[link.step] = link.reason.resourceText.map { "needed \($0)" } }
  }

  /// The time in nanoseconds in which a step of the chain ran.
  ///
  /// It can be less than the sum of their running times: a step that waits for its next attempt releases its slot, and
  /// the next step of the chain may run then.
  var running: Int64 {
    var (total, end): (Int64, Int64) = (0, 0)
    for step in steps.map({ record[$0].execution }) {
      guard let start = step.startTime, let stop = step.endTime else { continue }
      total = total.addingClamped(max(0, stop - max(start, end)))
      end = max(end, stop)
    }
    return total
  }

  /// Returns the path as one line, for example `a 10.0 ms → b 25.0 ms (needed a slot)`.
  ///
  /// - Parameters:
  ///   - count: The maximum number of steps. Of a longer path, steps in the middle are left out.
  ///   - mark: A function that returns a step's id in the report's markup.
  ///   - time: A function that returns a time in words.
  func line(
    _ style: TextStyle, atMost count: Int, mark: (String) -> String, time: (Int64) -> String
  ) -> String {
    let words = steps.map { step in
      let wait = waits[step].map { " (\($0))" } ?? ""
      return "\(mark(record.outline[step].id)) \(time(record[step].execution.runningTime))\(wait)"
    }
    return style.chain(words, atMost: count)
  }

  /// Returns the path as one line in a style.
  func line(_ style: TextStyle, atMost count: Int) -> String {
    line(style, atMost: count, mark: style.visible, time: style.time)
  }
}
