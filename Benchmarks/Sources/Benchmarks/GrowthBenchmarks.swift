import AppBoot
import Foundation

/// The growth of a launch's time with the number of steps.
struct GrowthBenchmarks {
  static let registry = CommandRegistry(TrivialBackground.self)
  let rounds: Int

  /// Text to record, per step, at 1,000 steps and at 100.
  func launching() throws -> Row {
    let (large, small) = (Self.manifest(1000), Self.manifest(100))
    let samples = try sideBySide(rounds: rounds) {
      for _ in 0..<10 { try Self.launch(large) }
    } _: {
      for _ in 0..<100 { try Self.launch(small) }
    }
    let (ours, theirs) = (samples.0.median / 10_000, samples.1.median / 10_000)
    return Row(
      id: "growth", work: "manifest to record, a step at 1,000 ÷ at 100", ours: text(ours) + " a step",
      theirs: text(theirs) + " a step", ratio: ratio(samples))
  }

  private static func launch(_ text: String) throws {
    let plan = try StartupCommandsBuilder(parsing: text, registry: registry).build()
    precondition(plan.runBlocking().succeeded)
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
