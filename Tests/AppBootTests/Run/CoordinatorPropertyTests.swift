import AppBootSystem
import Testing
import AppBootTestSupport

@testable import AppBoot

/// The engine's rules, held over thousands of random launches under a virtual clock.
///
/// A failing seed is in the failure's text; `APPBOOT_SEED=N swift test --filter CoordinatorPropertyTests`
/// runs that one alone.
@Suite("A simulated launch", .ownThread)
struct CoordinatorPropertyTests {
  static let seeds: Range<UInt64> = {
    let wanted = ProcessEnvironment.value(of: "APPBOOT_SEED").flatMap { UInt64($0) }
    return wanted.map { $0..<($0 + 1) } ?? 0..<2000
  }()

  @Test(
    "A random launch ends, in order and within its lanes, and agrees with the reference model",
    arguments: 0..<4)
  func rules(part: Int) throws {
    for seed in Self.seeds where Self.seeds.count == 1 || seed % 4 == UInt64(part) {
      do {
        let launch = try SimulatedLaunch(SimulatedPlan(seed: seed))
        for problem in launch.problems() { Issue.record("seed \(seed): \(problem)") }
      } catch {
        Issue.record("seed \(seed): the launch does not end: \(error)")
      }
    }
  }

  @Test("The same seed gives the same launch")
  func determinism() throws {
    for seed in UInt64(0)..<50 {
      let first = try SimulatedLaunch(SimulatedPlan(seed: seed))
      let second = try SimulatedLaunch(SimulatedPlan(seed: seed))
      #expect(first.events == second.events)
    }
  }
}
