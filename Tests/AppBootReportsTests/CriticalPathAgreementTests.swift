import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootAnalysis
@testable import AppBootRecords
@testable import AppBootReports

@Suite("One critical path", .ownThread)
struct CriticalPathAgreementTests {
  private struct Failed: Error {}

  /// Returns a random launch on a virtual clock: a graph with steps in both lanes, retries and allowed failures.
  ///
  /// - Parameters:
  ///   - jobs: The number of slots; `nil` for a launch without waits and retries.
  ///   - isSerial: True to run one step at a time, over all lanes, in a random order.
  ///   - hasTies: False for times of which no two are likely to end together.
  private func launch(
    _ random: inout SeededGenerator, jobs: Int?, isSerial: Bool = false, hasTies: Bool = true
  ) throws -> LaunchRecord {
    let count = Int.random(in: 1...14, using: &random)
    var (steps, times, failures): ([(LaunchStep, after: [String]?)], [Int64], [Int]) = ([], [], [])
    for index in 0..<count {
      let isMain = jobs != nil && random.chance(25)
      let command: any Command = isMain ? FakeCommand() : FakeBackgroundCommand()
      var step = LaunchStep(command, id: "s\(index)")
      let isRetried = jobs != nil && random.chance(25)
      if isRetried { step.retry = RetryPolicy(attempts: 2, backoff: .milliseconds(3)) }
      let fails = random.chance(10)
      if fails { step.onFailure = .continue }
      let after = index == 0 ? [] : (0..<2).map { _ in Int.random(in: 0..<index, using: &random) }
      steps.append((step, after: random.chance(25) ? [] : Set(after).sorted().map { "s\($0)" }))
      times.append(
        hasTies
          ? Int64.random(in: 0...9, using: &random) * 1_000_000
          : Int64.random(in: 1...9_000_000, using: &random))
      failures.append(fails ? .max : isRetried ? 1 : 0)
    }
    let plan = try LaunchPlan(steps: steps)
    let ranks =
      isSerial ? ShuffledOrder.ranks(count: count, seed: Int.random(in: 0...1_000_000, using: &random)) : nil
    let coordinator = Coordinator(
      plan: plan, jobs: jobs ?? count, grace: 0, ranks: ranks, isSerial: isSerial)
    var simulation = Simulation(coordinator, processors: nil) { [times, failures] work in
      let result: Result<Void, any Error> =
        work.attempt > failures[work.step] ? .success(()) : .failure(Failed())
      return Simulation.Work(duration: times[work.step], result: result)
    }
    var record = LaunchRecord(folding: try simulation.run(), plan: plan)
    record.header.jobs = jobs ?? count
    record.header.isSerial = isSerial
    return record
  }

  private func parse(_ text: String) throws -> JSONValue {
    try JSONDocument(parsing: SourceText(name: "x", text: text)).root
  }

  @Test("The slack of a step is 0 if and only if it is on the critical path, in every format")
  func agreement() throws {
    for seed in 0..<150 {
      var random = SeededGenerator(seed: UInt64(seed))
      let record = try launch(&random, jobs: Int.random(in: 1...3, using: &random))
      let path = CriticalPath(of: record)
      let slacks = record.map { path.slack(of: $0.index) }
      #expect(record.filter { slacks[$0.index] == 0 }.map(\.index) == path.steps.sorted(), "seed \(seed)")

      let steps = try #require(try parse(record.json())["steps"]).elements
      #expect(try steps.map { try $0["slack"]?.integer(as: Int64.self) } == slacks, "seed \(seed)")
      #expect(steps.map { $0["critical"]?.bool } == slacks.map { $0 == 0 }, "seed \(seed)")

      let page = LaunchPage().text(of: record)
      let start = try #require(page.firstRange(of: "id=\"data\">")).upperBound
      let end = try #require(page[start...].firstRange(of: "</script>")).lowerBound
      let part = try #require(try parse(String(page[start..<end]))["parts"]?.elements.first)
      let panel = try #require(part["steps"]).elements
      #expect(try panel.map { try $0["slack"]?.integer(as: Int64.self) } == slacks, "seed \(seed)")
      #expect(try part["chain"]?.elements.map { try $0.integer() } == path.steps, "seed \(seed)")
      for case let (step, slack?) in slacks.enumerated() {
        // The cell is the last number of the row.
        let row = try #require(page.firstRange(of: "<tr data-i=\"\(step)\">")).upperBound
        let cell = "<td class=\"n wide\" data-v=\"\(slack)\">"
        #expect(page[row...].prefix { $0 != "\n" }.contains(cell), "seed \(seed), step \(step)")
      }

      let trace = try parse(ChromeTraceReport().text(of: record))["traceEvents"]?.elements ?? []
      let slices = trace.filter { $0["ph"]?.isString("X") == true && $0["args"]?["critical"] != nil }
      for slice in slices {
        let step = try #require(slice["name"]?.string.flatMap { record.outline.index(ofStep: $0) })
        #expect(try slice["args"]?["slackNanoseconds"]?.integer(as: Int64.self) == slacks[step])
        #expect(slice["args"]?["critical"]?.bool == path.contains(step))
      }

      #expect(CriticalPathText(record).links == path.links.reversed())
      #expect(record.slacks.allSatisfy { !path.contains($0.step.index) && $0.slack > 0 })
    }
  }

  @Test("The critical path leads without a gap from the end of the launch to its start")
  func gaps() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let record = try launch(&random, jobs: Int.random(in: 1...3, using: &random))
      let path = CriticalPath(of: record)
      for link in path.links where link.reason == .launch { #expect(link.possible == 0, "seed \(seed)") }
      #expect(path.links.last?.reason == .launch, "seed \(seed)")
      for link in path.links {
        guard case .after(let step) = link.reason else { continue }
        #expect(record.executions[step].endTime == link.possible, "seed \(seed)")
      }
      #expect(CriticalPathText(record).running == record.elapsedTime, "seed \(seed)")
    }
  }

  @Test("If one step runs at a time, all that ran in a row is on the critical path, in either lane")
  func serial() throws {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let record = try launch(&random, jobs: 1, isSerial: true)
      let path = CriticalPath(of: record)
      #expect(CriticalPathText(record).running == record.elapsedTime, "seed \(seed)")
      #expect(path.links.allSatisfy { $0.start == $0.possible }, "seed \(seed)")
      let retries = record.contains { $0.details.attempts.count > 1 }
      let ran = record.filter { $0.execution.runningTime > 0 }
      if !retries { #expect(ran.allSatisfy { path.contains($0.index) }, "seed \(seed)") }
      let replay = retries ? nil : LaunchReplay(of: record)
      if let replay { #expect(replay.duration == record.elapsedTime, "seed \(seed)") }
      let json = try LaunchRecord(json: SourceText(name: "x", text: record.json()))
      #expect(CriticalPath(of: json).steps == path.steps, "seed \(seed)")
    }
  }

  /// Returns the end of a launch in which an attempt takes longer, if the lane and each slot keep the order of their
  /// attempts.
  ///
  /// - Parameter delayed: The attempt and its extra time.
  private func end(of record: LaunchRecord, delayed: (attempt: Int, time: Int64)) -> Int64 {
    let attempts = RecordedAttempts(of: record)
    var (ends, lane, slots): ([Int: Int64], Int64, [(old: Int64, new: Int64)]) = ([:], 0, [])
    var free = record.header.jobs ?? 1
    for index in attempts.all.indices.sorted(by: {
      (attempts.all[$0].start, $0) < (attempts.all[$1].start, $1)
    }) {
      let (attempt, step) = (attempts.all[index], attempts.all[index].step)
      let placement = record.outline.steps[step].placement
      let pause = attempt.number == 1 ? 0 : attempt.available - attempts.all[index - 1].end
      var start = attempt.number == 1 ? 0 : (ends[index - 1] ?? 0) + pause
      var before = Array(record.outline.predecessors(of: step))
      while attempt.number == 1, let other = before.popLast() {
        if let last = attempts.indices(ofStep: other).last {
          start = max(start, ends[last] ?? 0)
        } else {
          before += record.outline.predecessors(of: other)
        }
      }
      var slot: Int?
      if placement.usesMainLane {
        start = max(start, lane)
      } else if free > 0 {
        (slot, free) = (slots.count, free - 1)
        slots.append((0, 0))
      } else {
        slot = slots.indices.filter { slots[$0].old <= attempt.start }.min { slots[$0].old < slots[$1].old }
        start = max(start, slot.map { slots[$0].new } ?? 0)
      }
      let end = start + attempt.end - attempt.start + (index == delayed.attempt ? delayed.time : 0)
      ends[index] = end
      if placement.usesMainLane { lane = end }
      if let slot { slots[slot] = (attempt.end, end) }
    }
    return ends.values.max() ?? 0
  }

  @Test(
    "With slots, a lane and retries, a delay within the slack moves no end, and a longer one nearly always does"
  )
  func delaysWithWaits() throws {
    var (moved, steps) = (0, 0)
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let record = try launch(&random, jobs: Int.random(in: 1...3, using: &random), hasTies: false)
      let path = CriticalPath(of: record)
      let attempts = RecordedAttempts(of: record)
      let usual = end(of: record, delayed: (-1, 0))
      #expect(usual == record.elapsedTime, "seed \(seed)")
      for step in record.indices {
        guard let slack = path.slack(of: step) else { continue }
        steps += 1
        let free = slack == 1 ? 0 : slack
        let ends = { (time: Int64) in
          attempts.indices(ofStep: step).map { self.end(of: record, delayed: ($0, time)) }
        }
        #expect(ends(free).allSatisfy { $0 == usual }, "seed \(seed), step \(step)")
        if ends(free + 1_000_000).contains(where: { $0 > usual }) { moved += 1 }
      }
    }
    // A step that waited for two slots at once has less slack than it could have.
    #expect(100 * moved >= 99 * steps)
  }

  @Test("A delay within the slack does not delay a launch without waits, and a longer one does")
  func delays() throws {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let record = try launch(&random, jobs: nil)
      guard record.succeeded, let replay = LaunchReplay(of: record) else { continue }
      let path = CriticalPath(of: record)
      for step in record where step.state == .succeeded {
        let slack = try #require(path.slack(of: step.index))
        // A step that ended together with the critical path has a slack of one nanosecond.
        let free = slack == 1 ? 0 : slack
        for more in [0, 1_000_000] as [Int64] {
          var changes = LaunchChanges()
          changes.times[step.index] = .exactly(step.execution.runningTime + free + more)
          let elapsed = replay.simulated(with: changes).elapsedTime
          #expect(elapsed == record.elapsedTime + more, "seed \(seed), step \(step.id)")
        }
      }
    }
  }

  @Test("Steps that wait for the only slot are all on the critical path")
  func slots() throws {
    let record = ReportSample.run(
      "Notes", ["a", "b", "c"].map { .init(id: $0, lane: .background, duration: 20_000) }, jobs: 1)
    #expect(CriticalPath(of: record).steps == [0, 1, 2])
    #expect(try parse(record.json())["steps"]?.elements.map { try $0["slack"]?.integer() } == [0, 0, 0])
  }
}
