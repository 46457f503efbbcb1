import AppBoot
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// A command that does next to nothing, and that no optimizer can take away.
struct Trivial: Command {
  static let counter = Counter()
  func execute(in context: LaunchContext) { Self.counter.add() }
}

struct TrivialAsync: AsyncCommand {
  func execute(in context: LaunchContext) async { Trivial.counter.add() }
}

struct TrivialBackground: Command {
  func execute(in context: LaunchContext) {}
}

final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  func add() { value.add(1, ordering: .relaxed) }
}

private struct Sleeping: AsyncCommand {
  func execute(in context: LaunchContext) async throws { try await Task.sleep(for: .milliseconds(100)) }
}

/// The step of a hand-written launch.
protocol HandWritten { func execute() throws }

struct HandTrivial: HandWritten {
  func execute() { Trivial.counter.add() }
}

struct HandRecord {
  let name: String
  let start: Int64
  let end: Int64
  let error: (any Error)?
}

/// A hand-written loop that reads the clock before and after each command.
@inline(never)
func handWritten(_ steps: [(name: String, step: any HandWritten)]) -> [HandRecord] {
  var records: [HandRecord] = []
  records.reserveCapacity(steps.count)
  for (name, step) in steps {
    let start = now()
    var failure: (any Error)?
    do { try step.execute() } catch { failure = error }
    records.append(HandRecord(name: name, start: start, end: now(), error: failure))
    if failure != nil { break }
  }
  return records
}

struct EngineBenchmarks {
  let count = 10_000
  let rounds: Int

  func sequence() -> Row {
    let plan = Self.sequencePlan(count)
    let steps = (0..<count).map { ("step\($0)", HandTrivial() as any HandWritten) }
    let samples = sideBySide(rounds: rounds) {
      precondition(plan.runBlocking().succeeded)
    } _: {
      precondition(handWritten(steps).count == count)
    }
    return row("sequence", "sequence of 10,000 ÷ hand-written loop", samples)
  }

  func awaiting() async -> Row {
    let plan = Self.sequencePlan(count)
    let steps = [any AsyncStep](repeating: AsyncTrivial(), count: count)
    let samples = await sideBySide(rounds: rounds) {
      _ = run(plan)
    } _: {
      await Self.awaitEach(steps)
    }
    return row("await", "the same ÷ one `await` per command from the main actor", samples)
  }

  @MainActor private static func awaitEach(_ steps: [any AsyncStep]) async {
    for step in steps { await step.execute() }
  }

  func serviceGroup() async throws -> Row {
    let plan = Self.sequencePlan(10_000)
    let samples = try await sideBySide(rounds: max(3, rounds / 10)) {
      _ = run(plan)
    } _: {
      let logger = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
      let services = (0..<10_000).map { _ in
        ServiceGroupConfiguration.ServiceConfiguration(
          service: TrivialService(), successTerminationBehavior: .ignore)
      }
      let group = ServiceGroup(
        configuration: .init(services: services, logger: logger))
      try await group.run()
    }
    return row("service-group", "the same ÷ ServiceGroup of 10,000", samples)
  }

  func operationQueue() -> Row {
    let plan = Self.sequencePlan(10_000)
    let samples = sideBySide(rounds: max(3, rounds / 10)) {
      _ = plan.runBlocking()
    } _: {
      let queue = OperationQueue()
      var last: Operation?
      let operations = (0..<10_000).map { _ -> Operation in
        let operation = BlockOperation { Trivial.counter.add() }
        if let last { operation.addDependency(last) }
        last = operation
        return operation
      }
      queue.addOperations(operations, waitUntilFinished: true)
    }
    return row("operation-queue", "the same ÷ OperationQueue chain of 10,000", samples)
  }

  func independent() async throws -> Row {
    let plan = try Self.independentPlan(count)
    let samples = await sideBySide(rounds: rounds) {
      _ = run(plan)
    } _: {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<count { group.addTask { Trivial.counter.add() } }
      }
    }
    return row("independent", "10,000 independent background commands ÷ TaskGroup", samples)
  }

  func asynchronous() async throws -> Row {
    let plan = LaunchPlan(sequence: [any Command](repeating: TrivialAsync(), count: 1000))
    let samples = await sideBySide(rounds: rounds) {
      _ = await plan.run()
    } _: {
      _ = run(plan)
    }
    return row("async-run", "1,000 asynchronous commands with `await run()` ÷ with `runBlocking()`", samples)
  }

  func sleeping() async throws -> Row {
    let plan = try LaunchPlan { for index in 0..<8 { Step("s\(index)", Sleeping()).after([]) } }
    let samples = try await sideBySide(rounds: max(3, rounds / 3)) {
      _ = await plan.run()
    } _: {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { try await Task.sleep(for: .milliseconds(100)) } }
        try await group.waitForAll()
      }
    }
    return Row(
      id: "async-sleep", work: "8 asynchronous commands that each sleep 100 ms ÷ TaskGroup",
      ours: text(samples.0.median), theirs: text(samples.1.median), ratio: ratio(samples))
  }

  func graph() throws -> Row {
    let independent = try Self.independentPlan(count)
    let graph = try Self.graphPlan(count)
    let samples = sideBySide(rounds: rounds) {
      _ = graph.runBlocking()
    } _: {
      _ = independent.runBlocking()
    }
    return row("graph", "random DAG of 10,000 ÷ independent", samples)
  }

  func run(_ plan: LaunchPlan) -> LaunchRecord { plan.runBlocking() }

  static func sequencePlan(_ count: Int) -> LaunchPlan {
    LaunchPlan(sequence: [any Command](repeating: Trivial(), count: count))
  }

  static func independentPlan(_ count: Int) throws -> LaunchPlan {
    try LaunchPlan { for index in 0..<count { Step("s\(index)", TrivialBackground()).after([]) } }
  }

  /// Each step comes after up to three of the hundred before it.
  static func graphPlan(_ count: Int) throws -> LaunchPlan {
    var random = SystemRandomNumberGenerator()
    let predecessors = (0..<count).map { index in
      index == 0
        ? [] : Set((0..<3).map { _ in Int.random(in: max(0, index - 100)..<index, using: &random) })
    }
    return try LaunchPlan {
      for index in 0..<count {
        Step("s\(index)", TrivialBackground()).after(predecessors[index].map { "s\($0)" })
      }
    }
  }

  func row(_ id: String, _ work: String, _ samples: (Samples, Samples)) -> Row {
    let count = Double(count)
    return Row(
      id: id, work: work, ours: text(samples.0.median / count) + " a step",
      theirs: text(samples.1.median / count) + " a step", ratio: ratio(samples))
  }
}

protocol AsyncStep: Sendable { func execute() async }

struct AsyncTrivial: AsyncStep {
  func execute() async { Trivial.counter.add() }
}

struct TrivialService: Service {
  func run() async throws { Trivial.counter.add() }
}
