import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("check --against", .ownThread)
struct CheckAgainstTests {
  private let fine = "[\(Entry.shell("true", id: "a"))]"

  private func manifest(_ entries: String) -> String {
    #"{ "version": 1, "name": "Base", "commands": \#(entries) }"#
  }

  @Test("A check launches the base and the head in turns, equally often, with state directories of their own")
  func turns() throws {
    let head = "[\(Entry.shell("echo h >> order", id: "a"))]"
    let base = manifest("[\(Entry.shell("echo b >> order", id: "a"))]")
    let tool = try ToolProcess(
      "check", "--max-runs=10", "--max-slowdown=900%", "--against=base.json", "--record=r", "--quiet"
    )
    .manifest(head).file("base.json", base)
    let result = try tool.run()
    #expect(result.status == 0, "\(result.errors)")
    let order = String(decoding: try FileSystem.readFile(tool.directory.file("order")), as: UTF8.self)
      .split(separator: "\n")
    #expect(order.count == 22 && order.count { $0 == "b" } == 11)
    for pair in stride(from: 0, to: 22, by: 2) { #expect(Set(order[pair...pair + 1]).count == 2) }
    #expect(try FileSystem.readFile(tool.directory.file("r")).split(separator: 0x0A).count == 10)
    #expect(!FileSystem.exists(tool.directory.file(".appboot")))
  }

  @Test("The base of a directory is the same manifest in it, and its processes run there")
  func directory() throws {
    let tool = try ToolProcess("check", "--max-runs=10", "--against=base", "--format=json")
      .manifest("[\(Entry.shell("pwd >> here", id: "a"))]")
    try FileSystem.createDirectory(tool.directory.file("base"))
    let text = manifest("[\(Entry.shell("pwd >> here", id: "a"))]")
    let result = try tool.file("base/commands.json", text).run()
    let comparison = try result.json()["comparison"]
    #expect(comparison?["paired"]?.bool == true)
    #expect(try comparison?["base"]?["launches"]?.integer(as: Int.self) == 10)
    #expect(FileSystem.exists(tool.directory.file("base/here")))
  }

  @Test("A base that does not boot ends the check with 4 and its reason")
  func failingBase() throws {
    let base = manifest("[\(Entry.shell("echo no disk >&2; exit 3", id: "a"))]")
    let tool = try ToolProcess("check", "--against=base.json").manifest(fine).file("base.json", base)
    let result = try tool.run()
    #expect(result.status == 4)
    #expect(
      result.errors.contains(#"nothing to compare with, because the base "base.json" does not boot: "#))
    #expect(result.errors.contains("exited with code 3") && result.errors.contains("no disk"))
    let invalid = try ToolProcess("check", "--against=base.json").manifest(fine).file("base.json", "[").run()
    #expect(invalid.status == 4 && invalid.errors.contains("does not boot"))
    #expect(invalid.errors.contains("output: base.json:1:2: error: "))
    let silent = try ToolProcess("check", "--against-program=/usr/bin/true").manifest(fine).run()
    #expect(silent.status == 4 && silent.errors.contains(#"the base "commands.json" with "/"#))
    let missing = try ToolProcess("check", "--against=nothing").manifest(fine).run()
    #expect(missing.status == 4 && missing.errors.contains(#"the base "nothing" does not exist"#))
    // The base's manifest has the other default name.
    let renamed = try ToolProcess("check", "--against=base").manifest(fine)
    try FileSystem.createDirectory(renamed.directory.file("base"))
    let other = try renamed.file("base/commands.jsonc", "[").run()
    #expect(other.errors.contains("the base \"base/commands.jsonc\" does not boot"), "\(other.errors)")
    let program = try ToolProcess("check", "--against-program=./nothing").manifest(fine).run()
    #expect(program.status == 4 && program.errors.contains(#"the base "./nothing" does not exist"#))
    #expect(program.errors.contains("--against-program needs an executable"))
  }

  @Test("A base and a recorded baseline cannot be used together")
  func conflict() throws {
    let tool = try ToolProcess("check", "--against=b", "--baseline=c").manifest(fine)
    let result = try tool.run()
    #expect(result.status == 2)
    #expect(result.errors.contains("--against and --baseline cannot be used together"))
  }

  @Test("A slower step whose medians are within the limit has the estimated change")
  func estimatedChange() throws {
    func launch(_ time: Int64) throws -> LaunchRecord {
      let record =
        #"{"format":"appboot-record","version":1,"name":"Test","startedAt":"","outcome":"succeeded","#
        + #""duration":\#(time),"steps":[{"id":"a","command":"C","after":[],"state":"succeeded","ready":0,"#
        + #""start":0,"end":\#(time)}]}"#
      return try LaunchRecord(json: SourceText(name: "r", text: record))
    }
    let pairs = try (0..<21).map { number in
      let base = 10_000_000 + Int64(number) * 2_000_000
      return (base: try launch(base), head: try launch(base * (number == 10 ? 109 : 115) / 100))
    }
    #expect(
      CheckFinding.slower(Comparison(pairs: pairs), ascii: false).map(\.message) == [
        "a is slower than the base by an estimated 15.0 %: 30.0 ms before, 32.7 ms now, the medians of 21 launches"
      ])
  }

  @Test("A check of a manifest without commands ends with 3")
  func empty() throws {
    let result = try ToolProcess("check").manifest("[]").run()
    #expect(result.status == 3 && result.output.isEmpty)
    #expect(result.errors.contains("the manifest has no commands"))
  }
}

@Suite("A budget on a busy machine")
struct BudgetedTimeTests {
  /// Returns launches with one step of these nanoseconds, its CPU time and the budget of 400 ms.
  private func records(time: Int64, cpu: Int64, count: Int = 5) throws -> [LaunchRecord] {
    let record =
      #"{"format":"appboot-record","version":1,"name":"T","startedAt":"","outcome":"succeeded","#
      + #""duration":\#(time),"steps":[{"id":"a","command":"C","after":[],"state":"succeeded","ready":0,"#
      + #""start":0,"end":\#(time),"cpuTime":\#(cpu),"budget":400000000}]}"#
    return try (0..<count).map { _ in try LaunchRecord(json: SourceText(name: "r", text: record)) }
  }

  private func budgets(time: Int64, cpu: Int64, wait: Int64?) throws -> CheckFinding.Budgets {
    CheckFinding.budgets(
      try records(time: time, cpu: cpu), waits: [Int64?](repeating: wait, count: 5), ascii: false)
  }

  @Test("An exceeded budget is unclear if CPU time is within it and launches waited for a processor")
  func unclear() throws {
    let budgets = try budgets(time: 537_000_000, cpu: 215_000_000, wait: 500_000_000)
    #expect(budgets.exceeded.isEmpty)
    #expect(
      budgets.unclear.map(\.message) == [
        "a took 537 ms, over its budget of 400ms (median of 5 launches), but with 215 ms of CPU time, the machine was "
          + "busy and launches waited for a processor"
      ])
  }

  @Test("An unclear budget leaves the comparison with the baseline decided in every report")
  func decided() throws {
    let records = try records(time: 537_000_000, cpu: 215_000_000, count: 20)
    var result = CheckLaunches.Result()
    result.records = records
    result.waits = [Int64?](repeating: 500_000_000, count: 20)
    result.comparison = Comparison(base: [records], head: records)
    let verdict = CheckVerdict(result, style: TextStyle(), onFlaky: .warn, requiresBaseline: false)
    #expect(verdict.text().hasPrefix("? "))
    #expect(!verdict.text().contains("not decided"))
    #expect(!verdict.markdown.contains("| not decided |") && !verdict.html.contains("<td>not decided</td>"))
  }

  @Test("A budget is exceeded if the machine was idle, or if the wait does not explain the time")
  func exceeded() throws {
    let idle = try budgets(time: 537_000_000, cpu: 215_000_000, wait: 1_000_000)
    let unknown = try budgets(time: 537_000_000, cpu: 215_000_000, wait: nil)
    let unexplained = try budgets(time: 900_000_000, cpu: 215_000_000, wait: 300_000_000)
    let computing = try budgets(time: 537_000_000, cpu: 450_000_000, wait: 500_000_000)
    // Work that does not compute waits for no processor.
    let sleeping = try budgets(time: 537_000_000, cpu: 1_000_000, wait: 500_000_000)
    for budgets in [idle, unknown, unexplained, computing, sleeping] { #expect(budgets.exceeded.count == 1) }
  }

  @Test("A launch budget is exceeded if the steps of the critical path alone exceed it without their waits")
  func launch() throws {
    // Of the step's 153 ms, at most 16 times its CPU time can be a wait.
    let record =
      #"{"format":"appboot-record","version":1,"name":"T","startedAt":"","outcome":"succeeded","#
      + #""duration":190000000,"budget":100000000,"steps":["#
      + #"{"id":"a","command":"C","after":[],"state":"succeeded","ready":0,"start":0,"end":20000000,"#
      + #""cpuTime":5000000},"#
      + #"{"id":"b","command":"C","after":["a"],"state":"succeeded","ready":20000000,"start":20000000,"#
      + #""end":173000000,"cpuTime":1700000}]}"#
    let records = try (0..<5).map { _ in try LaunchRecord(json: SourceText(name: "r", text: record)) }
    let budgets = CheckFinding.budgets(
      records, waits: [Int64?](repeating: 190_000_000, count: 5), ascii: false)
    #expect(
      budgets.exceeded.map(\.message) == [
        "the launch took 190 ms, over its budget of 100ms (median of 5 launches)"
      ])
    #expect(budgets.unclear.isEmpty)
  }

  @Test("A budget that CPU time exceeds is certainly exceeded after more than half of the launches")
  func atOnce() throws {
    let records = try records(time: 537_000_000, cpu: 450_000_000)
    #expect(!CheckFinding.isCertainlyOverBudget(Array(records.prefix(2)), of: 5))
    #expect(CheckFinding.isCertainlyOverBudget(Array(records.prefix(3)), of: 5))
  }
}
