import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("compare", .ownThread)
struct CompareTests {
  private func lines(_ durations: [Int], step: String = "a") -> String {
    durations.map { duration in
      #"{"format":"appboot-record","version":1,"name":"x","startedAt":"","outcome":"succeeded","#
        + #""duration":\#(duration),"steps":[{"id":"\#(step)","command":"C","after":[],"#
        + #""state":"succeeded","ready":0,"start":0,"end":\#(duration)}]}"#
    }.joined(separator: "\n") + "\n"
  }

  private let base = (0..<8).map { 1_000_000 + $0 }
  private let head = (0..<8).map { 2_500_000 + $0 }

  @Test("Records are read from lines of a file and from directories")
  func sets() throws {
    let tool = try ToolProcess("compare", "base.jsonl", "head").file("base.jsonl", lines(base))
    try FileSystem.createDirectory(tool.directory.file("head"))
    for (number, duration) in head.enumerated() {
      _ = try tool.file("head/\(number).json", lines([duration]))
    }
    let result = try tool.file("head/other.json", "{}").file("head/notes.txt", "x").run()
    #expect(result.status == 0)
    #expect(result.output.contains("a             1.0 ms  1.0 ms    2.5 ms  2.5 ms  +150.0 %"))
    #expect(try tool.with("--exit-code").run().status == 5)
    #expect(result.output.contains("x is slower by 150.0 %: 1.0 ms before, 2.5 ms now"))
    #expect(
      result.errors == "appboot: warning: head/other.json is not a launch's record; skipping it\n")
  }

  @Test("A comparison reads a sample of more than 1000 files, whatever pattern their names have")
  func manyFiles() throws {
    let tool = try ToolProcess("compare", "base.jsonl", "head").file("base.jsonl", lines(base))
    try FileSystem.createDirectory(tool.directory.file("head"))
    // One launch in four takes ten times as long.
    for number in 1000..<3000 {
      _ = try tool.file("head/\(number).json", lines([number % 4 == 3 ? 10_000_000 : 1_000_000]))
    }
    let result = try tool.run()
    #expect(result.status == 0 && result.output.contains("head: x, 1000 launches"))
    #expect(result.output.contains("  1.0 ms  10.0 ms"), "\(result.output)")
    #expect(
      result.errors
        == "appboot: warning: head has 2000 files: reading 1000 of them, selected by the hashes of their names\n"
    )
  }

  @Test("A slower step that no other step can be compared with is inconclusive, and --against is recommended")
  func alone() throws {
    let head = (0..<8).map { 1_500_000 + $0 }
    let tool = try ToolProcess("compare", "b", "h", "--exit-code").file("b", lines(base)).file(
      "h", lines(head))
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.output.contains("use check --against to compare both in turns"))
    #expect(
      result.output.contains("x is inconclusive: the machine may explain it; 1.0 ms before, 1.5 ms now"))
  }

  @Test("A file whose name is not UTF-8 is skipped")
  func notUTF8() throws {
    let tool = try ToolProcess("compare", "base.jsonl", "head").file("base.jsonl", lines(base))
    try FileSystem.createDirectory(tool.directory.file("head"))
    let script = #"mv head/b.jsonl "$(printf 'head/caf\351.jsonl')"; "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#
    let result = try tool.file("head/a.jsonl", lines(head)).file("head/b.jsonl", lines(base)).script(script)
      .run()
    #expect(result.status == 0)
    #expect(
      result.errors
        == "appboot: warning: head/caf\u{FFFD}.jsonl has a name that is not UTF-8; skipping it\n")
  }

  @Test("A comparison has JSON and Markdown, also as a file")
  func forms() throws {
    let tool = try ToolProcess("compare", "b", "h", "--format", "json")
      .file("b", lines(base)).file("h", lines(head))
    #expect(try tool.run().json()["launch"]?["decision"]?.string == "slower")
    let file = try tool.with("--format", "markdown", "-o", "c.md").run()
    #expect(file.status == 0 && file.output.isEmpty)
    let text = String(decoding: try FileSystem.readFile(tool.directory.file("c.md")), as: UTF8.self)
    #expect(text.hasPrefix("### 🐢 <code>x</code>: slower\n"))
  }

  @Test("With --exit-code, compare exits with 1 if launches fail more than in the base")
  func exitCode() throws {
    let failed = lines(head).replacing(
      #""outcome":"succeeded""#, with: #""outcome":"failed","failedStep":"a""#
    )
    .replacing(#""state":"succeeded""#, with: #""state":"failed","failure":{"message":"no","type":""}"#)
    let tool = try ToolProcess("compare", "b", "h", "--exit-code").file("b", lines(base)).file("h", failed)
    let result = try tool.run()
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.output.contains("x fails now"))
    #expect(!result.output.contains("too few"))
    #expect(
      try ToolProcess("compare", "h", "b", "--exit-code").file("b", lines(base)).file("h", failed).run()
        .status == 0)
    #expect(try ToolProcess("compare", "b", "b", "--exit-code").file("b", lines(base)).run().status == 0)
  }

  @Test("One record against one is inconclusive")
  func single() throws {
    let result = try ToolProcess("compare", "b", "h").file("b", lines([5])).file("h", lines([9])).run()
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix(
        "x is inconclusive: too few launches, at least 6 of each are needed; 5 ns before, 9 ns now\n"))
  }

  @Test("A missing operand is a usage error; an invalid or missing file ends with 3 or 4")
  func mistakes() throws {
    let one = try ToolProcess("compare", "b").run()
    #expect(one.status == 2 && one.errors.contains("compare needs an argument: HEAD"))
    let missing = try ToolProcess("compare", "b", "h").run()
    #expect(missing.status == 4 && missing.errors.contains(#"cannot open "b""#))
    let wrong = try ToolProcess("compare", "b", "b").file("b", "[]").run()
    #expect(wrong.status == 3 && wrong.errors.contains("b is not a launch's record"))
  }
}
