import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("The slowdown rule", .ownThread)
struct SlowdownRuleTests {
  private let steps: [(id: String, usual: Int64)] = [
    ("a", 4_000_000), ("b", 9_000_000), ("c", 1_500_000), ("d", 20_000_000), ("e", 300_000),
  ]

  private func launches(
    _ count: Int, _ factors: [String: Double] = [:], seed: UInt64, machine: Double = 1
  ) -> [LaunchRecord] {
    var generator = SeededGenerator(seed: seed)
    let steps = steps.map { (id: $0.id, usual: Int64(Double($0.usual) * machine)) }
    return ComparisonSample.records(count, steps: steps, factors: factors, &generator)
  }

  private func compare(
    _ factors: [String: Double] = [:], seed: UInt64 = 1, base: Int = 20, head: Int = 40, machine: Double = 1
  ) -> Comparison {
    Comparison(
      base: [launches(base, seed: seed)], head: launches(head, factors, seed: ~seed, machine: machine),
      launchLimit: 40)
  }

  private func names(_ comparison: Comparison) -> [SlowdownTest.Subject] { comparison.slower.map(\.subject) }

  @Test("A slower step is named with its factor")
  func culprit() throws {
    let comparison = compare(["b": 1.25])
    #expect(names(comparison) == [.step("b")])
    #expect(abs(try #require(comparison.slower.first).factor - 1.25) < 0.03)
    #expect(comparison.needsMoreLaunches)
  }

  @Test("The same launches, faster ones, and a slowdown within the limit pass")
  func passes() {
    #expect(names(compare()).isEmpty && !compare().needsMoreLaunches)
    #expect(names(compare(["b": 0.5])).isEmpty)
    #expect(names(compare(["b": 1.08])).isEmpty)
  }

  @Test("A slowdown that every step shares is the machine's, and the comparison is inconclusive")
  func machine() throws {
    let slow = compare(machine: 1.4)
    #expect(names(slow).isEmpty)
    guard case .allSlower(let factor)? = slow.doubt else {
      Issue.record("no doubt: \(slow.warnings)")
      return
    }
    #expect(abs(factor - 1.4) < 0.08)
    #expect(slow.doubt?.words.hasSuffix("use check --against to compare both in turns") == true)
    let both = compare(["c": 1.8], machine: 1.4)
    #expect(names(both) == [.step("c")])
    #expect(abs(try #require(both.slower.first).factor - 1.8) < 0.1)
  }

  @Test("The only step that computes is slower only if the machine cannot explain that much")
  func loneWorker() {
    var generator = SeededGenerator(seed: 7)
    func launches(_ count: Int, factor: Double) -> [LaunchRecord] {
      (0..<count).map { _ in
        let work = Int64(9_000_000 * factor) + Int64.random(in: 0..<100_000, using: &generator)
        var record = ComparisonSample.record(
          ["a", "b", "c", "d"].map { ($0, 4_000_000 + Int64.random(in: 0..<200_000, using: &generator)) }
            + [("work", work)])
        for step in 0..<4 { record.details[step] = StepDetails(cpuTime: 50_000) }
        record.details[4] = StepDetails(cpuTime: work)
        return record
      }
    }
    let base = launches(20, factor: 1)
    let machine = Comparison(base: [base], head: launches(40, factor: 1.3), launchLimit: 40)
    #expect(machine.slower.isEmpty)
    let slow = Comparison(base: [base], head: launches(40, factor: 2), launchLimit: 40)
    #expect(slow.slower.map(\.subject).contains(.step("work")))
  }

  @Test("A step is slower only if it is slower than most sessions")
  func sessions() {
    let (quiet, busy) = (launches(20, seed: 1), launches(20, ["b": 1.3], seed: 2))
    let head = launches(40, ["b": 1.3], seed: 3)
    #expect(Comparison(base: [quiet], head: head, launchLimit: 40).slower.map(\.subject).contains(.step("b")))
    let two = Comparison(base: [quiet, busy], head: head, launchLimit: 40)
    #expect(two.slower.isEmpty)
    #expect(Comparison(base: [busy, quiet], head: head, launchLimit: 40).slower.isEmpty)
    let three = Comparison(base: [quiet, busy, quiet], head: head, launchLimit: 40)
    #expect(three.slower.map(\.subject).contains(.step("b")))
  }

  @Test("A machine that slows some steps more than others makes no step slower")
  func unequalMachine() {
    #expect(names(compare(["a": 1.2, "b": 1.4, "c": 1.2, "d": 1.35, "e": 1.2])).isEmpty)
    #expect(names(compare(["b": 1.4, "d": 1.35])).prefix(2) == [.step("d"), .step("b")])
  }

  @Test("A share of slow launches is a slowdown, which a median does not show")
  func share() throws {
    let steps = [(id: "cache", usual: Int64(100_000_000)), (id: "other", usual: Int64(100_000_000))]
    func launches(_ count: Int, slow: Int, seed: UInt64) -> [LaunchRecord] {
      var generator = SeededGenerator(seed: seed)
      return (0..<count).map { number in
        ComparisonSample.record(
          steps.map { step in
            let isSlow = step.id == "cache" && number % 20 < slow
            let noise = Int64.random(in: 0..<3_000_000, using: &generator)
            return (step.id, step.usual * (isSlow ? 3 : 1) + noise)
          })
      }
    }
    let base = launches(40, slow: 0, seed: 1)
    let comparison = Comparison(base: [base], head: launches(40, slow: 8, seed: 2))
    let test = try #require(comparison.slower.first)
    #expect(test.subject == .step("cache"))
    let share = try #require(comparison.slowShare(of: test))
    #expect(share.head == 16 && share.base == 0)
    #expect(
      SlowdownText(test, ascii: false).partly(share)
        == "40 % of the launches take 300 ms or more, none before")
    #expect(comparison.summary().contains("slower steps: cache (in 40 % of the launches)"))
    #expect(
      Comparison(base: [launches(40, slow: 8, seed: 3)], head: launches(40, slow: 8, seed: 2)).slower.isEmpty)
  }

  @Test("Slow launches that other steps share do not make a step slower")
  func sharedStalls() {
    func launches(_ count: Int, stalls: Bool) -> [LaunchRecord] {
      (0..<count).map { number in
        let stall = { (place: Int) in Int64(stalls && number % 3 == place ? 40_000_000 : 0) }
        return ComparisonSample.record([
          ("a", 20_000_000 + Int64(number) + stall(0)), ("b", 21_000_000 + Int64(number) + stall(1)),
        ])
      }
    }
    #expect(Comparison(base: [launches(40, stalls: false)], head: launches(40, stalls: true)).slower.isEmpty)
  }

  @Test("A slowdown of the machine cancels out in launches that run in turns")
  func pairs() throws {
    func pairs(_ factor: Double, seed: UInt64) -> [(base: LaunchRecord, head: LaunchRecord)] {
      var generator = SeededGenerator(seed: seed)
      return (0..<40).map { _ in
        let machine = Double.random(in: 1...3, using: &generator)
        func launch(_ factors: [String: Double]) -> LaunchRecord {
          ComparisonSample.record(
            steps.map { step in
              let noise = Double.random(in: 1...1.1, using: &generator)
              return (step.id, Int64(Double(step.usual) * machine * noise * (factors[step.id] ?? 1)))
            })
        }
        return (launch([:]), launch(["b": factor]))
      }
    }
    #expect(Comparison(pairs: pairs(1, seed: 1)).slower.isEmpty)
    #expect(Comparison(pairs: pairs(1, seed: 1)).doubt == nil)
    let slow = Comparison(pairs: pairs(1.2, seed: 2))
    #expect(slow.isPaired && slow.slower.first?.subject == .step("b"))
    #expect(abs(try #require(slow.slower.first).factor - 1.2) < 0.05)
    let all = pairs(1, seed: 3).map { pair in
      let times = pair.head.map { (id: $0.id, duration: $0.execution.runningTime * 5 / 4) }
      return (base: pair.base, head: ComparisonSample.record(times))
    }
    #expect(Set(names(Comparison(pairs: all))).isSuperset(of: [.step("b"), .step("d"), .launch]))
  }

  @Test("A launch that is slower by an added step names the step")
  func addedStep() {
    var generator = SeededGenerator(seed: 3)
    let base = ComparisonSample.records(20, steps: steps, &generator)
    let head = ComparisonSample.records(40, steps: steps + [("new", 12_000_000)], &generator)
    let comparison = Comparison(base: [base], head: head, launchLimit: 40)
    #expect(names(comparison) == [.launch])
    #expect(comparison.added == ["new"])
  }

  @Test("Launches of different machines are not compared as a whole")
  func otherMachine() {
    var base = launches(20, seed: 1)
    let host = RecordHeader.Host(system: "X", release: "1", architecture: "a", processor: nil, cores: 2)
    for index in base.indices { base[index].header.host = host }
    var head = launches(40, ["c": 1.5], seed: 2, machine: 2)
    var other = host
    other.cores = 4
    for index in head.indices { head[index].header.host = other }
    let comparison = Comparison(base: [base], head: head, launchLimit: 40)
    #expect(comparison.warnings == [.otherMachine])
    #expect(names(comparison) == [.step("c")])
  }

  @Test("A slower step that costs too little to matter passes")
  func small() {
    #expect(names(compare(["e": 1.5])).isEmpty)
    #expect(names(compare(["e": 5])) == [.step("e")])
  }

  @Test("A base with too few launches decides nothing, and a warning says so")
  func tooSmall() {
    let comparison = compare(["b": 3], base: 1)
    #expect(comparison.warnings == [.baseTooSmall(launches: 1, needed: 3)])
    #expect(comparison.slower.isEmpty && !comparison.needsMoreLaunches)
    let words = ComparisonWarning.baseTooSmall(launches: 10, needed: 13, isPaired: true).words
    #expect(words.contains("at least 13 are needed (--max-runs 13)"))
    #expect(names(compare(["b": 1.5], base: 5)).first == .step("b"))
  }

  @Test("CPU time decides if other work keeps a busy step waiting")
  func processorTime() throws {
    var generator = SeededGenerator(seed: 5)
    /// Launches of busy steps that wait for a processor about as long as they run.
    func launches(_ count: Int, slow: Int64) -> [LaunchRecord] {
      (0..<count).map { _ in
        let work = ["a", "b", "c"].map { id in
          (id: id, time: (id == "b" ? slow : 4_000_000) + Int64.random(in: 0..<200_000, using: &generator))
        }
        var record = ComparisonSample.record(
          work.map { ($0.id, $0.time + Int64.random(in: 0..<6_000_000, using: &generator)) })
        for (index, step) in work.enumerated() {
          record.details[index] = StepDetails(cpuTime: step.time)
        }
        return record
      }
    }
    let base = launches(20, slow: 4_000_000)
    let comparison = Comparison(base: [base], head: launches(40, slow: 4_800_000), launchLimit: 40)
    let first = try #require(comparison.slower.first)
    #expect(first.subject == .step("b") && first.clock == .cpu)
    #expect(abs(first.factor - 1.2) < 0.03)
    #expect(Comparison(base: [base], head: launches(40, slow: 4_000_000), launchLimit: 40).slower.isEmpty)
  }

  /// Pairs of launches of a step that computes and one that waits, on a machine that makes computing longer.
  private func pairs(
    _ count: Int, stretch: Int64, slow: Int64 = 100, stall: (Int) -> Int64 = { _ in 0 }
  ) -> [(base: LaunchRecord, head: LaunchRecord)] {
    var generator = SeededGenerator(seed: 11)
    func launch(_ percent: Int64, _ stall: Int64) -> LaunchRecord {
      let work = 200_000 * percent + Int64.random(in: 0..<400_000, using: &generator)
      let wait = Int64.random(in: 0..<1 + 20_000_000 * (stretch - 1), using: &generator)
      var record = ComparisonSample.record([
        ("work", work * stretch + wait + stall),
        ("network", 20_000_000 + Int64.random(in: 0..<500_000, using: &generator)),
      ])
      record.details[0] = StepDetails(cpuTime: work)
      record.details[1] = StepDetails(cpuTime: 400_000)
      return record
    }
    return (0..<count).map { (launch(100, 0), launch(slow, stall($0))) }
  }

  @Test("A step that computes is compared by its CPU time, however long it waits for a processor")
  func contention() throws {
    let slow = Comparison(pairs: pairs(22, stretch: 5, slow: 120), waitShare: 0.95)
    let test = try #require(slow.slower.first)
    #expect(test.subject == .step("work") && test.clock == .cpu)
    #expect(abs(test.factor - 1.2) < 0.03)
    #expect(slow.stepTests["network"]?.clock == .elapsed)
    let busy = Comparison(pairs: pairs(22, stretch: 20, slow: 120), waitShare: 0.95)
    #expect(busy.slower.first?.subject == .step("work") && busy.slower.first?.clock == .cpu)
    #expect(Comparison(pairs: pairs(22, stretch: 5), waitShare: 0.95).doubt == nil)
  }

  @Test("A computing step whose launches stall needs more launches, unless the machine is busy")
  func stallsOfComputing() {
    let stalls = pairs(12, stretch: 1) { $0 % 5 == 0 ? 40_000_000 : 0 }
    #expect(Comparison(pairs: stalls, waitShare: 0.01).needsMoreLaunches)
    #expect(!Comparison(pairs: stalls, waitShare: 0.5).needsMoreLaunches)
  }

  @Test("The shown change is that of the shown medians, even if the estimate has the opposite sign")
  func shownChange() {
    let pairs: [(base: Int64, head: Int64)] = [(10, 11), (20, 19), (30, 33)].map {
      (base: $0.0 * 1_000_000, head: $0.1 * 1_000_000)
    }
    let test = SlowdownTest(.step("a"), .elapsed, pairs: pairs, least: 1.1)
    let words = SlowdownText(test, ascii: false)
    #expect(test.change > 1)
    #expect("\(words.times) \(words.change)" == "20.0 ms → 19.0 ms −5.0 %")
    let computing = SlowdownTest(.launch, .cpu, pairs: pairs, least: 1.1)
    #expect(SlowdownText(computing, ascii: false).change == "−5.0 % of CPU time")
  }

  @Test("The change of a slower step is the estimate if the medians are within the limit")
  func estimatedChange() {
    let pairs = (0..<21).map { number -> (base: Int64, head: Int64) in
      let base = 10_000_000 + Int64(number) * 2_000_000
      return (base, base * (number == 10 ? 109 : 115) / 100)
    }
    let test = SlowdownTest(.step("a"), .elapsed, pairs: pairs, least: 1.1)
    let slower = { SlowdownText(test, ascii: false, allowed: $0).slower(than: "base") }
    #expect(slower(0.1) == "slower than the base by an estimated 15.0 %")
    #expect(slower(0.08) == "slower than the base by 9.0 %")
    let sessions = [(10, 5), (10, 5), (11, 20)].map { (time: Int64, count: Int) in
      SlowdownTest.Session(
        times: [Int64](repeating: time * 1_000_000, count: count), machineSlowdown: 1.05)
    }
    let recorded = SlowdownTest(
      .step("a"), .elapsed, sessions: sessions, head: [Int64](repeating: 12_000_000, count: 20), least: 1.1)
    let words = SlowdownText(recorded, ascii: false, allowed: 0.1)
    #expect(words.slower(than: "baseline") == "slower than the baseline by an estimated 20.0 %")
    #expect(words.machine == "the machine explains up to 5.0 %, which leaves 14.3 %")
  }

  @Test("A step that waits looks slower in turns only if its interval leaves out no change")
  func undecidedWait() {
    func comparison(_ delays: [Int64]) -> Comparison {
      Comparison(
        pairs: delays.enumerated().map { number, delay in
          let machine: Int64 = number % 2 == 0 ? 1_000_000 : 2_000_000
          let launch = { (time: Int64) in
            ComparisonSample.record([("a", 20 * machine), ("network", time * machine)])
          }
          return (launch(20 + max(0, -delay)), launch(20 + max(0, delay)))
        })
    }
    let noise: [Int64] = [-8, 13, -6, 11, -4, 9, -2, 7, 1, 5, 3, 15]
    #expect(comparison(noise).stepTests.values.contains { $0.change > 1.1 })
    #expect(comparison(noise).doubt == nil)
    let slow: [Int64] = [-2, 7, -3, 8, 6, 5, 4, 9, 3, 5, 6, 7]
    guard case .undecided? = comparison(slow).doubt else {
      Issue.record("no doubt: \(comparison(slow).warnings)")
      return
    }
  }

  // MARK: - Its parts

  @Test("The probability of slow launches is exact for all counts of them together")
  func exactShare() {
    // The 3,003 ways in which 15 launches, five of them slow, can be ten of the base and five of the head.
    let times = (0..<15).map { $0 < 10 ? 100 + Double($0) : 200 + Double($0) }
    var ways = 0.0
    var improbable = [0.01: 0.0, 0.05: 0.0, 0.2: 0.0]
    for places in 0..<(1 << 15) where places.nonzeroBitCount == 5 {
      let isHead = { (index: Int) in places >> index & 1 == 1 }
      let base = times.indices.filter { !isHead($0) }.map { times[$0] }
      let head = times.indices.filter(isHead).map { times[$0] }
      let share = SlowShare(base: base, head: head, least: 1.2, controls: [])
      ways += 1
      for level in improbable.keys where share?.probability ?? 1 <= level { improbable[level]? += 1 }
    }
    #expect(ways == 3003)
    #expect(
      improbable.allSatisfy { $0.value / ways <= $0.key && $0.value / ways > $0.key / 4 }, "\(improbable)")
  }

  @Test("The distribution of the signed ranks is that of the tables")
  func signedRanks() {
    // scipy.stats.wilcoxon has the same values for 10 pairs.
    // One of the 135,751 ways to choose four launches of 44.
    #expect(abs(RankDistribution.mannWhitney(4, 40).probability(ofAtMost: 0) * 135_751 - 1) < 1e-9)
    let ranks = RankDistribution.signedRank(10)
    #expect(ranks.probability(ofAtMost: 0) == 1.0 / 1024)
    #expect(abs(ranks.probability(ofAtMost: 8) - 25.0 / 1024) < 1e-12)
    #expect(ranks.quantile(0.025) == 8)
  }

  @Test("The tail of the normal distribution is that of the tables")
  func normalTail() {
    for (value, expected) in [
      (0, 0.5), (1, 0.15865525), (1.959964, 0.025), (2.5, 0.00620967), (5, 2.866516e-7),
    ] {
      #expect(abs(RankDistribution.normalTail(value) / expected - 1) < 1e-5, "\(value)")
      #expect(abs(RankDistribution.normalTail(-value) - (1 - expected)) < 1e-6)
    }
  }
}

extension StepDetails {
  fileprivate init(cpuTime: Int64) {
    self.init()
    self.processorTime = cpuTime
  }
}
