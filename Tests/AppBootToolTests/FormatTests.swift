import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Formats and streams", .ownThread)
struct FormatTests {
  private let good = "[\(Entry.shell("true", id: "a")), \(Entry.shell("true", id: "b"))]"

  @Test("A limit on file sizes and a closed stream are errors, not signals")
  func limits() throws {
    let limit = #"head -c 4096 /dev/zero >"$APPBOOT_TEST_ERRORS"; ulimit -f 0; exec "$0" "$@" 2>&1"#
    let limited = try ToolProcess("run", "--quiet", "--no-state", "--record=r", "--junit=j")
      .manifest("[]").script(limit).run()
    #expect(limited.status == 4)
    #expect(limited.output.contains("file too large"))
    let closed = try ToolProcess("version")
      .script(#"exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS" <&- >&-"#).run()
    #expect(closed.status == 4)
    #expect(closed.errors.contains("cannot write to standard output: bad file descriptor"))
  }

  @Test("run --format json prints the record and nothing else")
  func record() throws {
    let result = try ToolProcess("run", "--format", "json").manifest(good).run()
    #expect(result.status == 0 && result.errors.isEmpty)
    let root = try result.json()
    #expect(root["outcome"]?.string == "succeeded")
    #expect(root["steps"]?.elements.count == 2)
  }

  @Test("run --format json writes the reason of a failure to standard error")
  func failedRecord() throws {
    let result = try ToolProcess("run", "--format=json").manifest("[\(Entry.shell("exit 1", id: "a"))]")
      .run()
    #expect(result.status == 1)
    #expect(try result.json()["outcome"]?.string == "failed")
    #expect(result.errors.hasPrefix("appboot: Test did not boot: a failed at"))
  }

  @Test("run --format jsonl prints one event a line")
  func events() throws {
    let result = try ToolProcess("run", "--format", "jsonl").manifest(good).run()
    let lines = try result.jsonLines()
    #expect(lines.first?["kind"]?.string == "launchStarted")
    #expect(lines.last?["kind"]?.string == "launchEnded")
  }

  @Test("The first event has the wall time of the start, and the times of all others count from it")
  func oneClock() throws {
    let screen = #"{ "command": "InitialScreen", "with": { "default": "Home" } }"#
    let lists = #"{ "didShowFirstScreen": [\#(Entry.shell("true", id: "later"))] }"#
    let result = try ToolProcess("run", "--format", "jsonl", "--record", "r.json")
      .manifest("[\(screen)]", members: #""name": "Test", "on": \#(lists)"#)
    let lines = try result.run().jsonLines()
    let record = try RecordArchive.read(result.directory.file("r.json")).record
    #expect(lines.first?["startedAt"]?.string == record.startedAt)
    #expect(lines.dropFirst().allSatisfy { $0["startedAt"] == nil })
    let times = try lines.map { try #require($0["at"]).integer(as: Int64.self) }
    #expect(times == times.sorted())
    let starts = lines.indices.filter { lines[$0]["kind"]?.string == "launchStarted" }
    let handlers = try #require(starts.dropFirst().first)
    #expect(lines[handlers]["name"]?.string == "didShowFirstScreen")
    #expect(lines[handlers]["event"]?.string == "didShowFirstScreen" && lines.first?["event"] == nil)
    #expect(times[handlers] >= record.elapsedTime)
  }

  @Test("commands and schema print JSON")
  func catalogue() throws {
    let commands = try ToolProcess("commands", "--format", "json").run().json()
    #expect(commands["commands"]?.elements.contains { $0["name"]?.string == "RunProcess" } == true)
    #expect(try ToolProcess("schema").run().json()["$schema"] != nil)
    #expect(try ToolProcess("commands", "RunProcess").run().output.contains("arguments"))
    #expect(try ToolProcess("commands", "--format", "markdown").run().output.hasPrefix("# Commands\n"))
  }

  @Test("A pipe gets colours with --color always, and with FORCE_COLOR unless NO_COLOR is set")
  func colors() throws {
    #expect(try !ToolProcess("run").manifest(good).run().output.contains("\u{1B}"))
    let always = try ToolProcess("run", "--color", "always").environment("NO_COLOR", "1").manifest(good)
      .run()
    #expect(always.output.contains("\u{1B}[32m✓"))
    let forced = try ToolProcess("run").environment("FORCE_COLOR", "1").manifest(good)
    #expect(try forced.run().output.contains("\u{1B}[32m✓"))
    #expect(try !forced.environment("NO_COLOR", "1").run().output.contains("\u{1B}"))
  }

  @Test("Output is ASCII if the locale is not UTF-8")
  func ascii() throws {
    let result = try ToolProcess("run").environment("LC_ALL", "C").manifest(good).run()
    #expect(result.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(result.output.hasPrefix("ok   a "))
  }

  @Test("Rows are at most as wide as COLUMNS", arguments: [60, 200])
  func widths(columns: Int) throws {
    let script = "echo \(String(repeating: "x", count: 300)) >&2; exit 1"
    let long = Entry.shell(script, id: "日本語の長い名前を持つステップ")
    let result = try ToolProcess("run").environment("COLUMNS", "\(columns)").manifest("[\(long)]").run()
    let rows = result.output.split(separator: "\n").prefix { !$0.contains("error:") }
    #expect(rows.allSatisfy { DisplayWidth.of(String($0)) <= columns })
  }

  @Test("A reader that closes the pipe causes no error")
  func closedPipe() throws {
    let entries = (0..<3000).map { Entry.shell("true", id: "step-\($0)") }.joined(separator: ", ")
    let result = try ToolProcess("list").manifest("[\(entries)]")
      .script(#"{ "$0" "$@" 2>"$APPBOOT_TEST_ERRORS"; echo "$?" >status; } | head -1; cat status"#).run()
    #expect(result.output.hasSuffix("steps\n0\n"))
    #expect(result.errors.isEmpty)
  }

  #if os(Linux)
  @Test(
    "The end of a launch on a full device has one code, in every format",
    arguments: [[], ["-q"], ["-v"], ["--format", "json"], ["--format", "jsonl"]], [true, false])
  func fullDevice(options: [String], succeeds: Bool) throws {
    let step = Entry.shell(succeeds ? "echo x" : "exit 3", id: "a", #""onFailure": "continue""#)
    let screen = #"{ "command": "InitialScreen", "with": { "default": "Home" } }"#
    let last = Entry.shell(succeeds ? "true" : "exit 3", id: "c")
    let handlers = #""name": "T", "on": { "didShowFirstScreen": [\#(Entry.shell("echo y", id: "b"))] }"#
    let result = try ToolProcess("run").with(options).manifest(
      "[\(step), \(screen), \(last)]", members: handlers
    )
    .script(#"exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS" >/dev/full"#).run()
    // A quiet launch prints nothing on standard output.
    let isQuiet = options == ["-q"]
    #expect(result.status == (succeeds ? (isQuiet ? 0 : 4) : 1))
    let message = "appboot: error: cannot write to standard output: no space left on device\n"
    #expect(
      result.errors.split(separator: message, omittingEmptySubsequences: false).count == (isQuiet ? 1 : 2))
  }

  @Test("A full device is an error with code 4")
  func fullDevice() throws {
    let result = try ToolProcess("list").manifest(good)
      .script(#"exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS" >/dev/full"#).run()
    #expect(result.status == 4)
    #expect(
      result.errors.contains("appboot: error: cannot write to standard output: no space left on device"))
  }
  #endif
}
