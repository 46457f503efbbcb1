import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootReports

/// Properties of decisions over random sets of launches.
@Suite("The decisions of a comparison", .ownThread)
struct DecisionTests {
  /// Random sets of launches: sessions of a base and a head, with slower steps, slower machines and missing
  /// measurements.
  struct RandomSets {
    let sessions: [[LaunchRecord]]
    let head: [LaunchRecord]

    init(seed: UInt64, sessionCount: Int? = nil) {
      var generator = SeededGenerator(seed: seed &* 2_654_435_761 &+ 1)
      let steps = (0..<Int.random(in: 1...6, using: &generator)).map {
        (id: "s\($0)", usual: Int64.random(in: 20_000...20_000_000, using: &generator))
      }
      let hasCPUTimes = Bool.random(using: &generator)
      func launches(_ count: Int, isHead: Bool) -> [LaunchRecord] {
        let machines = [1, 1, 1, 1.08, 1.25, 1.5, 0.85]
        let machine = machines.randomElement(using: &generator) ?? 1
        var factors: [String: Double] = [:]
        for step in steps {
          let isChanged = isHead && Int.random(in: 0..<3, using: &generator) == 0
          factors[step.id] = machine * (isChanged ? Double.random(in: 0.5...2, using: &generator) : 1)
        }
        var records = ComparisonSample.records(count, steps: steps, factors: factors, &generator)
        for index in records.indices {
          guard hasCPUTimes else { continue }
          for step in records[index] {
            let part = Double.random(in: 0.3...1, using: &generator)
            var details = StepDetails()
            details.processorTime = Int64(Double(step.execution.runningTime) * part)
            records[index].details[step.index] = details
          }
        }
        return records
      }
      sessions = (0..<(sessionCount ?? Int.random(in: 1...4, using: &generator))).map { _ in
        launches([1, 5, 10, 20].randomElement(using: &generator) ?? 1, isHead: false)
      }
      head = launches([1, 5, 10, 20, 40].randomElement(using: &generator) ?? 1, isHead: true)
    }

    func compare(launchLimit: Int = 0) -> Comparison {
      Comparison(base: sessions, head: head, launchLimit: launchLimit)
    }
  }

  private func effects(_ comparison: Comparison) -> [Effect] {
    comparison.steps.map(\.effect) + [comparison.launch]
  }

  @Test("The slowdowns that fail a check are the decisions that a report shows", arguments: 0..<4)
  func sameDecisions(part: UInt64) throws {
    for seed in 0..<5 {
      let sets = RandomSets(seed: UInt64(seed) * 4 + part)
      let check = sets.compare(launchLimit: 40)
      let text = ComparisonFormat.json.render(Comparison(base: sets.sessions, head: sets.head))
      let root = try JSONDocument(parsing: SourceText(name: "c", text: text)).root
      var shown: Set<SlowdownTest.Subject> = []
      for step in try #require(root["steps"]).elements where step["decision"]?.string == "slower" {
        shown.insert(.step(try #require(step["id"]?.string)))
      }
      if root["launch"]?["decision"]?.string == "slower" { shown.insert(.launch) }
      #expect(Set(check.slower.map(\.subject)) == shown, "seed \(seed), part \(part)")
      #expect(check.slower.isEmpty || check.canDecide)
    }
  }

  @Test("No decision depends on how many launches a check may still do", arguments: 0..<4)
  func launchLimit(part: UInt64) {
    for seed in 0..<4 {
      let sets = RandomSets(seed: UInt64(seed) * 4 + part)
      let decisions = effects(sets.compare()).map(\.decision)
      #expect(effects(sets.compare(launchLimit: 400)).map(\.decision) == decisions, "seed \(seed)")
    }
  }

  @Test("Exchanging the sides of one session exchanges slower and faster", arguments: 0..<4)
  func exchange(part: UInt64) {
    for seed in 0..<5 {
      let sets = RandomSets(seed: UInt64(seed) * 4 + part, sessionCount: 1)
      let forward = Comparison(base: sets.sessions, head: sets.head)
      let backward = Comparison(base: [sets.head], head: sets.sessions[0])
      for (effect, other) in zip(effects(forward), effects(backward)) {
        // Of two clocks that disagree, the slower one wins on both sides.
        if effect.isFaster { #expect(other.isSlower, "seed \(seed)") }
        if effect.isSlower { #expect(other.isFaster || other.isSlower, "seed \(seed)") }
      }
    }
  }

  @Test("The test that a report shows is the one that decided", arguments: 0..<4)
  func decidingTest(part: UInt64) {
    for seed in 0..<5 {
      let sets = RandomSets(seed: UInt64(seed) * 4 + part)
      for effect in effects(sets.compare()) {
        guard case .slower(let factor) = effect.decision else { continue }
        #expect(effect.test?.change == factor, "seed \(seed)")
      }
    }
  }

  @Test("At most 7 of 200 comparisons of the same launches find something faster")
  func falseSpeedups() {
    let steps: [(id: String, usual: Int64)] = [("a", 4_000_000), ("b", 9_000_000), ("c", 1_500_000)]
    let wrong = (0..<200).count { seed in
      var generator = SeededGenerator(seed: UInt64(seed) &* 2_654_435_761 &+ 17)
      let base = ComparisonSample.records(10, steps: steps, &generator)
      let head = ComparisonSample.records(10, steps: steps, &generator)
      return effects(Comparison(base: [base], head: head)).contains(where: \.isFaster)
    }
    #expect(wrong <= 7, "\(wrong) of 200")
  }
}
