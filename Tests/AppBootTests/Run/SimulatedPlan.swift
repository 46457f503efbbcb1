import AppBootTestSupport

@testable import AppBoot

struct SimulatedMain: UndoableCommand {
  static let options = CommandOptions(lane: .main)
  func execute(in context: LaunchContext) {}
  func undo(in context: LaunchContext) {}
}

struct SimulatedBackground: UndoableCommand {
  func execute(in context: LaunchContext) {}
  func undo(in context: LaunchContext) {}
}

struct SimulatedAsync: AsyncCommand, UndoableCommand {
  func execute(in context: LaunchContext) async {}
  func undo(in context: LaunchContext) {}
}

struct SimulatedAsyncUndo: AsyncUndoableCommand {
  func execute(in context: LaunchContext) async {}
  func undo(in context: LaunchContext) async {}
}

struct SimulatedPolled: PolledCommand {
  func execute(in context: LaunchContext) async {}
}

struct SimulatedProcess: PolledCommand, AsyncUndoableCommand {
  var hasUndo = true
  func execute(in context: LaunchContext) async {}
  func undo(in context: LaunchContext) async {}
}

/// A command that only waits for something outside of the launch.
struct SimulatedWait: PolledCommand {
  static let onlyWaits = true
  func execute(in context: LaunchContext) async {}
}

/// The behavior of a simulated step: the duration and the end of each attempt, and its response to a cancellation.
struct SimulatedBehaviour {
  enum End { case success, failure, cancelsItself, never }
  var duration: Int64
  var ends: [End]
  var listens: Bool
  var undoDuration: Int64
  var undoFails: Bool

  func end(ofAttempt attempt: Int) -> End { ends[min(attempt, ends.count) - 1] }
}

/// A random plan and how its steps behave: all of it from one seed.
struct SimulatedPlan {
  let seed: UInt64
  let plan: LaunchPlan
  let behaviours: [SimulatedBehaviour]
  let jobs: Int
  let cancelTime: Int64?
  let ranks: [Int32]?

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    let count = Int.random(in: 1...(random.chance(10) ? 300 : 40), using: &random)
    let calm = random.chance(30)
    var steps: [LaunchStep] = []
    var behaviours: [SimulatedBehaviour] = []
    for index in 0..<count {
      steps.append(Self.step(index, calm: calm, &random))
      behaviours.append(Self.behaviour(steps[index], calm: calm, &random))
    }
    var plan = LaunchPlan(
      name: "seed \(seed)", options: LaunchOptions(), steps: steps, graph: Self.graph(count, &random),
      environment: LaunchEnvironment())
    if random.chance(10) { plan.outline.timeoutTime = Int64.random(in: 1...400, using: &random) }
    self.plan = plan
    self.behaviours = behaviours
    jobs = Int.random(in: 1...8, using: &random)
    cancelTime = random.chance(15) ? Int64.random(in: 0...300, using: &random) : nil
    ranks = random.chance(50) ? (0..<Int32(count)).shuffled(using: &random) : nil
  }

  private static func step(_ index: Int, calm: Bool, _ random: inout SeededGenerator) -> LaunchStep {
    let commands: [any Command] = [
      SimulatedMain(), SimulatedBackground(), SimulatedAsync(), SimulatedAsyncUndo(), SimulatedPolled(),
      SimulatedWait(), SimulatedProcess(), SimulatedProcess(hasUndo: false),
    ]
    var step = LaunchStep(commands.randomElement(using: &random) ?? SimulatedMain(), id: "s\(index)")
    step.onFailure = FailurePolicy.allCases.randomElement(using: &random) ?? .stop
    if random.chance(20) { step.timeout = .nanoseconds(Int64.random(in: 1...60, using: &random)) }
    if random.chance(15) {
      step.retry = RetryPolicy(
        attempts: Int.random(in: 1...4, using: &random),
        backoffTime: Int64.random(in: 0...20, using: &random),
        maxBackoffTime: 50)
    }
    if random.chance(calm ? 2 : 6) { step.skip = random.chance(50) ? .excluded("--skip") : .condition("off") }
    return step
  }

  private static func behaviour(
    _ step: LaunchStep, calm: Bool, _ random: inout SeededGenerator
  ) -> SimulatedBehaviour {
    let canHang = step.timeout != nil && !(step.kind == .synchronous && step.lane == .main)
    let ends = (0..<4).map { _ -> SimulatedBehaviour.End in
      if random.chance(calm ? 1 : 12) { return .failure }
      if random.chance(calm ? 0 : 2) { return .cancelsItself }
      return canHang && random.chance(10) ? .never : .success
    }
    return SimulatedBehaviour(
      duration: Int64.random(in: 0...50, using: &random), ends: ends, listens: random.chance(70),
      undoDuration: Int64.random(in: 0...30, using: &random), undoFails: random.chance(15))
  }

  /// Edges from earlier steps only, as after a manifest's order was made sound; sometimes a plain sequence.
  private static func graph(_ count: Int, _ random: inout SeededGenerator) -> DependencyGraph {
    if random.chance(10) { return DependencyGraph(sequenceOf: count) }
    let density = Int.random(in: 0...3, using: &random)
    var predecessors: [[Int]] = []
    for step in 0..<count {
      var chosen: Set<Int> = []
      if step > 0 {
        for _ in 0..<Int.random(in: 0...density, using: &random) {
          chosen.insert(Int.random(in: 0..<step, using: &random))
        }
      }
      predecessors.append(chosen.sorted())
    }
    return DependencyGraph(predecessors: predecessors)
  }
}
