@testable import AppBoot

/// The rules of the manifest in their plainest form: what becomes of each step of a launch.
///
/// The model knows no clocks, lanes or queues. It receives the ends of the steps that ran, in their order, and works
/// out the end of every other step and the outcome of the launch.
struct ReferenceModel {
  private let steps: [StepOutline]
  private let skips: [SkipReason?]
  private let predecessors: [[Int]]
  private let successors: [[Int]]
  private(set) var states: [StepState?]
  private(set) var outcome = LaunchOutcome.running
  private(set) var rollsBack = false
  /// The steps that run, or wait for another attempt, when the launch stops; the test keeps it up to date.
  var running: Set<Int> = []
  /// The steps that the plan skips and that have no state yet.
  private var leftOut: [Int]
  private var isOver = false

  init(_ plan: LaunchPlan) {
    steps = plan.outline.steps
    skips = steps.map(\.skip)
    predecessors = steps.indices.map { Array(plan.outline.predecessors(of: $0)) }
    successors = steps.indices.map { Array(plan.outline.successors(of: $0)) }
    states = [StepState?](repeating: nil, count: steps.count)
    leftOut = skips.indices.filter { [skips] in skips[$0] != nil }
    skipLeftOutSteps()
  }

  /// Takes the end of a step that ran.
  mutating func ended(_ step: Int, _ state: StepState) {
    states[step] = state
    let policy = steps[step].onFailure
    switch state {
    case .succeeded: break
    case .failed, .timedOut, .cancelled(.selfCancelled):
      let stops = policy == .stop || policy == .rollback
      if policy != .continue, outcome == .running || stops && !isOver { outcome = .failed(step: step) }
      if policy == .rollback { rollsBack = true }
      if stops { stop(as: .skipped(.stopped(by: step)), except: running) }
      if policy == .skipDependents, !isOver { skipDependents(of: step) }
    case .cancelled: if policy == .rollback { rollsBack = true }
    case .skipped, .waiting, .ready, .running: break
    }
    if !isOver { skipLeftOutSteps() }
  }

  /// Takes a cancellation of the launch, or its timeout.
  ///
  /// - Parameter running: The steps that run at that moment.
  mutating func cancelled(_ reason: CancelReason, running: Set<Int>) {
    switch (outcome, reason) {
    case (.failed, .requested): break
    case (_, .requested(let text)): outcome = .cancelled(text)
    case (_, .deadline): outcome = .timedOut
    case (_, .selfCancelled): outcome = .cancelled("by itself")
    }
    let unstarted = steps.indices.filter { states[$0] == nil && skips[$0] == nil && !running.contains($0) }
    if !isOver, unstarted.contains(where: { steps[$0].onFailure == .rollback }) { rollsBack = true }
    stop(as: .cancelled(reason), except: running)
  }

  /// Returns true if a step may start now: every step before it has ended and releases it.
  func mayStart(_ step: Int) -> Bool {
    states[step] == nil && !isOver && predecessors[step].allSatisfy(releasesSuccessors)
  }

  private func releasesSuccessors(_ step: Int) -> Bool {
    switch states[step] {
    case .succeeded, .skipped(.excluded), .skipped(.condition): true
    case .failed, .timedOut, .cancelled(.selfCancelled):
      steps[step].onFailure == .continue || steps[step].onFailure == .keepGoing
    default: false
    }
  }

  private mutating func skipLeftOutSteps() {
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      leftOut.removeAll { states[$0] != nil }
      for step in leftOut where mayStart(step) {
        states[step] = skips[step].map(StepState.skipped)
        hasChanged = true
      }
    }
  }

  private mutating func skipDependents(of step: Int) {
    var next: [(step: Int, cause: Int)] = []
    var reached = [(step: step, cause: step)]
    while !reached.isEmpty {
      for (current, cause) in reached {
        for successor in successors[current] where states[successor] == nil {
          states[successor] = .skipped(skips[successor] ?? .dependency(cause))
          next.append((successor, skips[successor] == nil ? successor : cause))
        }
      }
      reached = next
      next = []
    }
  }

  private mutating func stop(as state: StepState, except running: Set<Int>) {
    guard !isOver else { return }
    isOver = true
    for step in steps.indices where states[step] == nil && !running.contains(step) {
      states[step] = skips[step].map(StepState.skipped) ?? state
    }
  }
}
