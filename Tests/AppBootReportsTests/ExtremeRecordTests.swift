import AppBoot
import AppBootRecords
import AppBootTestSupport
import Testing

@testable import AppBootReports

@Suite("Records with extreme times", .ownThread)
struct ExtremeRecordTests {
  /// Times that a reader accepts, up to the last nanosecond of ten years.
  fileprivate static let times: [Int64] = [
    0, 1, 2, 999, 49_999, 50_000, 1_000_000, 41_000_000, 157_788_000_000_000_000, 315_575_999_999_999_999,
    315_576_000_000_000_000,
  ]
  fileprivate static let limits: [Int64] = [0, 1, 50_000, 315_576_000_000_000_000, .max]

  private struct Source {
    var random: SeededGenerator

    mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    mutating func pick<Value>(_ values: [Value], _ fallback: Value) -> Value {
      values.randomElement(using: &random) ?? fallback
    }
    mutating func time() -> Int64 { pick(ExtremeRecordTests.times, 0) }
    mutating func moments(_ count: Int) -> [Int64] { (0..<count).map { _ in time() }.sorted() }

    /// A hand-written record; each of its steps comes after every second earlier one.
    mutating func record(_ steps: Int, succeeds: Bool, host: Bool) -> String {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("format", "appboot-record")
        writer.member("version", 1)
        writer.member("name", "extreme <script>")
        writer.member(
          "startedAt", pick(["2026-07-28T09:05:03.250Z", "", "2200-12-31T23:59:59.999999999Z"], ""))
        if host {
          writer.key("host")
          writer.object { writer in
            for name in ["system", "release", "architecture"] { writer.member(name, "x") }
            writer.member("cores", Int32.max)
          }
        }
        run(steps, succeeds: succeeds, &writer)
        if chance(3) { events(&writer) }
      }
      return writer.text
    }

    private mutating func events(_ writer: inout JSONWriter) {
      writer.key("events")
      writer.array { writer in
        for scene in ["", "main"] {
          writer.object { writer in
            writer.member("event", "openURL")
            if !scene.isEmpty { writer.member("scene", scene) }
            writer.member("at", time())
            writer.member("startedAt", "")
            run(2, succeeds: chance(2), &writer)
          }
        }
      }
    }

    private mutating func run(_ steps: Int, succeeds: Bool, _ writer: inout JSONWriter) {
      let others = ["running", "timedOut", "cancelled"] + (steps > 0 ? ["failed"] : [])
      let outcome = succeeds ? "succeeded" : pick(others, "running")
      writer.member("outcome", outcome)
      if outcome == "failed" { writer.member("failedStep", "step0") }
      writer.member("duration", time())
      if chance(2) { writer.member("budget", pick(ExtremeRecordTests.limits, 0)) }
      if chance(2) { writer.member("timeout", pick(ExtremeRecordTests.limits, 0)) }
      writer.key("steps")
      writer.array { writer in
        for index in 0..<steps { step(index, succeeds: succeeds, &writer) }
      }
    }

    private mutating func step(_ index: Int, succeeds: Bool, _ writer: inout JSONWriter) {
      let states = ["waiting", "ready", "running", "succeeded", "failed", "timedOut", "cancelled", "skipped"]
      let moments = self.moments(3)
      let state = succeeds ? "succeeded" : pick(states, "waiting")
      writer.object { writer in
        writer.member("id", "step\(index)")
        writer.member("command", "C")
        writer.member("lane", pick(["main", "background"], "main"))
        writer.member("after", (0..<index).filter { $0 % 2 == index % 2 }.map { "step\($0)" })
        writer.member("onFailure", pick(["stop", "continue"], "stop"))
        writer.member("state", state)
        if state == "failed" || state == "timedOut" { failure(&writer) }
        if succeeds || chance(4) == false { writer.member("ready", moments[0]) }
        if succeeds || chance(4) == false { writer.member("start", moments[1]) }
        if succeeds || chance(4) == false { writer.member("end", moments[2]) }
        if chance(2) { writer.member("budget", pick(ExtremeRecordTests.limits, 0)) }
        if chance(3) == false { writer.member("cpuTime", time()) }
        if chance(3) { parts("attempts", &writer) }
        if chance(3) { parts("spans", &writer) }
        if chance(4) {
          writer.key("undo")
          writer.object { $0.member("start", moments[2]) }
        }
      }
    }

    private func failure(_ writer: inout JSONWriter) {
      writer.key("failure")
      writer.object { writer in
        writer.member("message", "no ]]> ::error::x")
        writer.member("type", "T")
      }
    }

    private mutating func parts(_ key: String, _ writer: inout JSONWriter) {
      writer.key(key)
      writer.array { writer in
        for id in 0..<3 {
          let moments = self.moments(2)
          writer.object { writer in
            writer.member("id", id)
            writer.member("name", "part")
            writer.member("start", moments[0])
            if chance(3) == false { writer.member("end", moments[1]) }
          }
        }
      }
    }
  }

  private func read(_ text: String) throws -> LaunchRecord {
    try LaunchRecord(json: SourceText(name: "x", text: text))
  }

  private func expectSound(_ text: String, isJSON: Bool = false) throws {
    for word in ["nan", "inf %", "+inf", "-inf"] { #expect(!text.contains(word)) }
    if isJSON { _ = try JSONDocument(parsing: SourceText(name: "x", text: text)) }
  }

  @Test("Records with extreme times are shown in every format and read back the same", arguments: 0..<4)
  func reports(seed: UInt64) throws {
    var source = Source(random: SeededGenerator(seed: seed))
    for round in 0..<6 {
      let record = try read(source.record(round, succeeds: source.chance(3), host: source.chance(2)))
      for format in ReportFormat.allCases {
        try expectSound(format.render(record), isJSON: [.json, .trace, .otlp].contains(format))
      }
      for detail in [TextReport.Detail.failures, .normal, .full] {
        try expectSound(TextReport(style: TextStyle(width: 40), detail: detail).text(of: record))
      }
      #expect(try read(record.json()).json() == record.json())
    }
  }

  private static func check(_ comparison: Comparison) -> CheckSummary {
    CheckSummary(
      verdict: .failed, line: "check failed", reason: "", isFailure: true, findings: [],
      warnings: [], tally: LaunchTally([]), comparison: comparison)
  }

  @Test("Sets of records with extreme times are compared in every format", arguments: 0..<4)
  func comparisons(seed: UInt64) throws {
    var source = Source(random: SeededGenerator(seed: seed))
    for round in 0..<6 {
      let sets = try [source.pick([0, 1, 6, 12], 0), source.pick([0, 1, 6, 12], 0)].map { count in
        try (0..<count).map { _ in
          try read(source.record(round, succeeds: !source.chance(5), host: round % 2 == 0))
        }
      }
      let comparison = Comparison(
        base: sets[0].isEmpty ? [] : [sets[0]], head: sets[1], launchLimit: 20)
      for format in ComparisonFormat.allCases {
        try expectSound(format.render(comparison), isJSON: format == .json)
      }
      try expectSound(CheckMarkdown(Self.check(comparison)).table)
      for test in comparison.slower { #expect(test.factor.isFinite && test.loss > 0) }
      _ = (comparison.needsMoreLaunches, comparison.stepTests["step0"])
    }
  }

  @Test(
    "The times of 29 handlers of ten years each add up to the longest time", arguments: ReportFormat.allCases)
  func sums(format: ReportFormat) throws {
    let longest = Self.times.last ?? 0
    let step =
      #"{"id":"a","command":"C","lane":"main","after":[],"onFailure":"stop","state":"succeeded","ready":0,"#
      + #""start":0,"end":\#(longest)}"#
    let run =
      #""startedAt":"2200-12-31T23:59:59Z","outcome":"succeeded","duration":\#(longest),"steps":[\#(step)]"#
    let events = [String](repeating: #"{"event":"openURL","at":0,\#(run)}"#, count: 29).joined(separator: ",")
    let text = #"{"format":"appboot-record","version":1,"name":"x",\#(run),"events":[\#(events)]}"#
    try expectSound(format.render(read(text)), isJSON: [.json, .trace, .otlp].contains(format))
  }

  @Test("Times that show no machine speed cause no overflow")
  func machineSlowdown() throws {
    let longest = Self.times.last ?? 0
    let steps = ["a", "b", "c", "d", "e"]
    let base = (0..<6).map { _ in
      ComparisonSample.record(steps.map { ($0, $0 == "a" ? longest / 5 : 50_000) })
    }
    let head = (0..<6).map { _ in ComparisonSample.record(steps.map { ($0, $0 == "a" ? 1 : longest / 5) }) }
    let comparison = Comparison(base: [base], head: head, launchLimit: 20)
    #expect(comparison.stepTests["a"].map { $0.loss < 0 } == true)
    try expectSound(CheckMarkdown(Self.check(comparison)).table)
  }

  @Test(
    "Times out of range are rejected with their place",
    arguments: [
      #""duration":-1"#, #""duration":315576000000000001"#, #""budget":-1"#, #""budget":9223372036854775808"#,
      #""steps":[{"id":"a","command":"C","cpuTime":315576000000000001}]"#,
    ])
  func refused(member: String) throws {
    let text = #"{"format":"appboot-record","version":1,"name":"x","startedAt":"",\#(member)}"#
    let error = #expect(throws: RecordError.self) { try read(text) }
    #expect(error?.description.contains("x:1:") == true)
  }
}
