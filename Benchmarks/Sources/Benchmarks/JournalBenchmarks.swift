import AppBoot
import Foundation

/// The cost of a journal while a launch runs.
struct JournalBenchmarks {
  let count = 10_000
  let rounds: Int
  /// Nanoseconds a step that a journal may add.
  private let allowance = 2_000.0

  /// The same launch on the same engine with a journal and without; the first line and the moving count as well.
  func journal() throws -> Row {
    let directory = NSTemporaryDirectory() + "appboot-journal-\(ProcessInfo.processInfo.processIdentifier)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let plan = StartupPlan(sequence: [any Command](repeating: Trivial(), count: count))
    let samples = sideBySide(rounds: rounds) {
      var configuration = Self.configuration()
      configuration.journal = LaunchJournal(directory: directory)
      precondition(StartupRunner(plan, configuration: configuration).runBlocking().succeeded)
    } _: {
      precondition(StartupRunner(plan, configuration: Self.configuration()).runBlocking().succeeded)
    }
    let added = zip(samples.0.nanoseconds, samples.1.nanoseconds).map { ($0 - $1) / Double(count) }
    let median = Samples(nanoseconds: added).median
    return Row(
      id: "journal", work: "journal of 10,000 steps: its cost ÷ 2 µs a step",
      ours: "\(text(median)) a step",
      theirs: "\(text(allowance)) a step", ratio: median / allowance)
  }

  /// Both launches watch for hangs, as `appboot run` does.
  private static func configuration() -> StartupRunner.Configuration {
    var configuration = StartupRunner.Configuration()
    configuration.onHang = { _ in }
    return configuration
  }
}
