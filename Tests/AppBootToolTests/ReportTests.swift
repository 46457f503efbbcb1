import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The report subcommand", .ownThread)
struct ReportTests {
  private let manifest =
    "[\(Entry.shell("true", id: "a")), \(Entry.shell("exit 3", id: "b", #""onFailure": "continue""#))]"

  /// Runs the manifest, and reports its record.
  private func report(_ arguments: String...) throws -> ToolResult {
    try ToolProcess("report").with(arguments).manifest(manifest)
      .script(#""$0" run -q --no-state --record r.json 2>/dev/null; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
      .run()
  }

  @Test("The default format of report is text")
  func text() throws {
    let result = try report("r.json")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.contains("✓ a") && result.output.contains("Test booted in"))
  }

  @Test(
    "report prints every format",
    arguments: [
      ("json", "{\n"), ("markdown", "### ⚠️ "), ("junit", "<?xml"),
      ("github", "::warning file=commands.json,line="),
      ("trace", "{\"traceEvents\":["), ("svg", "<svg"), ("html", "<!DOCTYPE html>"),
      ("otlp", "{\"resourceSpans\":["),
    ])
  func forms(format: String, start: String) throws {
    let result = try report("--format", format, "r.json")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.hasPrefix(start), "\(result.output.prefix(80))")
    #expect(result.output.hasSuffix("\n"))
  }

  @Test(
    "report --open writes a page to a private file, and starts the desktop's program with it",
    .enabled(if: !ProgramSearch.isPrivileged))
  func open() throws {
    let tool = try ToolProcess("report", "--open", "r.json").manifest(manifest).script(
      #"""
      "$0" run -q --no-state --record r.json 2>/dev/null; mkdir bin; mkfifo shown
      printf '#!/bin/sh\nhead -c 15 "$1" >shown\n' >bin/xdg-open; chmod +x bin/xdg-open; cp bin/xdg-open bin/open
      PATH="$PWD/bin:$PATH" TMPDIR="$PWD" "$0" "$@" 2>"$APPBOOT_TEST_ERRORS"; cat shown; echo
      ls -l appboot-page.*/page.html | wc -l; stat -c %a appboot-page.* 2>/dev/null || stat -f %Lp appboot-page.*
      """#)
    let result = try tool.run()
    #expect(result.output.split(whereSeparator: \.isWhitespace) == ["<!DOCTYPE", "html>", "1", "700"])
    #expect(result.errors.hasPrefix("appboot: the page is "))
  }

  @Test("report --open needs the format html and the desktop's program")
  func openRefused() throws {
    let format = try ToolProcess("report", "--open", "--format", "svg", "r.json").run()
    #expect(format.status == 2 && format.errors.contains("--open needs --format html"))
    let missing = try report("--open", "r.json", "--output", "o.html")
    guard missing.status != 0 else { return }
    #expect(missing.status == 4 && missing.errors.contains("--open: \"xdg-open\" cannot be started"))
  }

  @Test("report reads standard input, and writes to a file")
  func pipes() throws {
    let result = try ToolProcess().manifest(manifest).script(
      #"""
      "$0" run --no-state --format json 2>/dev/null | "$0" report - -o out.md --format markdown
      echo "status $?"; head -c 3 out.md
      """#
    ).run()
    #expect(result.output == "status 0\n###")
  }

  @Test("report shows the newest launch of the state directory by default")
  func newest() throws {
    let result = try ToolProcess("report", "--format=json").manifest(manifest)
      .script(#""$0" run -q 2>/dev/null; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(try result.json()["name"]?.string == "Test")
  }

  @Test("report of a directory skips a pipe, and does not wait for its writer")
  func pipe() throws {
    let tool = try ToolProcess("report", "records").manifest(manifest).script(
      #"""
      "$0" run -q --no-state --record r.json 2>/dev/null; mkdir records; mv r.json records; mkfifo records/z.json
      exec timeout 60 "$0" "$@" 2>"$APPBOOT_TEST_ERRORS"
      """#)
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.errors.contains("records/z.json is not a file; skipping it"))
  }

  @Test(
    "report finds a launch by a directory with a state directory, and by one of several manifests",
    arguments: [".", "commands.json"])
  func stateSource(source: String) throws {
    let result = try ToolProcess("report", source, "--format=json").manifest(manifest)
      .script(
        #"""
        "$0" run -q 2>/dev/null; echo '{"version": 1, "name": "Other", "commands": [{"command": "Say", "with": {"text": "x"}}]}' >other.json
        "$0" run -q other.json >/dev/null || exit 9
        [ "$1 $2" = "report ." ] && rm -r .appboot && "$0" run -q 2>/dev/null
        exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS"
        """#
      ).run()
    #expect(result.status == 0, "\(result.errors)")
    #expect(try result.json()["name"]?.string == "Test")
  }

  @Test("report finds the state directory by --state, and rejects both --state and a record")
  func stateDirectory() throws {
    let result = try ToolProcess("report", "--format=json", "--state", "s").manifest(manifest)
      .script(#""$0" run -q --state s 2>/dev/null; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(try result.json()["name"]?.string == "Test")
    let both = try ToolProcess("report", "r.json", "--state", "s").run()
    #expect(both.status == 2 && both.errors.contains("SOURCE and --state cannot be used together"))
  }

  @Test("report shows a last launch that crashed, and names its step")
  func dead() throws {
    let tool = try ToolProcess("run", "-q").manifest(manifest)
    #expect(try tool.run().status == 0)
    let crashed = try tool.manifest(
      "[\(Entry.shell("true", id: "a")), \(Entry.shell(Crash.script(ofStep: "b"), id: "b"))]")
    #expect(try crashed.start().end() == .signalled(Signals.kill))
    let state = tool.directory.file(".appboot")
    let report = try ToolProcess("report", state, "--format", "json").run()
    #expect(report.status == 0)
    #expect(report.errors == "appboot: showing the last launch, whose process crashed in \"b\"\n")
    #expect(try report.json()["outcome"]?.string == "running")
    _ = try tool.file(".appboot/journal.jsonl", "garbage\n")
    let other = try ToolProcess("report", state, "--format", "json").run()
    #expect(other.status == 0)
    let words = ".appboot/journal.jsonl:1:1 cannot be read; skipping it: this is not a launch's record"
    #expect(other.errors.contains(words), "\(other.errors)")
    #expect(try other.json()["outcome"]?.string == "succeeded")
    _ = try tool.file(
      ".appboot/journal.jsonl", record(version: 9).replacing("appboot-record", with: "appboot-journal") + "\n"
    )
    let newer = try ToolProcess("report", state, "--format", "json").run()
    #expect(newer.errors.contains("skipping it: "))
    #expect(newer.errors.contains("and this tool reads versions up to 1: use a newer tool\n"))
  }

  @Test("report names the damaged lines of a crashed launch's journal")
  func damagedJournal() throws {
    let crash = Crash.script(ofStep: "b")
    let tool = try ToolProcess("run", "-q").manifest("[\(Entry.shell(crash, id: "b"))]")
    #expect(try tool.start().end() == .signalled(Signals.kill))
    let state = tool.directory.file(".appboot")
    let journal = try FileSystem.readFile(tool.directory.file(".appboot/journal.jsonl"))
    let count = journal.count { $0 == UInt8(ascii: "\n") }
    _ = try tool.file(".appboot/journal.jsonl", bytes: journal + Array("one\ntwo\n".utf8))
    let report = try ToolProcess("report", state, "--format", "json").run()
    #expect(report.status == 0)
    #expect(
      report.errors.contains("journal.jsonl is damaged; skipping line \(count + 1): not JSON: "))
    #expect(report.errors.contains(", and 1 more\n"))
    #expect(report.errors.contains("whose process crashed in \"b\"\n"))
  }

  @Test("report shows a last launch whose record could not be stored, and calls it no crash")
  func unstored() throws {
    let tool = try ToolProcess("report", "--format", "json").manifest(manifest)
      .script(
        #"""
        mkdir .appboot; : >.appboot/records
        "$0" run -q 2>/dev/null; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS"
        """#)
    let result = try tool.run()
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(try result.json()["outcome"]?.string == "succeeded")
  }

  @Test("report shows the last recorded launch even if the clock was set back")
  func newestAgainstTheClock() throws {
    let tool = try ToolProcess("report", "s", "--format", "json")
    try FileSystem.createDirectory(tool.directory.file("s/records"), parents: true)
    func launch(_ name: String, _ startedAt: String) -> String {
      record(name: name).replacing(#""startedAt":"5""#, with: #""startedAt":"\#(startedAt)""#)
    }
    let early = try tool.file(
      "s/records/20260101T000000.000Z-1.jsonl", launch("first", "2026-01-01T00:00:00.000Z")
    )
    .file("s/records/20260101T000000.000Z.00000001-2.jsonl", launch("last", "1970-01-01T00:00:09.000Z"))
    #expect(try early.run().json()["name"]?.string == "last")
    let mine = try early.file("s/records/mine.json", launch("mine", "1970-01-01T00:00:10.000Z"))
    #expect(try mine.run().json()["name"]?.string == "mine")
    let foreign = try early.file("s/records/20270101T000000.000Z-3.jsonl", "{}\n").run()
    #expect(try foreign.json()["name"]?.string == "mine")
    #expect(foreign.errors.contains("is not a launch's record; skipping it"))
  }

  @Test("report and status skip damaged records of a directory, and name each with the damage")
  func damagedNewest() throws {
    let tool = try ToolProcess()
    try FileSystem.createDirectory(tool.directory.file("s/records"), parents: true)
    let damaged = try tool.file("s/records/20260101T000000.000Z-1.jsonl", record(name: "first"))
      .file("s/records/20260102T000000.000Z-2.jsonl", record().replacing("succeeded", with: "gone"))
      .file("s/records/20260103T000000.000Z-3.jsonl", "{\"format\":")
    let warnings = """
      appboot: warning: s/records/20260103T000000.000Z-3.jsonl:1:11 cannot be read: not JSON: the text ends inside \
      an object; skipping it
      appboot: warning: s/records/20260102T000000.000Z-2.jsonl:1:77 cannot be read: damaged record: there is no \
      outcome "gone"; skipping it

      """
    let report = try damaged.with("report", "s", "--format", "json").run()
    #expect(report.status == 0 && report.errors == warnings, "\(report.errors)")
    #expect(try report.json()["name"]?.string == "first")
    let status = try damaged.with("status", "s").run()
    #expect(status.errors == warnings && status.output.contains("\nfirst booted in "))
    let compared = try damaged.with("compare", "s", "s").run()
    let words =
      "-2.jsonl:1:77 cannot be read: damaged record: there is no outcome \"gone\"; skipping it and 1 other file"
    #expect(compared.errors.contains(words), "\(compared.errors)")
    try FileSystem.remove(tool.directory.file("s/records/20260101T000000.000Z-1.jsonl"))
    let none = try damaged.with("report", "s").run()
    #expect(none.status == 4)
    #expect(none.errors.contains(#"there is no record in "s""#) && none.errors.hasPrefix(warnings))
  }

  @Test("report shows the launch of median duration from a file of several records")
  func several() throws {
    let result = try ToolProcess("report", "r.jsonl", "--format", "json")
      .file(
        "r.jsonl", [30, 10, 20].map { record(name: "of \($0)", duration: $0) }.joined(separator: "\n") + "\n"
      )
      .run()
    #expect(result.status == 0)
    #expect(try result.json()["name"]?.string == "of 20")
    #expect(result.errors == "appboot: 3 records; showing number 3, of median duration\n")
  }

  private func record(name: String = "x", version: Int = 1, duration: Int = 5) -> String {
    #"{"format":"appboot-record","version":\#(version),"name":"\#(name)","startedAt":"\#(duration)","#
      + #""outcome":"succeeded","duration":\#(duration),"steps":[]}"#
  }

  @Test("report exits with 3 for a file that is not a record")
  func noRecord() throws {
    let text = try ToolProcess("report", "a.txt").file("a.txt", "hello\n").run()
    #expect(text.status == 3 && text.output.isEmpty)
    #expect(text.errors.hasPrefix("a.txt:1:1: error: this is not a launch's record, which is JSON\n"))
    let empty = try ToolProcess("report", "e.jsonl").file("e.jsonl", "").run()
    #expect(empty.status == 3)
    #expect(empty.errors.hasPrefix("e.jsonl:1:1: error: this is not a launch's record, which is JSON\n"))
    let other = try ToolProcess("report", "other.json").file("other.json", "{}").run()
    #expect(
      other.status == 3 && other.errors.contains("other.json is not a launch's record"), "\(other.errors)")
    let manifest = try ToolProcess("report", "commands.json").manifest(manifest).run()
    #expect(manifest.status == 4)
    #expect(manifest.errors.contains("there is no record"), "\(manifest.errors)")
    let newer = try ToolProcess("report", "n.json").file("n.json", record(version: 9)).run()
    #expect(newer.status == 3)
    #expect(
      newer.errors.contains(
        "is a record of version 9, and this tool reads versions up to 1: use a newer tool"))
  }

  @Test("report names the line of a record that was cut off, and does not advise how to write JSON")
  func cutOff() throws {
    let lines = "\(record())\n\(record().dropLast(30))"
    let result = try ToolProcess("report", "r.jsonl").file("r.jsonl", lines).run()
    #expect(result.status == 3)
    #expect(result.errors.hasPrefix("r.jsonl:2:"))
    #expect(
      result.errors.hasSuffix(
        "help: a record that was cut off cannot be read: remove the file, or this line if each is a record\n"
      ))
  }

  @Test("report names the damaged line in a file of several records")
  func damaged() throws {
    let bad = record().replacing("succeeded", with: "gone")
    let result = try ToolProcess("report", "r.jsonl").file("r.jsonl", "\(record())\n\(bad)\n").run()
    #expect(result.status == 3)
    #expect(result.errors.hasPrefix(#"r.jsonl:2:77: error: damaged record: there is no outcome "gone""#))
  }

  @Test("report exits with 4 if a file cannot be read or written")
  func unreadable() throws {
    let missing = try ToolProcess("report", "r.json").run()
    #expect(missing.status == 4)
    #expect(missing.errors.contains(#"cannot open "r.json""#), "\(missing.errors)")
    let empty = try ToolProcess("report", ".").run()
    #expect(empty.status == 4 && empty.errors.contains(#"there is no record in ".""#))
    let output = try ToolProcess("report", "r.json", "-o", "no/such/x").file("r.json", record()).run()
    #expect(output.status == 4 && output.errors.contains("no/such/x"))
    let nothing = try ToolProcess("report").run()
    #expect(nothing.status == 4 && nothing.errors.contains(#"there is no record in "./.appboot""#))
    #expect(nothing.errors.contains("select that with --state DIR\n"))
  }

  @Test(
    "No result replaces a manifest",
    arguments: [["report", "r.json"], ["history"], ["compare", "r.json", "r.json"]])
  func manifestAsResult(arguments: [String]) throws {
    let tool = try ToolProcess().with(arguments + ["--format", "html", "-o", "commands.json"])
      .file("commands.json", #"{"commands":[{"command":"RunProcess","with":{"arguments":["true"]}}]}"#)
      .script(#""$0" run -q --record r.json 2>/dev/null; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    let before = try FileSystem.readFile(tool.directory.file("commands.json"))
    let result = try tool.run()
    #expect(result.status == 2)
    let words = "--output names a manifest or an environment file, which it would replace: use another file"
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(try FileSystem.readFile(tool.directory.file("commands.json")) == before)
  }

  @Test(
    "No result replaces a file that a launch reads",
    arguments: ["# the port\nPORT=8080\n", #"{ "secrets": ["TOKEN"] }"#, #"{ "defaults": {}, "on": {} }"#])
  func inputAsResult(text: String) throws {
    let tool = try ToolProcess("report", "r.json", "-o", "input").file("r.json", record()).file("input", text)
    let result = try tool.run()
    #expect(result.status == 2)
    #expect(result.errors.contains("names a manifest or an environment file"), "\(result.errors)")
    #expect(try FileSystem.readFile(tool.directory.file("input")) == Array(text.utf8))
  }

  @Test(
    "A result replaces an older one of its format",
    arguments: ["text", "html", "json", "markdown", "junit", "svg"])
  func olderResult(format: String) throws {
    let tool = try ToolProcess("report", "r.json", "--format", format, "-o", "result").file(
      "r.json", record())
    let path = tool.directory.file("result")
    #expect(try tool.run().status == 0)
    let first = try FileSystem.readFile(path)
    try FileSystem.writeFile(atomically: first + Array("\n".utf8), to: path)
    let result = try tool.run()
    #expect(result.status == 0, "\(result.errors)")
    #expect(try FileSystem.readFile(path) == first)
  }
}
