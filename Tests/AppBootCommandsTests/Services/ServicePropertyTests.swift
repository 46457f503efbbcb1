import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

/// The rules of Docs/services.md, held over thousands of random runs under a virtual clock.
///
/// A failure has the seed of its run; `APPBOOT_SEED=N swift test --filter ServicePropertyTests` repeats that one.
@Suite("Simulated services", .ownThread)
struct ServicePropertyTests {
  /// The seeds that have found a fault of the supervisor. They run first. A change of ``SimulatedServices`` changes
  /// their runs: find them again by the fault.
  static let findings: [UInt64] = [
    12,  // A restart that could not start began the count of restarts again, so there was no end of restarts.
    138,  // The time for which a service was ready did not count if "restart.with" ended it.
    5,  // The time that a stop took counted as ready.
    1,  // A restart that a stop cancelled was counted.
  ]

  /// The number of runs. A debug build makes them in about three seconds of CPU time.
  static let count: UInt64 = 1500

  static let seeds: [UInt64] = {
    let wanted = ProcessEnvironment.value(of: "APPBOOT_SEED").flatMap { UInt64($0) }
    return wanted.map { [$0] } ?? findings + Array(0..<count)
  }()

  @Test("The supervisor reports and answers the same as the reference model", arguments: 0..<2)
  func rules(part: Int) throws {
    for (index, seed) in Self.seeds.enumerated() where index % 2 == part {
      let simulated = SimulatedServices(seed: seed)
      do {
        let trace = try SimulatedSupervisor.trace(of: simulated)
        let expected = ServiceModel.trace(of: simulated)
        guard trace != expected else { continue }
        // One run is enough to read: a fault is in many of them.
        Issue.record("seed \(seed): \(simulated.firstDifference(of: trace, from: expected))")
      } catch {
        Issue.record("seed \(seed): the services do not all stop: \(error)")
      }
      return
    }
  }

  @Test("The same seed gives the same run")
  func determinism() throws {
    for seed in UInt64(0)..<20 {
      let first = try SimulatedSupervisor.trace(of: SimulatedServices(seed: seed))
      let second = try SimulatedSupervisor.trace(of: SimulatedServices(seed: seed))
      #expect(first == second)
    }
  }
}

extension SimulatedServices {
  /// Returns the earliest difference of two traces, with the facts before it.
  fileprivate func firstDifference(of trace: SimulatedTrace, from expected: SimulatedTrace) -> String {
    let names = services.map(\.id) + expected.requests.indices.map { "request \($0)" }
    let pairs = zip(trace.services + trace.requests, expected.services + expected.requests)
    let differences = zip(names, pairs).compactMap { name, pair -> (time: Int64, text: String)? in
      let (facts, model) = pair
      guard facts != model else { return nil }
      let same = zip(facts, model).prefix { $0 == $1 }.count
      let times = [facts, model].compactMap { $0.dropFirst(same).first?.time }
      let before = facts.prefix(same).map { "\n           \($0)" }.joined()
      let words = { (facts: [SimulatedFact]) in facts.dropFirst(same).first.map { "\($0)" } ?? "nothing" }
      return (times.min() ?? 0, "\(name)\(before)\n  reports: \(words(facts))\n  model:   \(words(model))")
    }
    let first = differences.min { $0.time < $1.time }?.text ?? "none"
    let events = deeds.map { "\n  \(DurationText.exact(.nanoseconds($0.time))) \($0.deed)" }.joined()
    return "\(first)\nEvents:\(events)\nServices:\(services.map { "\n  \($0)" }.joined())"
  }
}
