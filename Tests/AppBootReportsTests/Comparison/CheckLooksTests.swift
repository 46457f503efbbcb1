import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("The looks of a check", .ownThread)
struct CheckLooksTests {
  private let looks = CheckLooks(runs: 10, limit: 40)

  @Test("Each look has half as many more launches, and at least five more, up to the limit")
  func counts() {
    #expect(looks.counts == [10, 15, 22, 33, 40])
    #expect(CheckLooks(runs: 12, limit: 40).counts == [12, 18, 27, 40])
    #expect(CheckLooks(runs: 10, limit: 20).counts == [10, 15, 20])
    #expect(CheckLooks(runs: 10, limit: 10).counts == [10])
  }

  @Test("A slowdown without overlap ends the check at its first look")
  func clear() {
    let check = SimulatedCheck(seed: 1, slow: 2.18)
    let comparison = check.comparison(after: 12)
    #expect(comparison.slower.map(\.subject).contains(.step("b")))
    #expect(CheckLooks(runs: 12, limit: 96).next(after: comparison) == nil)
  }

  @Test("A slowdown near the limit, and one that overlaps with the baseline, need more launches")
  func unclear() {
    let near = SimulatedCheck(seed: 1, slow: 1.13).comparison(after: 10)
    #expect(looks.next(after: near) == 15)
    let overlapping = SimulatedCheck(seed: 1, slow: 1.3, noise: 0.6).comparison(after: 10)
    #expect(looks.next(after: overlapping) == 15)
  }

  @Test("A small baseline cannot make an early look certain")
  func smallBaseline() {
    // Of 6 times against 6, the rarest order has a probability of 1 in 924.
    let small = SimulatedCheck(seed: 1, slow: 3, sessions: 1, launches: 6)
    #expect(CheckLooks(runs: 6, limit: 40).next(after: small.comparison(after: 6)) == 11)
  }

  @Test("A second step that is slower, but not clearly, needs more launches")
  func second() {
    let check = SimulatedCheck(seed: 1, factors: ["b": 2.18, "d": 1.13])
    let comparison = check.comparison(after: 10)
    #expect(comparison.slower.map(\.subject).contains(.step("d")))
    #expect(looks.next(after: comparison) == 15)
  }

  /// The numbers of simulated checks that fail, name the step, and end at the first look.
  private struct Rates {
    var failed = 0
    var named = 0
    var launches = 0
    let checks: Int

    init(_ checks: Int, slow: Double, _ looks: CheckLooks) {
      self.checks = checks
      for number in 0..<checks {
        let check = SimulatedCheck(seed: UInt64(number) &* 40_503 &+ 7, slow: slow)
        var comparison = check.comparison(after: looks.first)
        while let next = looks.next(after: comparison) { comparison = check.comparison(after: next) }
        launches += comparison.head.launches
        if !comparison.slower.isEmpty { failed += 1 }
        if comparison.slower.map(\.subject).contains(.step("b")) { named += 1 }
      }
      guard checks >= 1000 else { return }
      print("slow \(slow): \(failed) of \(checks) fail, \(named) name the step, \(mean) launches on average")
    }

    var mean: Double { Double(launches) / Double(checks) }
  }

  /// The number of simulated checks of each kind. A larger one measures the rates that `Docs/check.md` states.
  private var checks: Int {
    ProcessEnvironment.value(of: "APPBOOT_SIMULATED_CHECKS").flatMap { Int($0) } ?? 20
  }

  @Test("At most 1 % of simulated checks of the same build fail")
  func falseAlarms() {
    let rates = Rates(checks, slow: 1, looks)
    // At 1 %, more failures are as rare as 1 in 1000.
    let expected = Double(checks) * 0.01
    #expect(Double(rates.failed) <= expected + 3.1 * expected.squareRoot() + 1)
  }

  @Test(
    "At least 95 % of simulated checks find a step that is slower by 20 %, with fewer launches than the limit"
  )
  func power() {
    let rates = Rates(checks, slow: 1.2, looks)
    #expect(Double(rates.named) >= Double(checks) * 0.95)
    #expect(rates.mean < 36)
  }

  @Test("Simulated checks find a step that is slower by 118 % at the first look")
  func large() {
    let rates = Rates(checks, slow: 2.18, looks)
    #expect(rates.named == checks)
    #expect(rates.mean < 11)
  }
}

/// A check of synthetic launches against sessions of a machine whose speed changes a little.
private struct SimulatedCheck {
  private static let steps: [(id: String, usual: Int64)] = [
    ("a", 4_000_000), ("b", 9_000_000), ("c", 1_500_000), ("d", 20_000_000), ("e", 300_000),
  ]
  private let base: [[LaunchRecord]]
  private let head: [LaunchRecord]

  init(
    seed: UInt64, slow: Double = 1, factors: [String: Double]? = nil, noise: Double = 0.08, sessions: Int = 3,
    launches: Int = 20
  ) {
    var generator = SeededGenerator(seed: seed)
    base = (0..<sessions).map { _ in Self.session(launches, [:], noise, &generator) }
    head = Self.session(40, factors ?? ["b": slow], noise, &generator)
  }

  /// Returns the comparison after the first launches of the check.
  func comparison(after launches: Int) -> Comparison {
    Comparison(base: base, head: Array(head.prefix(launches)), launchLimit: 40)
  }

  private static func session(
    _ count: Int, _ factors: [String: Double], _ noise: Double,
    _ generator: inout SeededGenerator
  ) -> [LaunchRecord] {
    let machine = Double.random(in: 1...1.06, using: &generator)
    return (0..<count).map { _ in
      ComparisonSample.record(
        steps.map { step in
          let usual = Int64(Double(step.usual) * machine * (factors[step.id] ?? 1))
          return (step.id, generator.duration(usual, noise: noise))
        })
    }
  }
}
