import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The verdict of check", .ownThread)
struct CheckVerdictTests {
  private let files = ["--junit=j", "--markdown=m", "--html=h"]

  private func text(of file: String, in tool: ToolProcess) throws -> String {
    String(decoding: try FileSystem.readFile(tool.directory.file(file)), as: UTF8.self)
  }

  /// Returns a script that fails in one launch: the one with this number. The warm-up is the first one.
  private func failing(in launch: Int, _ name: String = "n") -> String {
    "echo x >>\(name); [ $(wc -l <\(name)) -ne \(launch) ] || { echo no cache >&2; exit 4; }"
  }

  /// Returns twenty equal launches with one step.
  private func baseline(_ count: Int = 20) -> String {
    let record =
      #"{"format":"appboot-record","version":1,"name":"Test","startedAt":"","outcome":"succeeded","#
      + #""duration":2000,"steps":[{"id":"a","command":"RunProcess","after":[],"#
      + #""state":"succeeded","ready":0,"start":0,"end":1000}]}"#
    return String(repeating: record + "\n", count: count)
  }

  @Test("Every file of a slower check leads with the verdict, the culprit and both times")
  func slower() throws {
    let tool = try ToolProcess("check", "--runs=10", "--max-runs=10", "--baseline=b").with(files)
      .manifest("[\(Entry.shell("true", id: "a"))]").file("b", baseline())
    let result = try tool.run()
    #expect(result.status == 5)
    let sentence = try #require(result.output.split(separator: "\n").last).dropFirst("check failed: ".count)
    #expect(sentence.hasPrefix("a is slower than the baseline by "))
    let words = sentence.split(separator: " ").map(String.init)
    let percent = try #require(words.firstIndex(of: "%:").map { words[$0 - 1] })
    let row = try #require(result.output.split(separator: "\n").first)
    let now = try #require(words.firstIndex(of: "now,").map { words[$0 - 2...$0 - 1].joined(separator: " ") })
    #expect(row.contains("1.0 µs → \(now)  +\(percent) %"), "\(row)")
    let html = try text(of: "h", in: tool)
    #expect(!html.contains("booted"))
    #expect(html.contains("<title>Test: check failed</title>"))
    #expect(html.contains("<span class=\"badge bad\">check failed</span>"))
    #expect(html.contains("<p class=\"lead\">check failed: a is slower than the baseline by \(percent) %"))
    #expect(html.contains("<td class=\"n wide\">1.0 µs</td><td class=\"n\">\(now)</td>"))
    #expect(html.contains("The launch with the median time of 10 launches"))
    let markdown = try text(of: "m", in: tool)
    #expect(!markdown.contains("booted"))
    let table = markdown.replacing("\u{A0}", with: " ")
    #expect(table.contains("| <code>a</code> | 1.0 µs | 1.0 µs | \(now) | "))
    #expect(table.contains(" | +\(percent) % | **slower** |"))
    let junit = try text(of: "j", in: tool)
    #expect(!junit.contains("booted"))
    let cases = junit.split(separator: "\n").filter { $0.contains("<testcase") }
    #expect(cases.first?.contains("name=\"(check)\"") == true)
    #expect(junit.contains("message=\"check failed: a is slower than the baseline by \(percent) %"))
    #expect(junit.contains("a: 1.0 µs → \(now), +\(percent) %, slower"))
  }

  @Test("A step whose undo failed is not ok in a check")
  func undo() throws {
    let step =
      #"{"command":"RunProcess","id":"u","with":{"arguments":["true"],"undo":{"arguments":["sh","-c","exit 3"]}}}"#
    let failure = #"{"command":"RunProcess","id":"f","with":{"arguments":["false"]},"onFailure":"rollback"}"#
    let result = try ToolProcess("check", "--runs=1").manifest("[\(step), \(failure)]").run()
    #expect(result.status == 1)
    let row = try #require(result.output.split(separator: "\n").first { $0.contains(" u ") })
    #expect(row.hasPrefix("FAIL ") && row.contains("undo failed: "), "\(row)")
  }

  @Test("Every file of an inconclusive check has both times and no decision, and leads with the reason")
  func notDecided() throws {
    let tool = try ToolProcess("check", "--max-runs=10", "--baseline=b").with(files)
      .manifest("[\(Entry.shell("true", id: "a"))]").file("b", baseline(1))
    let result = try tool.run()
    #expect(result.status == 0)
    let row = try #require(result.output.split(separator: "\n").first)
    #expect(row.contains("1.0 µs → ") && row.hasSuffix(" %, not decided"), "\(row)")
    let reason = "the baseline has 1 launch, too few to tell a slowdown from noise: "
    #expect(result.output.contains("check inconclusive: \(reason)"))
    let html = try text(of: "h", in: tool)
    #expect(html.contains("Against the baseline") && html.contains(" %</td><td>not decided</td>"))
    let todo = try #require(html.firstRange(of: "<ol class=\"todo\">\n")).upperBound
    #expect(html[todo...].hasPrefix("<li class=\"failure allowed\"><h3>\(reason)"))
    #expect(!html.contains("Shorten "))
    let markdown = try text(of: "m", in: tool)
    #expect(markdown.replacing("\u{A0}", with: " ").contains("| <code>a</code> | 1.0 µs | 1.0 µs | "))
    #expect(markdown.contains(" | not decided |\n") && !markdown.contains("Levers"))
    #expect(try text(of: "j", in: tool).contains("a: 1.0 µs → "))
  }

  @Test(
    "check --open shows the page of its result, also of a failed check",
    .enabled(if: !ProgramSearch.isPrivileged), arguments: [false, true])
  func open(isTemporary: Bool) throws {
    let tool = try ToolProcess("check", "--no-state", "--runs=2", "--open")
      .with(isTemporary ? [] : ["--html=h.html"])
      .manifest("[\(Entry.shell("exit 3", id: "a"))]").script(
        #"""
        mkdir bin; mkfifo shown
        printf '#!/bin/sh\ngrep -o "<title>.*" "$1" >shown\n' >bin/xdg-open; chmod +x bin/xdg-open
        cp bin/xdg-open bin/open
        PATH="$PWD/bin:$PATH" TMPDIR="$PWD" "$0" "$@" >/dev/null 2>"$APPBOOT_TEST_ERRORS"; echo $?; cat shown
        """#)
    let result = try tool.run()
    #expect(result.output == "1\n<title>Test: check failed</title>\n")
    #expect(result.errors.contains("appboot: the page is ") == isTemporary)
  }

  @Test("A required step that fails in one launch fails the check, which says in how many it failed")
  func flakyRequired() throws {
    let tool = try ToolProcess("check", "--runs=4", "--format=json")
      .manifest("[\(Entry.shell(failing(in: 3), id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 1)
    let json = try result.json()
    #expect(json["verdict"]?.string == "failed")
    #expect(try json["failedLaunches"]?.integer(as: Int.self) == 1)
    #expect(json["reason"]?.string?.hasPrefix("Test did not boot in 1 of 4 launches: a failed at") == true)
    #expect(try json["steps"]?.elements.first?["failures"]?.integer(as: Int.self) == 1)
    #expect(try json["steps"]?.elements.first?["launches"]?.integer(as: Int.self) == 4)
  }

  @Test("Every report warns about a flaky step, which fails the check only with --on-flaky fail")
  func flakyAllowed() throws {
    let step = Entry.shell(failing(in: 3), id: "a", #""onFailure": "continue""#)
    let tool = try ToolProcess("check", "--runs=4").with(files).manifest("[\(step)]")
    let words = "a failed in 1 of 4 launches (allowed): no cache"
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.output.contains("\nwarning: \(words)\ncheck passed: "))
    #expect(try text(of: "j", in: tool).contains(words))
    #expect(try text(of: "h", in: tool).contains(words))
    #expect(try text(of: "m", in: tool).contains("a failed in 1 of 4 launches &#40;allowed&#41;"))
    try FileSystem.remove(tool.directory.file("n"))
    let failed = try tool.with("--on-flaky", "fail").run()
    #expect(failed.status == 1)
    #expect(failed.output.hasSuffix("\n\ncheck failed: \(words)\n"))
    try FileSystem.remove(tool.directory.file("n"))
    let json = try tool.with("--on-flaky", "fail", "--format", "json").run().json()
    #expect(json["findings"]?.elements.first?["step"]?.string == "a")
    #expect(json["warnings"]?.elements.count == 0)
  }

  @Test("Warnings that differ only in the step share a line, and the JSON has each")
  func equalWarnings() throws {
    let tool = try ToolProcess("check", "--runs=2").with(files).manifest(
      "["
        + (1...3).map { Entry.shell("echo no cache >&2; exit 4", id: "s\($0)", #""onFailure": "continue""#) }
        .joined(separator: ",") + "]")
    let result = try tool.run()
    #expect(
      result.output.contains(
        "\nwarning: s1 and 2 more steps failed in 2 of 2 launches (allowed): no cache\ncheck passed"))
    #expect(try text(of: "m", in: tool).contains("s1 and 2 more steps failed"))
    #expect(try text(of: "h", in: tool).contains("s1 and 2 more steps failed"))
    #expect(try tool.with("--format=json").run().json()["warnings"]?.elements.count == 3)
  }

  @Test("A step that needed a retry causes a warning, and a step that fails in all launches is not flaky")
  func retries() throws {
    let steps = [
      Entry.shell(failing(in: 2, "a"), id: "a", #""retry": { "attempts": 2 }"#),
      Entry.shell("exit 1", id: "b", #""onFailure": "continue""#),
    ]
    let tool = try ToolProcess("check", "--runs=3", "--on-flaky=warn")
      .manifest("[\(steps.joined(separator: ", "))]")
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.output.contains("\nwarning: a needed a retry in 1 of 3 launches\n"))
    #expect(result.output.contains("\nwarning: b failed in 3 of 3 launches (allowed)"))
    #expect(result.output.contains("flaky   a  ") && result.output.contains("warn    b  "))
  }

  @Test("A check with too few launches in the baseline is inconclusive, and fails with --require-baseline")
  func inconclusive() throws {
    let tool = try ToolProcess("check", "--max-runs=10", "--baseline=b", "--format=json")
      .manifest("[\(Entry.shell("true", id: "a"))]").file("b", baseline(1))
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(try result.json()["verdict"]?.string == "inconclusive")
    #expect(try result.json()["comparison"]?["launch"]?["reason"]?.string == "tooFewLaunches")
    let required = try tool.with("--require-baseline").run()
    #expect(required.status == 4)
    #expect(try required.json()["exitCode"]?.integer(as: Int.self) == 4)
    let without = try ToolProcess("check", "--require-baseline").manifest("[]").run()
    #expect(
      without.status == 2 && without.errors.contains("--require-baseline needs --baseline or --against"))
    let limit = try ToolProcess("check", "--max-slowdown=5%").manifest("[]").run()
    #expect(limit.errors == "appboot: error: --max-slowdown needs --baseline or --against\n")
  }

  @Test("A check ends with 4 if a launch leaves a manifest with fewer steps for the next one")
  func changedManifest() throws {
    let steps = [Entry.shell("cp new commands.json", id: "a"), Entry.shell("true", id: "b")]
    let new = #"{ "version": 1, "name": "Test", "commands": [\#(Entry.shell("true", id: "a"))] }"#
    let result = try ToolProcess("check", "--runs=2", "--format=json")
      .manifest("[\(steps.joined(separator: ", "))]").file("new", new).run()
    #expect(result.status == 4)
    #expect(result.errors.contains("the manifest changed during the check; check again"))
    #expect(result.output.isEmpty)
  }

  @Test("In GitHub Actions the JSON is alone on standard output, and annotations go to standard error")
  func gitHub() throws {
    let result = try ToolProcess("check", "--runs=1", "--format=json").environment("GITHUB_ACTIONS", "true")
      .manifest("[\(Entry.shell("exit 1", id: "a"))]").run()
    #expect(result.status == 1)
    #expect(try result.json()["verdict"]?.string == "failed")
    #expect(result.errors.contains("::error file=commands.json,line=2,"))
  }
}
