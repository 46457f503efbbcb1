import AppBootTestKit
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("The slowdown rule")
struct SlowdownRuleTests {
  private let steps: [(id: String, usual: Int64)] = [
    ("a", 4_000_000), ("b", 9_000_000), ("c", 1_500_000), ("d", 20_000_000), ("e", 300_000),
  ]

  private func launches(
    _ count: Int, _ factors: [String: Double] = [:], seed: UInt64, machine: Double = 1
  ) -> [StartupRecord] {
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
    #expect(comparison.isSuspicious)
  }

  @Test("The same launches, faster ones, and a slowdown within the limit pass")
  func passes() {
    #expect(names(compare()).isEmpty && !compare().isSuspicious)
    #expect(names(compare(["b": 0.5])).isEmpty)
    #expect(names(compare(["b": 1.08])).isEmpty)
  }

  @Test("A slowdown of every step is the launch's and no step's")
  func machine() throws {
    let slow = compare(machine: 1.4)
    #expect(names(slow) == [.launch])
    let both = compare(["c": 1.5], machine: 1.4)
    #expect(names(both) == [.step("c"), .launch])
    #expect(abs(try #require(both.slower.first).factor - 1.5) < 0.05)
  }

  @Test("A slowdown that calibration runs show is removed from the launch too")
  func calibration() {
    var base = launches(20, seed: 1)
    var head = launches(40, seed: 2, machine: 1.4)
    for index in base.indices { base[index].header.calibrations = [1_000_000, 2_000_000 + Int64(index)] }
    for index in head.indices { head[index].header.calibrations = [1_000_000, 2_800_000 + Int64(index)] }
    #expect(Comparison(base: [base], head: head, launchLimit: 40).slower.isEmpty)
  }

  @Test("Other steps reveal a slower step, whatever calibration runs show")
  func calibrationAlone() {
    var base = launches(20, seed: 1)
    var head = launches(40, ["b": 1.2], seed: 2)
    for index in base.indices { base[index].header.calibrations = [1_000_000, 2_000_000] }
    for index in head.indices { head[index].header.calibrations = [1_000_000, 2_600_000] }
    let slower = Comparison(base: [base], head: head, launchLimit: 40).slower
    #expect(slower.map(\.subject) == [.step("b")])
  }

  @Test("A slow machine does not make the only computing step slower")
  func loneWorker() {
    var generator = SeededGenerator(seed: 7)
    func launches(_ count: Int, machine: Double, calibration: Int64) -> [StartupRecord] {
      (0..<count).map { _ in
        let work = Int64(9_000_000 * machine) + Int64.random(in: 0..<100_000, using: &generator)
        var record = ComparisonSample.record(
          ["a", "b", "c", "d"].map { ($0, 4_000_000 + Int64.random(in: 0..<200_000, using: &generator)) }
            + [("work", work)])
        record.header.calibrations = [calibration, calibration]
        for step in 0..<4 { record.details[step] = StepDetails(cpuTime: 50_000) }
        record.details[4] = StepDetails(cpuTime: work)
        return record
      }
    }
    let base = launches(20, machine: 1, calibration: 1_000_000)
    let head = launches(40, machine: 1.3, calibration: 1_300_000)
    #expect(Comparison(base: [base], head: head, launchLimit: 40).slower.isEmpty)
    let slow = launches(40, machine: 1.3, calibration: 1_000_000)
    let named = Comparison(base: [base], head: slow, launchLimit: 40).slower.map(\.subject)
    #expect(named.contains(.step("work")))
  }

  @Test("A step is slower only if it is slower than most sessions")
  func sessions() {
    let (quiet, busy) = (launches(20, seed: 1), launches(20, ["b": 1.3], seed: 2))
    let head = launches(40, ["b": 1.3], seed: 3)
    #expect(Comparison(base: [quiet], head: head, launchLimit: 40).slower.map(\.subject).contains(.step("b")))
    let two = Comparison(base: [quiet, busy], head: head, launchLimit: 40)
    #expect(two.slower.isEmpty && two.isSuspicious, "a suspicion asks for more launches")
    #expect(Comparison(base: [busy, quiet], head: head, launchLimit: 40).slower.isEmpty)
    let three = Comparison(base: [quiet, busy, quiet], head: head, launchLimit: 40)
    #expect(three.slower.map(\.subject).contains(.step("b")))
  }

  @Test("The sessions of a busy machine reach the level together")
  func together() {
    // A quarter of the launches is undisturbed: five of twenty below all of the head's are not improbable enough.
    func busy(_ seed: UInt64) -> [StartupRecord] {
      var generator = SeededGenerator(seed: seed)
      return (0..<20).map { number in
        ComparisonSample.record(
          steps.map { step in
            let noise = Int64.random(in: 0..<step.usual / 100, using: &generator)
            return (step.id, step.usual + noise + (number % 4 == 0 || step.id != "b" ? 0 : step.usual))
          })
      }
    }
    let head = launches(40, ["b": 1.3], seed: 9)
    #expect(Comparison(base: [busy(1)], head: head, launchLimit: 40).slower.isEmpty)
    let comparison = Comparison(base: [busy(1), busy(2), busy(3)], head: head, launchLimit: 40)
    #expect(comparison.isSuspicious)
    #expect(comparison.slower.map(\.subject) == [.step("b")])
  }

  @Test("A faster machine hides no slower step if calibration runs are faster too")
  func fasterMachine() throws {
    func launches(_ count: Int, _ machine: Double, slow: Double = 1, calibration: Int64, seed: UInt64)
      -> [StartupRecord]
    {
      var records = self.launches(count, ["b": slow], seed: seed, machine: machine)
      for index in records.indices {
        records[index].header.calibrations = [calibration]
        for step in records[index] {
          records[index].details[step.index] = StepDetails(cpuTime: step.execution.runningTime)
        }
      }
      return records
    }
    let base = launches(20, 1, calibration: 1_000_000, seed: 1)
    let head = launches(40, 0.85, slow: 1.2, calibration: 850_000, seed: 2)
    let slower = Comparison(base: [base], head: head, launchLimit: 40).slower
    #expect(slower.map(\.subject) == [.step("b")] && slower.first?.clock == .cpu)
    #expect(abs(try #require(slower.first).factor - 1.2) < 0.05)
    // Other steps that became faster do not make one slower.
    let better = launches(40, 0.85, slow: 1.2, calibration: 1_000_000, seed: 2)
    #expect(Comparison(base: [base], head: better, launchLimit: 40).slower.isEmpty)
  }

  @Test("The usual slowdown of calibration runs is removed from the launch")
  func usualSlowdown() {
    var base = launches(20, seed: 1)
    var head = launches(40, seed: 2, machine: 1.2)
    for index in base.indices { base[index].header.calibrations = [1_000_000] }
    for index in head.indices { head[index].header.calibrations = [index == 0 ? 1_000_000 : 1_200_000] }
    #expect(Comparison(base: [base], head: head, launchLimit: 40).slower.isEmpty)
    for index in head.indices { head[index].header.calibrations = [1_000_000] }
    #expect(Comparison(base: [base], head: head, launchLimit: 40).slower.map(\.subject) == [.launch])
  }

  @Test("A machine that slows some steps more than others makes no step slower")
  func unequalMachine() {
    let slow = compare(["a": 1.2, "b": 1.4, "c": 1.2, "d": 1.35, "e": 1.2])
    #expect(names(slow) == [.launch])
    #expect(names(compare(["b": 1.4, "d": 1.35])).prefix(2) == [.step("d"), .step("b")])
  }

  @Test("A warning reports that most steps are slower, and whether calibration runs are")
  func mostStepsSlower() {
    var base = launches(20, seed: 1)
    var head = launches(40, ["a": 1.09, "b": 1.08, "c": 1.09, "d": 1.08], seed: 2)
    for index in base.indices { base[index].header.calibrations = [1_000_000] }
    for index in head.indices { head[index].header.calibrations = [1_000_000] }
    let comparison = Comparison(base: [base], head: head, launchLimit: 40)
    #expect(comparison.slower.isEmpty)
    guard case .mostStepsSlower(let factor, isMachine: false)? = comparison.warnings.first else {
      Issue.record("no warning: \(comparison.warnings)")
      return
    }
    #expect(abs(factor - 1.085) < 0.02)
    for index in head.indices { head[index].header.calibrations = [1_100_000] }
    guard
      case .mostStepsSlower(_, isMachine: true)? = Comparison(base: [base], head: head, launchLimit: 40)
        .warnings.first
    else {
      Issue.record("no warning about the machine")
      return
    }
  }

  @Test("A slower launch names the steps that changed most if none is slower")
  func mostChanged() {
    let slow = compare(["a": 1.2, "b": 1.25, "c": 1.2, "d": 1.22, "e": 1.2])
    #expect(names(slow) == [.launch])
    #expect(slow.mostChanged.map(\.subject) == [.step("d"), .step("b"), .step("a")])
    #expect(slow.mostChanged.allSatisfy { abs($0.change - 1.22) < 0.06 })
    // Without calibration runs nothing is known of the machine.
    #expect(compare(["a": 1.09, "b": 1.08, "c": 1.09, "d": 1.08]).warnings.isEmpty)
  }

  @Test("Uneven launches are not compared as a whole, and a warning says so")
  func unevenLaunches() {
    let base = launches(20, seed: 1)
    let even = launches(40, seed: 2, machine: 1.2)
    #expect(Comparison(base: [base], head: even, launchLimit: 40).slower.map(\.subject) == [.launch])
    let uneven = launches(15, seed: 2, machine: 1.2) + launches(25, seed: 3, machine: 1.6)
    let comparison = Comparison(base: [base], head: uneven, launchLimit: 40)
    #expect(comparison.slower.isEmpty)
    #expect(comparison.warnings == [.busyMachine])
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
    #expect(comparison.warnings == [.baseTooSmall(launches: 1, needed: 2)])
    #expect(comparison.slower.isEmpty && !comparison.isSuspicious)
    #expect(names(compare(["b": 1.5], base: 5)).first == .step("b"))
  }

  @Test("CPU time decides if other work keeps a busy step waiting")
  func processorTime() throws {
    var generator = SeededGenerator(seed: 5)
    /// Launches of busy steps that wait for a processor about as long as they run.
    func launches(_ count: Int, slow: Int64) -> [StartupRecord] {
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

  @Test("At most 6 of 200 noisy comparisons are false alarms")
  func falseAlarms() {
    // At the promised 1 %, more than 6 of 200 would be as rare as 1 in 200.
    let alarms = (0..<200).count { !compare(seed: UInt64($0) &* 2_654_435_761 &+ 17).slower.isEmpty }
    #expect(alarms <= 6, "\(alarms) of 200")
  }

  @Test("At least 95 % of comparisons find a step that is slower by 20 %")
  func power() {
    let caught = (0..<100).count {
      names(compare(["b": 1.2], seed: UInt64($0) &* 40_503 &+ 3)).contains(.step("b"))
    }
    #expect(caught >= 97, "\(caught) of 100")
  }

  // MARK: - Its parts

  @Test("The precedence test has exact probabilities")
  func precedence() {
    // C(20 + 40 - 4, 40) / C(60, 40), computed with exact integers.
    #expect(abs(PrecedenceTest.probability(below: 4, base: 20, head: 40) - 0.009935710111046173) < 1e-15)
    #expect(PrecedenceTest.probability(below: 0, base: 20, head: 40) == 1)
    #expect(PrecedenceTest.probability(below: 9, base: 1, head: 3) == 0.25)
    #expect(PrecedenceTest.baseNeeded(head: 40, level: 0.01) == 2)
  }

  @Test("The fast time does not depend on the number of launches")
  func fastTime() {
    #expect(FastTime.of([5, 1, 9], size: 1) == 5)
    #expect(FastTime.of([5, 1, 9], size: 3) == 1)
    // The smallest of two of 1, 2, 3: 1, 1, 2.
    #expect(FastTime.of([3_000_000, 1_000_000, 2_000_000], size: 2) == 1_333_333)
    #expect(FastTime.of([], size: 2) == 0)
    let few = FastTime.of((1...20).map { $0 * 1000 }, size: 10)
    let many = FastTime.of((1...200).map { $0 * 100 }, size: 10)
    #expect(abs(few - many) < 200)
  }
}

extension StepDetails {
  fileprivate init(cpuTime: Int64) {
    self.init()
    self.processorTime = cpuTime
  }
}
