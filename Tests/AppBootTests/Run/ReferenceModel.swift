@testable import AppBoot

/// What a launch must come to, said in the plainest way: the rules of the manifest, one step at a time.
///
/// It knows nothing of clocks, lanes or queues. It is told in which order the steps that ran ended, and
/// how; from that it says what became of every other step, and how the launch ended.
struct ReferenceModel {
  private let plan: StartupPlan
  private(set) var states: [Int: StepState] = [:]
  private(set) var outcome = LaunchOutcome.running
  private(set) var rollsBack = false
  private var isOver = false

  init(_ plan: StartupPlan) {
    self.plan = plan
    skipWhatIsLeftOut()
  }

  /// A step that ran has ended.
  mutating func ended(_ step: Int, _ state: StepState) {
    states[step] = state
    let policy = plan[step].onFailure
    switch state {
    case .succeeded: break
    case .failed, .timedOut, .cancelled(.selfCancelled):
      if policy != .continue, outcome == .running { outcome = .failed(step: step) }
      if policy == .rollback { rollsBack = true }
      if policy == .stop || policy == .rollback { stop(as: .skipped(.stopped(by: step))) }
      if policy == .skipDependents, !isOver { skipDependents(of: step) }
    case .cancelled: if policy == .rollback { rollsBack = true }
    case .skipped, .waiting, .ready, .running: break
    }
    if !isOver { skipWhatIsLeftOut() }
  }

  /// Somebody cancelled the launch, or it ran out of time; `running` is what runs at that moment.
  mutating func cancelled(_ reason: CancelReason, running: Set<Int>) {
    outcome = reason.outcome
    stop(as: .cancelled(reason), except: running)
  }

  /// Whether a step may start now: what it comes after has ended in a way that lets it.
  func mayStart(_ step: Int) -> Bool {
    states[step] == nil && !isOver && plan.outline.predecessors(of: step).allSatisfy { lets($0) }
  }

  private func lets(_ predecessor: Int) -> Bool {
    switch states[predecessor] {
    case .succeeded, .skipped(.excluded), .skipped(.condition): true
    case .failed, .timedOut, .cancelled(.selfCancelled): plan[predecessor].onFailure == .continue
    default: false
    }
  }

  private mutating func skipWhatIsLeftOut() {
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for step in plan.indices {
        guard let reason = plan[step].skip, mayStart(step) else { continue }
        states[step] = .skipped(reason)
        hasChanged = true
      }
    }
  }

  private mutating func skipDependents(of step: Int) {
    var next: [(step: Int, cause: Int)] = []
    var reached = [(step: step, cause: step)]
    while !reached.isEmpty {
      for (current, cause) in reached {
        for successor in plan.outline.successors(of: current) where states[successor] == nil {
          states[successor] = .skipped(plan[successor].skip ?? .dependency(cause))
          next.append((successor, plan[successor].skip == nil ? successor : cause))
        }
      }
      reached = next
      next = []
    }
  }

  /// Set by the test: what runs, or waits for another attempt, when the launch stops.
  var running: Set<Int> = []

  private mutating func stop(as state: StepState, except running: Set<Int>? = nil) {
    guard !isOver else { return }
    isOver = true
    for step in plan.indices where states[step] == nil && !(running ?? self.running).contains(step) {
      states[step] = plan[step].skip.map(StepState.skipped) ?? state
    }
  }
}
