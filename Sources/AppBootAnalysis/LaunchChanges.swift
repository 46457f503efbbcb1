import AppBoot

/// Changes of a launch whose effect a ``LaunchReplay`` predicts. Steps are named by index.
package struct LaunchChanges: Sendable, Hashable {
  /// A change of a step's running time.
  package enum Time: Sendable, Hashable {
    /// The step takes this many nanoseconds, in one attempt.
    case exactly(Int64)
    /// Each attempt takes its recorded time multiplied by this factor.
    case scaled(Double)
  }

  /// The changed running times.
  package var times: [Int: Time] = [:]
  /// The changed predecessors.
  package var predecessors: [Int: [Int]] = [:]
  /// The steps that are left out. Steps after them wait for the steps before them.
  package var removed: Set<Int> = []
  /// The new number of slots; `nil` for the recorded one.
  package var jobs: Int?
  /// The new number of processors; `nil` for the recorded one.
  package var processors: Int?
  /// The part of the processors that other work leaves to the launch, with and without the changes.
  package var freeProcessors = 1.0

  /// Creates no changes.
  package init() {}
}
