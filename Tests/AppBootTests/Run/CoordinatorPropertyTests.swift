import AppBootSystem
import Testing

@testable import AppBoot

/// The engine's rules, held over thousands of random launches under a virtual clock.
///
/// A failing seed is in the failure's text; `APPBOOT_SEED=N swift test --filter CoordinatorPropertyTests`
/// runs that one alone.
@Suite("Any launch keeps the engine's rules")
struct CoordinatorPropertyTests {
  static let seeds: Range<UInt64> = {
    let wanted = ProcessEnvironment.value(of: "APPBOOT_SEED").flatMap { UInt64($0) }
    return wanted.map { $0..<($0 + 1) } ?? 0..<3000
  }()

  @Test("it ends, in order, within its lanes, as the reference model says", arguments: 0..<4)
  func rules(part: Int) throws {
    for seed in Self.seeds where Self.seeds.count == 1 || seed % 4 == UInt64(part) {
      var simulation = Simulation(SimulatedPlan(seed: seed))
      let record: StartupRecord
      do {
        record = try simulation.run()
      } catch {
        Issue.record("seed \(seed): the launch does not end: \(error)")
        continue
      }
      let check = LaunchCheck(simulation, record)
      for problem in check.problems() { Issue.record("seed \(seed): \(problem)") }
    }
  }

  @Test("the same seed gives the same launch")
  func determinism() throws {
    for seed in UInt64(0)..<50 {
      var first = Simulation(SimulatedPlan(seed: seed))
      var second = Simulation(SimulatedPlan(seed: seed))
      _ = try first.run()
      _ = try second.run()
      #expect(first.events == second.events)
    }
  }
}
