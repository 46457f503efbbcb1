import AppBoot
import Foundation

/// The growth of time and memory with the number of steps.
struct GrowthBenchmarks {
  static let registry = CommandRegistry(TrivialBackground.self)
  let rounds: Int

  /// Text to plan, per step, at 1,000,000 steps and at 1,000.
  func planning() throws -> Row {
    let (large, small) = (Self.manifest(1_000_000), Self.manifest(1_000))
    let samples = try sideBySide(rounds: max(2, rounds / 10)) {
      _ = try Self.plan(large)
    } _: {
      for _ in 0..<100 { _ = try Self.plan(small) }
    }
    return row("plan-growth", "manifest to plan, a step at 1,000,000 ÷ at 1,000", samples)
  }

  /// Plan to record, per step, at 1,000,000 steps and at 1,000.
  func running() throws -> Row {
    let (large, small) = try (Self.plan(Self.manifest(1_000_000)), Self.plan(Self.manifest(1_000)))
    let samples = sideBySide(rounds: max(2, rounds / 10)) {
      precondition(large.runBlocking().succeeded)
    } _: {
      for _ in 0..<100 { precondition(small.runBlocking().succeeded) }
    }
    return row("run-growth", "random DAG run, a step at 1,000,000 ÷ at 1,000", samples)
  }

  private func row(_ id: String, _ work: String, _ samples: (Samples, Samples)) -> Row {
    let (large, small) = (samples.0.median / 1_000_000, samples.1.median / 100_000)
    return Row(
      id: id, work: work, ours: text(large) + " a step", theirs: text(small) + " a step", ratio: large / small
    )
  }

  /// Bytes per step from manifest to record: a process with 100,000 steps compared with one with 1,000.
  func memory() throws -> Row {
    guard let path = Bundle.main.executableURL?.path else {
      fatalError("the benchmark does not know its own path")
    }
    let (large, small) = (
      Program(path: path, arguments: ["--launch", "100000"]),
      Program(path: path, arguments: ["--launch", "1000"])
    )
    let bytes = (0..<3).map { _ in (large.run().memory - small.run().memory) / 99_000 }
    let median = Samples(nanoseconds: bytes).median
    return Row(
      id: "memory", work: "memory a step, manifest to record, at 100,000 ÷ 1 KiB",
      ours: String(format: "%.0f bytes", median), theirs: "1024 bytes", ratio: median / 1024)
  }

  /// Runs `--launch N`: a launch of N steps, from text to record.
  static func launch(_ count: Int) throws {
    let plan = try plan(manifest(count))
    precondition(plan.runBlocking().succeeded)
  }

  private static func plan(_ text: String) throws -> StartupPlan {
    try StartupCommandsBuilder(parsing: text, registry: registry).build()
  }

  /// Each step comes after up to three of the hundred before it.
  static func manifest(_ count: Int) -> String {
    var random = Seeded(state: 7)
    var text = "{ \"version\": 1, \"commands\": ["
    for index in 0..<count {
      let first = max(0, index - 100)
      let after = index == 0 ? [] : Set((0..<3).map { _ in Int.random(in: first..<index, using: &random) })
      let names = after.map { "\"s\($0)\"" }.joined(separator: ",")
      text +=
        "\(index == 0 ? "" : ",\n"){\"command\":\"TrivialBackground\",\"id\":\"s\(index)\",\"after\":[\(names)]}"
    }
    return text + "] }"
  }
}
