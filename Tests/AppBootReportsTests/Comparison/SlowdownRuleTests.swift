import AppBootTestKit
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("The gate against a baseline")
struct SlowdownGateTests {
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

  private func gate(
    _ factors: [String: Double] = [:], seed: UInt64 = 1, base: Int = 20, head: Int = 40, machine: Double = 1
  ) -> SlowdownGate {
    SlowdownGate(
      sessions: [launches(base, seed: seed)], head: launches(head, factors, seed: ~seed, machine: machine),
      limit: 40)
  }

  private func names(_ gate: SlowdownGate) -> [SlowdownTest.Subject] { gate.slower.map(\.subject) }

  @Test("names the step that is slower, and by how much")
  func culprit() throws {
    let gate = gate(["b": 1.25])
    #expect(names(gate) == [.step("b")])
    #expect(abs(try #require(gate.slower.first).factor - 1.25) < 0.03)
    #expect(gate.isSuspicious)
  }

  @Test("lets the same launches, faster ones, and a slow-down within what is allowed pass")
  func passes() {
    #expect(names(gate()).isEmpty && !gate().isSuspicious)
    #expect(names(gate(["b": 0.5])).isEmpty)
    #expect(names(gate(["b": 1.08])).isEmpty)
  }

  @Test("takes out what every step is slower by, and says it of the launch")
  func machine() throws {
    let slow = gate(machine: 1.4)
    #expect(names(slow) == [.launch])
    let both = gate(["c": 1.5], machine: 1.4)
    #expect(names(both) == [.step("c"), .launch])
    #expect(abs(try #require(both.slower.first).factor - 1.5) < 0.05)
  }

  @Test("takes a slow machine out of the launch too, where the calibration shows it")
  func calibration() {
    var base = launches(20, seed: 1)
    var head = launches(40, seed: 2, machine: 1.4)
    for index in base.indices { base[index].header.calibrations = [1_000_000, 2_000_000 + Int64(index)] }
    for index in head.indices { head[index].header.calibrations = [1_000_000, 2_800_000 + Int64(index)] }
    #expect(SlowdownGate(sessions: [base], head: head, limit: 40).slower.isEmpty)
  }

  @Test("finds a slower step by the other steps, whatever a calibration shows")
  func yardstickAlone() {
    var base = launches(20, seed: 1)
    var head = launches(40, ["b": 1.2], seed: 2)
    for index in base.indices { base[index].header.calibrations = [1_000_000, 2_000_000] }
    for index in head.indices { head[index].header.calibrations = [1_000_000, 2_600_000] }
    let slower = SlowdownGate(sessions: [base], head: head, limit: 40).slower
    #expect(slower.map(\.subject) == [.step("b")])
  }

  @Test("does not blame the one step that computes for a slow machine, among steps that wait")
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
    #expect(SlowdownGate(sessions: [base], head: head, limit: 40).slower.isEmpty)
    let slow = launches(40, machine: 1.3, calibration: 1_000_000)
    let named = SlowdownGate(sessions: [base], head: slow, limit: 40).slower.map(\.subject)
    #expect(named.contains(.step("work")))
  }

  @Test("calls slower what is slower than most of the time, and of two times than both")
  func sessions() {
    let (quiet, busy) = (launches(20, seed: 1), launches(20, ["b": 1.3], seed: 2))
    let head = launches(40, ["b": 1.3], seed: 3)
    #expect(SlowdownGate(sessions: [quiet], head: head, limit: 40).slower.map(\.subject).contains(.step("b")))
    let two = SlowdownGate(sessions: [quiet, busy], head: head, limit: 40)
    #expect(two.slower.isEmpty && two.isSuspicious, "one that looks slower is looked at again")
    #expect(SlowdownGate(sessions: [busy, quiet], head: head, limit: 40).slower.isEmpty)
    let three = SlowdownGate(sessions: [quiet, busy, quiet], head: head, limit: 40)
    #expect(three.slower.map(\.subject).contains(.step("b")))
  }

  @Test("is as sure as all sessions of a busy machine make it together")
  func together() {
    // A quarter of the launches is undisturbed: five of twenty below all of now are not improbable enough.
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
    #expect(SlowdownGate(sessions: [busy(1)], head: head, limit: 40).slower.isEmpty)
    let gate = SlowdownGate(sessions: [busy(1), busy(2), busy(3)], head: head, limit: 40)
    #expect(gate.isSuspicious)
    #expect(gate.slower.map(\.subject) == [.step("b")])
  }

  @Test("sees through a machine that has become faster, where the calibrations say so as well")
  func fasterMachine() throws {
    func launches(_ count: Int, _ machine: Double, slow: Double = 1, calibration: Int64, seed: UInt64)
      -> [StartupRecord]
    {
      var records = self.launches(count, ["b": slow], seed: seed, machine: machine)
      for index in records.indices {
        records[index].header.calibrations = [calibration]
        for step in records[index] {
          records[index].details[step.index] = StepDetails(cpuTime: step.execution.running)
        }
      }
      return records
    }
    let base = launches(20, 1, calibration: 1_000_000, seed: 1)
    let head = launches(40, 0.85, slow: 1.2, calibration: 850_000, seed: 2)
    let slower = SlowdownGate(sessions: [base], head: head, limit: 40).slower
    #expect(slower.map(\.subject) == [.step("b")] && slower.first?.clock == .processor)
    #expect(abs(try #require(slower.first).factor - 1.2) < 0.05)
    // Other steps that became faster are no reason to call one slower.
    let better = launches(40, 0.85, slow: 1.2, calibration: 1_000_000, seed: 2)
    #expect(SlowdownGate(sessions: [base], head: better, limit: 40).slower.isEmpty)
  }

  @Test("takes what slows fixed work most of the time out of the launch")
  func usualPace() {
    var base = launches(20, seed: 1)
    var head = launches(40, seed: 2, machine: 1.2)
    for index in base.indices { base[index].header.calibrations = [1_000_000] }
    for index in head.indices { head[index].header.calibrations = [index == 0 ? 1_000_000 : 1_200_000] }
    #expect(SlowdownGate(sessions: [base], head: head, limit: 40).slower.isEmpty)
    for index in head.indices { head[index].header.calibrations = [1_000_000] }
    #expect(SlowdownGate(sessions: [base], head: head, limit: 40).slower.map(\.subject) == [.launch])
  }

  @Test("blames no step for a machine that slows some of them more than others")
  func unequalMachine() {
    let slow = gate(["a": 1.2, "b": 1.4, "c": 1.2, "d": 1.35, "e": 1.2])
    #expect(names(slow) == [.launch])
    #expect(names(gate(["b": 1.4, "d": 1.35])).prefix(2) == [.step("d"), .step("b")])
  }

  @Test("says that steps are slower altogether where fixed work is not, and nothing stands out")
  func slowerAltogether() {
    var base = launches(20, seed: 1)
    var head = launches(40, ["a": 1.09, "b": 1.08, "c": 1.09, "d": 1.08], seed: 2)
    for index in base.indices { base[index].header.calibrations = [1_000_000] }
    for index in head.indices { head[index].header.calibrations = [1_000_000] }
    let gate = SlowdownGate(sessions: [base], head: head, limit: 40)
    #expect(gate.slower.isEmpty)
    guard case .slowerAltogether(let factor, isMachine: false)? = gate.remarks.first else {
      Issue.record("no word of it: \(gate.remarks)")
      return
    }
    #expect(abs(factor - 1.085) < 0.02)
    for index in head.indices { head[index].header.calibrations = [1_100_000] }
    guard
      case .slowerAltogether(_, isMachine: true)? = SlowdownGate(sessions: [base], head: head, limit: 40)
        .remarks.first
    else {
      Issue.record("no word of the machine")
      return
    }
  }

  @Test("names what changed most where the launch is slower and no step stands out")
  func mostChanged() {
    let slow = gate(["a": 1.2, "b": 1.25, "c": 1.2, "d": 1.22, "e": 1.2])
    #expect(names(slow) == [.launch])
    #expect(slow.mostChanged.map(\.subject) == [.step("d"), .step("b"), .step("a")])
    #expect(slow.mostChanged.allSatisfy { abs($0.change - 1.22) < 0.06 })
    // Without calibrations nobody knows of the machine.
    #expect(gate(["a": 1.09, "b": 1.08, "c": 1.09, "d": 1.08]).remarks.isEmpty)
  }

  @Test("does not judge the launch as a whole where something kept coming in between, and says so")
  func unevenLaunches() {
    let base = launches(20, seed: 1)
    let even = launches(40, seed: 2, machine: 1.2)
    #expect(SlowdownGate(sessions: [base], head: even, limit: 40).slower.map(\.subject) == [.launch])
    let uneven = launches(15, seed: 2, machine: 1.2) + launches(25, seed: 3, machine: 1.6)
    let gate = SlowdownGate(sessions: [base], head: uneven, limit: 40)
    #expect(gate.slower.isEmpty)
    #expect(gate.remarks == [.busyMachine])
  }

  @Test("says which steps are new where the launch is slower by them")
  func addedStep() {
    var generator = SeededGenerator(seed: 3)
    let base = ComparisonSample.records(20, steps: steps, &generator)
    let head = ComparisonSample.records(40, steps: steps + [("new", 12_000_000)], &generator)
    let gate = SlowdownGate(sessions: [base], head: head, limit: 40)
    #expect(names(gate) == [.launch])
    #expect(gate.added == ["new"])
  }

  @Test("does not compare whole launches of different machines")
  func otherMachine() {
    var base = launches(20, seed: 1)
    let host = RecordHeader.Host(system: "X", release: "1", architecture: "a", processor: nil, cores: 2)
    for index in base.indices { base[index].header.host = host }
    var head = launches(40, ["c": 1.5], seed: 2, machine: 2)
    var other = host
    other.cores = 4
    for index in head.indices { head[index].header.host = other }
    let gate = SlowdownGate(sessions: [base], head: head, limit: 40)
    #expect(gate.remarks == [.otherMachine])
    #expect(names(gate) == [.step("c")])
  }

  @Test("keeps quiet about steps that do not matter to the launch")
  func small() {
    #expect(names(gate(["e": 1.5])).isEmpty)
    #expect(names(gate(["e": 5])) == [.step("e")])
  }

  @Test("says that a baseline is too small, and decides nothing by it")
  func tooSmall() {
    let gate = gate(["b": 3], base: 1)
    #expect(gate.remarks == [.baselineTooSmall(launches: 1, needed: 2)])
    #expect(gate.slower.isEmpty && !gate.isSuspicious)
    #expect(names(self.gate(["b": 1.5], base: 5)).first == .step("b"))
  }

  @Test("goes by processor time where other work keeps a busy step waiting")
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
    let gate = SlowdownGate(sessions: [base], head: launches(40, slow: 4_800_000), limit: 40)
    let first = try #require(gate.slower.first)
    #expect(first.subject == .step("b") && first.clock == .processor)
    #expect(abs(first.factor - 1.2) < 0.03)
    #expect(SlowdownGate(sessions: [base], head: launches(40, slow: 4_000_000), limit: 40).slower.isEmpty)
  }

  @Test("raises hardly any false alarm where launches are as noisy as on a busy machine")
  func falseAlarms() {
    // At the promised 1 %, more than 12 of 500 would be as rare as 1 in 500.
    let alarms = (0..<500).count { !gate(seed: UInt64($0) &* 2_654_435_761 &+ 17).slower.isEmpty }
    #expect(alarms <= 12, "\(alarms) of 500")
  }

  @Test("catches a step that is slower by 20 % in at least 95 % of checks")
  func power() {
    let caught = (0..<200).count {
      names(gate(["b": 1.2], seed: UInt64($0) &* 40_503 &+ 3)).contains(.step("b"))
    }
    #expect(caught >= 195, "\(caught) of 200")
  }

  // MARK: - Its parts

  @Test("has exact probabilities of precedence")
  func precedence() {
    // C(20 + 40 - 4, 40) / C(60, 40), computed with exact integers.
    #expect(abs(PrecedenceTest.probability(below: 4, base: 20, head: 40) - 0.009935710111046173) < 1e-15)
    #expect(PrecedenceTest.probability(below: 0, base: 20, head: 40) == 1)
    #expect(PrecedenceTest.probability(below: 9, base: 1, head: 3) == 0.25)
    #expect(PrecedenceTest.baseNeeded(head: 40, level: 0.01) == 2)
  }

  @Test("has a fast time that does not depend on how many launches there are")
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
    self.cpuTime = cpuTime
  }
}
