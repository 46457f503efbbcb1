/// The chain of steps that decided how long a launch took, and how much later each other step could have ended.
///
/// It is computed from what happened: each step counts from the moment it was ready to its end, so that
/// the chain's parts add up to the whole, waiting for a lane included. Failed and timed-out steps count as
/// any other that ran.
public struct CriticalPath: Sendable {
  /// The steps of the chain, first to last, by index.
  public let steps: [Int]
  private let isOnPath: [Bool]
  private let slacks: [Int64]

  /// Finds the chain; linear in steps and edges.
  public init(of record: StartupRecord) {
    let executions = record.executions
    let path = Self.path(of: record)
    var isOnPath = [Bool](repeating: false, count: executions.count)
    for step in path { isOnPath[step] = true }
    steps = path
    self.isOnPath = isOnPath
    slacks = Self.slacks(executions, record.outline.graph)
  }

  /// Whether a step is part of the chain.
  public func contains(_ step: Int) -> Bool { isOnPath[step] }

  /// Nanoseconds by which a step could have ended later without the launch taking longer; `nil` if it never ran.
  ///
  /// It goes by what comes after what, and takes each step as long as it was from ready to end. Who else would have
  /// waited for the lane is not reckoned with.
  public func slack(of step: Int) -> Int64? { slacks[step] < 0 ? nil : slacks[step] }

  private static func path(of record: StartupRecord) -> [Int] {
    let (executions, graph) = (record.executions, record.outline.graph)
    let ran = executions.indices.filter { executions[$0].start != nil && executions[$0].end != nil }
    let end = ran.lazy.map { executions[$0].endTime }.max()
    let last = ran.filter { executions[$0].endTime == end }
    // What was cut short at the last moment did not decide when that was.
    guard var current = last.first(where: { !isCutShort($0, in: record) }) ?? last.first else { return [] }
    var path = [current]
    while let previous = latestPredecessor(of: current, executions, graph) {
      path.append(previous)
      current = previous
    }
    return path.reversed()
  }

  /// Whether a step ended because the launch did: it was cancelled, or would have been tried again.
  private static func isCutShort(_ step: Int, in record: StartupRecord) -> Bool {
    let execution = record.executions[step]
    switch execution.state {
    case .cancelled(.requested), .cancelled(.deadline): return true
    case .cancelled(.selfCancelled), .waiting, .ready, .running, .succeeded, .failed, .timedOut, .skipped:
      break
    }
    guard let attempt = record.details[step]?.attempts.last?.end else { return false }
    return attempt < execution.endTime
  }

  /// The predecessor that made the step ready: the one that ended last. One that was skipped stands for
  /// the one that it came after.
  private static func latestPredecessor(
    of step: Int, _ executions: [StepExecution], _ graph: DependencyGraph
  ) -> Int? {
    var found: Int?
    var skipped: Set<Int> = []
    var candidates = Array(graph.predecessors(of: step))
    while let candidate = candidates.popLast().map({ Int($0) }) {
      guard executions[candidate].start != nil, executions[candidate].end != nil else {
        if skipped.insert(candidate).inserted {
          candidates.append(contentsOf: graph.predecessors(of: candidate))
        }
        continue
      }
      guard executions[candidate].endTime <= executions[step].readyTime else { continue }
      if let other = found, executions[other].endTime >= executions[candidate].endTime { continue }
      found = candidate
    }
    return found
  }

  private static func slacks(_ executions: [StepExecution], _ graph: DependencyGraph) -> [Int64] {
    let makespan = executions.lazy.filter { $0.start != nil }.map(\.endTime).max() ?? 0
    var latest = [Int64](repeating: makespan, count: executions.count)
    for step in graph.topologicalOrder().reversed() {
      for successor in graph.successors(of: step).lazy.map({ Int($0) }) {
        let execution = executions[successor]
        let span = execution.start == nil ? 0 : max(0, execution.endTime - execution.readyTime)
        // Below 0 nothing is left to tell apart, and a damaged record must not overflow.
        latest[step] = min(latest[step], max(0, latest[successor] - span))
      }
    }
    return executions.indices.map {
      executions[$0].start == nil || executions[$0].end == nil
        ? -1 : max(0, latest[$0] - executions[$0].endTime)
    }
  }
}
