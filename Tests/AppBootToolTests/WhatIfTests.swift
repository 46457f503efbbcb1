import AppBoot
import AppBootTestSupport
import Testing

@Suite("The subcommand whatif, and report --why", .ownThread)
struct WhatIfTests {
  private let ms = 1_000_000

  /// A record in milliseconds: `a`, then `b` and `c` at the same time, then `d`.
  private func record(factor: Int = 1, jobs: Int = 4, outcome: String = "succeeded") -> String {
    let steps = [
      step("a", [], 0, 0, 10), step("b", ["a"], 10, 10, 60), step("c", ["a"], 10, 10, 30),
      step("d", ["b", "c"], 60, 60, 70),
    ].map { $0(factor) }
    return launch(steps, duration: 70 * factor, jobs: jobs, outcome: outcome)
  }

  /// A record of two steps that compete for one slot.
  private var oneSlot: String {
    launch([step("a", [], 0, 0, 40)(1), step("b", [], 0, 40, 60)(1)], duration: 60, jobs: 1)
  }

  private func launch(
    _ steps: [String], duration: Int, jobs: Int, outcome: String = "succeeded"
  ) -> String {
    #"{"format":"appboot-record","version":1,"name":"Test","processors":2,"jobs":\#(jobs),"#
      + #""startedAt":"2026-07-28T09:05:03.250Z","outcome":"\#(outcome)","failedStep":"a","#
      + #""duration":\#(duration * ms),"steps":[\#(steps.joined(separator: ","))]}"# + "\n"
  }

  private func step(
    _ id: String, _ after: [String], _ ready: Int, _ start: Int, _ end: Int
  ) -> (_ factor: Int) -> String {
    { factor in
      #"{"id":"\#(id)","command":"C","lane":"background","after":\#(after),"state":"succeeded","#
        + #""cpuTime":1000,"ready":\#(ready * factor * ms),"start":\#(start * factor * ms),"#
        + #""end":\#(end * factor * ms)}"#
    }
  }

  private func run(_ records: String, _ arguments: String...) throws -> ToolResult {
    try ToolProcess("whatif", "r.jsonl").with(arguments).file("r.jsonl", records).run()
  }

  @Test("whatif predicts the time, the critical path and the number of launches")
  func one() throws {
    let result = try run(record(), "--set", "b=-50%")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(
      result.output == """
        launches     1 recorded launch: the variation between launches is unknown
        critical     a 10.0 ms → b 25.0 ms → d 10.0 ms
        Test would boot in 45.0 ms instead of 70.0 ms: 36 % faster

        """)
  }

  @Test("The prediction from several launches is the median, with the range of all and its critical path")
  func several() throws {
    let result = try run(record(factor: 2) + record() + record(factor: 3), "--set=b=0ms", "--remove", "c")
    #expect(
      result.output.contains("3 recorded launches took 70.0 ms to 210 ms; predicted 15.0 ms to 80.0 ms"))
    #expect(result.output.contains("Test would boot in 40.0 ms instead of 140 ms: 71 % faster"))
    #expect(result.output.contains("critical     a 20.0 ms → d 20.0 ms\n"), "\(result.output)")
  }

  @Test("Launches that ran other steps are left out of the prediction")
  func otherSteps() throws {
    let skipped =
      #"{"id":"b","command":"C","lane":"background","after":[],"state":"skipped","#
      + #""reason":{"kind":"excluded","text":"--only"}}"#
    let only = launch([step("a", [], 0, 0, 10)(1), skipped], duration: 10, jobs: 4)
    let whole = launch([step("a", [], 0, 0, 10)(1), step("b", ["a"], 10, 10, 60)(1)], duration: 60, jobs: 4)
    let result = try run(whole + only + whole + only + only, "--set", "b=-50%")
    #expect(result.output.contains("launches     2 recorded launches took 60.0 ms to 60.0 ms"))
    #expect(result.output.contains("\nleft out     3 launches with other steps or --jobs\n"))
    #expect(result.output.contains("in 35.0 ms instead of 60.0 ms"))
  }

  @Test("An unnecessary step needs no CPU time for a prediction with another number of slots")
  func unnecessary() throws {
    let once =
      #"{"id":"once","command":"C","lane":"background","after":[],"state":"skipped","ready":0,"start":0,"#
      + #""end":1000,"reason":{"kind":"unnecessary","text":"\"index\" exists"}}"#
    let result = try run(launch([step("a", [], 0, 0, 40)(1), once], duration: 40, jobs: 1), "--jobs", "2")
    #expect(result.status == 0 && !result.output.contains("CPU time"), "\(result.output)")
  }

  @Test("Launches with another number of slots than the newest one are left out of the prediction")
  func otherJobs() throws {
    let result = try run(record(jobs: 2) + record(), "--set", "b=-50%")
    #expect(result.output.contains("\nleft out     1 launch with other steps or --jobs\n"))
  }

  @Test("Launches whose manifest was named by another path are used for the prediction")
  func otherPath() throws {
    let records = ["/shop/commands.json", "commands.json"].map {
      record().replacing(#""name":"Test""#, with: #""name":"Test","manifest":{"path":"\#($0)"}"#)
    }
    let result = try run(records.joined(), "--set", "b=-50%")
    #expect(result.output.contains("2 recorded launches"), "\(result.output)")
  }

  @Test("whatif predicts a changed order, another number of slots, and removed steps")
  func changes() throws {
    #expect(try run(record(), "--after", "d=a", "--set", "d=x2").output.contains("in 60.0 ms instead of"))
    #expect(try run(record(), "--after", "b=").output.contains("in 60.0 ms instead of"))
    #expect(try run(record(), "--remove", "b").output.contains("in 40.0 ms instead of"))
    #expect(try run(oneSlot, "--jobs", "2").output.contains("in 40.0 ms instead of"))
    #expect(try run(record(), "--jobs", "1").output.contains("in 90.0 ms instead of 70.0 ms: 29 % slower"))
  }

  @Test("The JSON of whatif has limitedByProcessors if the text has a line about the processors")
  func limited() throws {
    for arguments in [["--jobs", "1"], ["--set", "b=-50%"]] {
      let text = try run(record(), arguments[0], arguments[1]).output.contains("\nprocessors   ")
      let json = try run(record(), arguments[0], arguments[1], "--format=json").json()
      #expect(json["limitedByProcessors"]?.bool == text)
    }
  }

  @Test("whatif names the processors if recorded steps shared them")
  func processors() throws {
    let steps = ["a", "b", "c", "d"].map { step($0, [], 0, 0, 40)(1) }
    let records = launch(steps, duration: 40, jobs: 4).replacing("1000", with: "20000000")
    let result = try run(records, "--jobs", "1")
    #expect(result.output.contains("in 80.0 ms instead of 40.0 ms"))
    #expect(
      result.output.contains(
        "\nprocessors   the recorded steps shared 2 processors: how long they take alone is an estimate\n"))
    #expect(result.output.contains("1 recorded launch: predicted 70.6 ms to 81.6 ms, "))
    let json = try run(records, "--jobs", "1", "--format=json")
    #expect(json.output.contains(#""limitedByProcessors": true"#))
    #expect(try json.json()["shortest"]?.integer(as: Int.self) == 70_560_000)
  }

  @Test("whatif cannot tell the effect of --jobs if other work may have delayed a step")
  func otherWork() throws {
    let records = oneSlot.replacing("1000", with: "20000000")
    #expect(
      try run(records, "--jobs", "2").output.contains(
        "\nprocessors   a computed, and waited for something: if it was a processor that other work used, "
          + "the effect of --jobs cannot be told\n"))
    #expect(try !run(records, "--set", "a=-50%").output.contains("processors "))
    let json = try run(records, "--jobs", "2", "--format=json").json()
    #expect(json["partlyComputing"]?.elements.compactMap(\.string) == ["a"])
  }

  @Test("Launches that did not succeed are not used")
  func failed() throws {
    let result = try run(record(outcome: "failed") + record(), "--remove", "b")
    #expect(result.output.contains("1 recorded launch"))
    let none = try run(record(outcome: "failed"), "--remove", "b")
    #expect(none.status == 4)
    #expect(none.errors.contains(#"no launch in "r.jsonl" succeeded: whatif needs a successful launch"#))
  }

  @Test(
    "An invalid change is a usage error with help",
    arguments: [
      (["--set", "b"], "--set needs STEP=CHANGE, not \"b\""),
      (["--set", "b=fast"], "--set needs STEP=CHANGE, not \"b=fast\""),
      (["--set", "b=20%"], "a change is a time (50ms), a percentage (-20%) or a factor (x2)"),
      (["--set", "bb=x2"], "did you mean \"b\"?"), (["--after", "b"], "--after needs STEP=ID,…, not \"b\""),
      (["--after", "a=d"], "comes after itself"),
      ([], "whatif needs a change: --set, --jobs, --after or --remove"),
    ])
  func mistakes(arguments: [String], message: String) throws {
    let result = try ToolProcess("whatif", "r.json").with(arguments).file("r.json", record()).run()
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test("The JSON of a prediction has its times in nanoseconds")
  func json() throws {
    let json = try run(record(), "--remove=b", "--format=json").json()
    #expect(try json["predicted"]?.integer(as: Int.self) == 40_000_000)
    #expect(try json["recorded"]?.integer(as: Int.self) == 70_000_000)
    #expect(json["critical"]?.elements.compactMap(\.string) == ["a", "c", "d"])
  }

  @Test("Without records, whatif uses the launches in the state directory")
  func kept() throws {
    let result = try ToolProcess("whatif", "--set", "a=x1").manifest("[\(Entry.shell("true", id: "a"))]")
      .script(
        #""$0" run -q 2>/dev/null; "$0" run -q 2>/dev/null; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#
      ).run()
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.contains("2 recorded launches took"))
  }

  @Test("report --why shows what a step waited for, back to the start of the launch")
  func why() throws {
    let tool = try ToolProcess("report", "r.json", "--why")
    let order = try tool.with("d").file("r.json", record()).run()
    #expect(
      order.output == """
        why d started 60.0 ms after the launch began:
          d  60.0 ms  after b, which ran 50.0 ms
          b  10.0 ms  after a, which ran 10.0 ms
          a      0 s  with the launch

        """)
    let slot = try tool.with("b").file("r.json", oneSlot).run()
    #expect(
      slot.output.contains(
        "b  40.0 ms  when a, which ran 40.0 ms, released the only slot; could start at 0 s"))
    let unknown = try tool.with("dd").file("r.json", record()).run()
    #expect(unknown.status == 2 && unknown.errors.contains("there is no step \"dd\""))
  }

  @Test("report --why --format json has the same reasons")
  func whyJSON() throws {
    let tool = try ToolProcess("report", "r.json", "--why")
    let order = try tool.with("d", "--format=json").file("r.json", record()).run().json()
    let chain = try #require(order["chain"]).elements
    #expect(chain.compactMap { $0["step"]?.string } == ["d", "b", "a"])
    #expect(chain.compactMap { $0["reason"]?.string } == ["after", "after", "launch"])
    #expect(try chain.first?["running"]?.integer(as: Int.self) == 50_000_000)
    let slot = try tool.with("b", "--format=json").file("r.json", oneSlot).run().json()
    #expect(slot["chain"]?.elements.first?["reason"]?.string == "slot")
    #expect(slot["chain"]?.elements.first?["waitedFor"]?.string == "a")
    let other = try tool.with("b", "--format=svg").run()
    #expect(other.status == 2 && other.errors.contains("--why and --format svg cannot be used together"))
  }
}
