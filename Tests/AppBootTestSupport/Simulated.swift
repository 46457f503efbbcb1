package import AppBoot

/// A step of a simulated launch that only waits. It takes no slot.
package struct SimulatedWait: PolledCommand {
  package static let onlyWaits = true

  package init() {}

  package func execute(in context: LaunchContext) async {}
}

extension SeededGenerator {
  /// Returns true in a percentage of the calls.
  package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

extension LaunchRecord {
  /// The record that the events add up to.
  package init(folding events: [LaunchEvent], plan: LaunchPlan) {
    self.init(outline: plan.outline, startedAt: "")
    for event in events { apply(event) }
  }
}
