import AppBoot
import AppBootLibC
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The history subcommand", .ownThread)
struct HistoryTests {
  private let commands = "[\(Entry.shell("true", id: "a")), \(Entry.shell("true", id: "b"))]"

  private func history(_ tool: ToolProcess) -> String { tool.directory.file(".appboot/history.jsonl") }

  private func lines(_ tool: ToolProcess) throws -> [String] {
    let text = String(decoding: try FileSystem.readFile(history(tool)), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// Runs the manifest once. Then replaces its history by launches of the same plan with these durations.
  private func plant(_ times: [Int64], in tool: ToolProcess) throws {
    #expect(try tool.with("run").run().status == 0)
    let lines = try lines(tool)
    let duration = try #require(lines[1].firstMatch(of: /"duration":[0-9]+/)?.output)
    let stamp = try #require(lines[1].firstMatch(of: /"startedAt":"[^"]*"/)?.output)
    let launches = times.enumerated().map { index, time in
      let place = String(1000 + index).dropFirst()
      return lines[1].replacing(duration, with: "\"duration\":\(time)")
        .replacing(stamp, with: "\"startedAt\":\"2020-01-01T00:00:00.\(place)Z\"")
        .replacing(/"count":1\b/, with: "\"count\":\(index + 1)")
    }
    let text = ([lines[0]] + launches).joined(separator: "\n") + "\n"
    try FileSystem.writeFile(atomically: Array(text.utf8), to: history(tool), mode: 0o600)
  }

  @Test("Each recorded launch is added, and history shows it with its labels")
  func recorded() throws {
    let tool = try ToolProcess().manifest(commands)
    for branch in ["main", "fix", "main"] {
      #expect(try tool.with("run", "--label", "branch=\(branch)", "--record", "r.json").run().status == 0)
    }
    let record = String(decoding: try FileSystem.readFile(tool.directory.file("r.json")), as: UTF8.self)
    #expect(record.contains("\"branch\": \"main\""))
    let text = try tool.with("history").run()
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.output.hasPrefix("Test: 3 launches since "))
    #expect(
      text.output.hasSuffix(
        """
        a trend needs 24 launches; 2 so far
        the trend counts the 2 launches of branch main, and not 1 of other branches; --by branch shows each

        """))
    #expect(try tool.with("history", "--last", "2").run().output.contains("\n-2 "))
    #expect(try !tool.with("history", "--last", "2").run().output.contains("\n-3 "))
    let json = try tool.with("history", "--format", "json", "--by", "branch", "--last", "2").run().json()
    #expect(json["launches"]?.elements.count == 2)
    #expect(json["groups"]?.elements.map { $0["value"]?.string } == ["fix", "main"])
    let steps = try tool.with("history", "--step", "b").run().output
    #expect(steps.contains("\nb ") && !steps.contains("\na  "))
    #expect(try tool.with("report").run().output.contains("labels       branch=main\n"))
  }

  @Test("The step that failed the newest launch is named, and not a step whose failure is allowed")
  func failed() throws {
    let optional = Entry.shell("false", id: "optional", #""onFailure": "continue""#)
    let tool = try ToolProcess().manifest("[\(optional), \(Entry.shell("false", id: "required"))]")
    #expect(try tool.with("run").run().status == 1)
    let only = try tool.with("history").run().output
    #expect(only.hasPrefix("Test: 1 launch since ") && only.hasSuffix(": required failed\n"))
    #expect(only.split(separator: "\n").count == 1)
    #expect(try tool.with("run").run().status == 1)
    #expect(try tool.with("history").run().output.contains("the newest 2 launches failed: required; "))
  }

  @Test("A launch that booted, and whose service failed later, is listed with the service")
  func failedLater() throws {
    let web = Entry.service("echo up; exec sleep 1000", id: "web")
    let tool = try ToolProcess().manifest("[\(Entry.shell("true", id: "a")), \(web)]")
    let running = try Staying.again(tool.with("run", "--format", "jsonl"))
    #expect(try tool.with("kill", "web").run().status == 0)
    #expect(try running.finish().status == 1)
    #expect(try tool.with("history").run().output.hasSuffix(": web failed later\n"))
    #expect(try tool.with("run", "--only", "a").run().status == 0)
    let text = try tool.with("history").run().output
    #expect(text.contains("succeeded  web failed later"), "\(text)")
    let json = try tool.with("history", "--format", "json").run().json()
    #expect(json["launches"]?.elements.map { $0["failedLater"]?.string } == ["web", nil])
  }

  @Test(
    "The number of a row selects its launch, whatever else the records have",
    arguments: ["", "commands.json"])
  func numbers(source: String) throws {
    let tool = try ToolProcess().manifest(commands)
    let sources = source.isEmpty ? [] : [source]
    #expect(try tool.with("run", "-q").run().status == 0)
    #expect(try tool.with("run", "-q").run().status == 0)
    let other = #"{ "version": 1, "name": "Other", "commands": [\#(Entry.shell("true", id: "o"))] }"#
    #expect(try tool.file("other.json", other).with("run", "-q", "other.json").run().status == 0)
    #expect(try tool.with("run", "-q", "--shuffle").run().status == 0)
    let crashing = "[\(Entry.shell("kill -9 $PPID", id: "a")), \(Entry.shell("true", id: "b"))]"
    #expect(try tool.manifest(crashing).with("run", "-q").start().end() == .signalled(Signals.kill))
    let json = try tool.with("history", "--format", "json").with(sources).run().json()
    let starts = json["launches"]?.elements.map { $0["startedAt"]?.string } ?? []
    // The crashed and the shuffled launch have the numbers before, and so has the other manifest's if none is named.
    let first = source.isEmpty ? 4 : 3
    let rows = try tool.with("history").with(sources).run().output.split(separator: "\n")[1...2]
    #expect(starts.count == 2)
    for (index, row) in rows.enumerated() {
      #expect(row.hasPrefix("-\(first + index)  "), "\(row)")
      let report = try tool.with("report", "-\(first + index)", "--format", "json").with(sources).run()
      #expect(try report.json()["startedAt"]?.string == starts[1 - index], "\(report.errors)")
    }
  }

  @Test("Launches without a record, and those of check, are not in the history")
  func unrecorded() throws {
    let tool = try ToolProcess().manifest(commands)
    #expect(try tool.with("run", "--no-journal").run().status == 0)
    #expect(try tool.with("run", "--no-state").run().status == 0)
    #expect(try tool.with("check", "--runs", "1", "--label", "a=b", "--record", "r.jsonl").run().status == 0)
    #expect(!FileSystem.exists(history(tool)))
    let records = String(decoding: try FileSystem.readFile(tool.directory.file("r.jsonl")), as: UTF8.self)
    #expect(records.contains(#""labels":{"a":"b"}"#))
    let result = try tool.with("history").run()
    #expect(result.status == 4)
    #expect(result.errors.contains("there is no history in"))
  }

  @Test("The manifest limits the history")
  func limits() throws {
    let tool = try ToolProcess().manifest(commands, members: #""history": { "keep": 1 }"#)
    for _ in 0..<13 { #expect(try tool.with("run", "-q").run().status == 0) }
    #expect(try lines(tool).count { $0.hasPrefix(#"{"startedAt"#) } == 2)
    let wrong = try ToolProcess("validate").manifest(commands, members: #""history": { "keep": 0, "x": 1 }"#)
      .run()
    #expect(wrong.status == 3)
    #expect(wrong.output.contains(#""history.keep" must be a whole number from 1 to 1000, not 0"#))
    #expect(wrong.output.contains(#"unknown key "x" in "history""#))
  }

  @Test("A history that cannot be written is a warning")
  func unwritable() throws {
    let tool = try ToolProcess().manifest(commands)
    #expect(try tool.with("run").run().status == 0)
    try FileSystem.remove(history(tool))
    try FileSystem.createDirectory(history(tool), mode: 0o700)
    let result = try tool.with("run").run()
    #expect(result.status == 0)
    #expect(result.errors.contains("warning: this launch is not in the history: cannot open"))
  }

  @Test("An invalid label is a usage error")
  func invalidLabel() throws {
    let result = try ToolProcess("run", "--label", "main").manifest(commands).run()
    #expect(result.status == 2)
    #expect(result.errors.contains(#"--label needs NAME=VALUE, not "main": it has no "=""#))
  }

  @Test("The page of a history in a file leads to the page of each launch, with the output of its steps")
  func reports() throws {
    let tool = try ToolProcess("history", "--format", "html", "-o", "h.html")
      .manifest("[\(Entry.shell("seq 30; echo the end", id: "web"))]")
      .script(
        #""$0" run -q >/dev/null; "$0" run -q >/dev/null; "$0" "$@"; ls h-launches | wc -l; cat h.html h-launches/*"#
      )
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("2\n") || result.output.hasPrefix(" "))
    #expect(result.output.matches(of: /<th scope="row"><a href="h-launches\/[0-9TZ.]+html">/).count == 2)
    #expect(result.output.contains(#""output":"1\n2\n3\n"#))
    #expect(result.output.contains("`appboot logs web` shows it in a terminal."))
    #expect(result.output.matches(of: /`appboot logs --launch [0-9TZ.]+-\S* web`/).count > 0)
  }

  @Test("A slow-down is named, and --exit-code exits with 5")
  func slower() throws {
    let tool = try ToolProcess().manifest(commands)
    try plant((0..<100).map { 100_000_000 + $0 * 37 % 101 * 10_000 + ($0 < 70 ? 0 : 20_000_000) }, in: tool)
    let text = try tool.with("history", "--exit-code").run()
    #expect(text.status == 5)
    #expect(text.output.contains("slower since 2020-01-01 00:00:00: 100 ms before, 120 ms after"))
    #expect(try tool.with("history").run().status == 0)
    let page = try tool.with("history", "--format", "html").run()
    #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.contains("Slower since 2020-01-01"))
    #expect(page.output.contains("100 ms before, 120 ms after"))
  }

  @Test("A damaged line is a warning with its file")
  func damaged() throws {
    let tool = try ToolProcess().manifest(commands)
    #expect(try tool.with("run").run().status == 0)
    let text = try lines(tool).joined(separator: "\n") + "\n{\n"
    try FileSystem.writeFile(atomically: Array(text.utf8), to: history(tool), mode: 0o600)
    let result = try tool.with("history").run()
    #expect(result.status == 0)
    #expect(
      result.errors.contains(
        "history.jsonl: line 3 is damaged and was skipped: delete it to end this warning"))
  }

  @Test("Launches of a newer version are a warning that says what to do")
  func newer() throws {
    let tool = try ToolProcess().manifest(commands)
    #expect(try tool.with("run").run().status == 0)
    let newer = try lines(tool).map {
      $0.replacing(/"version":1\b/, with: "\"version\":2").replacing(
        /"plan":"[0-9a-f]*"/, with: "\"plan\":\"a\"")
    }
    let text = try (lines(tool) + newer).joined(separator: "\n") + "\n"
    try FileSystem.writeFile(atomically: Array(text.utf8), to: history(tool), mode: 0o600)
    let result = try tool.with("history").run()
    #expect(result.output.hasPrefix("Test: 1 launch since "))
    #expect(
      result.errors.contains(
        "history.jsonl: 1 launch is of a newer version and not shown: update appboot to see all"))
  }

  @Test("A directory of records has a summary of all launches, and one warning about all other files")
  func records() throws {
    let tool = try ToolProcess().manifest(commands)
    try FileSystem.createDirectory(tool.directory.file("records"))
    for version in ["1", "2", "2"] {
      #expect(
        try tool.with("run", "--label", "version=\(version)", "--record", "records/").run().status == 0)
    }
    let damaged = try tool.file("records/0.json", "{}").file("records/1.json", "{\"format\":")
      .file("records/2.json", "").file("records/notes.txt", "x")
    try FileSystem.createDirectory(tool.directory.file("records/3.json"))
    #expect(symlink("nowhere", tool.directory.file("records/4.json")) == 0)
    let text = try damaged.with("history", "records", "--by", "version").run()
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("Test: 3 launches since ") && text.output.contains("\nall launches:\n"))
    #expect(
      text.errors
        == "appboot: warning: records/0.json is not a launch's record; skipping it and 4 other files\n")
    let json = try damaged.with("history", "records", "--last", "2", "--format", "json").run().json()
    #expect(json["launches"]?.elements.count == 2)
    #expect(try json["summary"]?["launches"]?.integer(as: Int.self) == 2)
    #expect(json["summary"]?["steps"]?.elements.count == 2)
    #expect(try damaged.with("history", "records", "--step", "c").run().status == 2)
    let input = try damaged.with("history", "records", "-o", "records/2.json").run()
    #expect(input.status == 2 && input.errors.contains("--output names a file in a directory of records"))
  }

  @Test("A directory without records is an error whose help lists the possible sources")
  func noRecords() throws {
    let tool = try ToolProcess().manifest(commands)
    try FileSystem.createDirectory(tool.directory.file("records"))
    let empty = try tool.with("history", "records").run()
    #expect(empty.status == 4)
    #expect(
      empty.errors.contains("there is no history in") && empty.errors.contains("or a directory of records"))
    let other = try tool.file("records/0.json", "{}").with("history", "records").run()
    #expect(other.status == 4)
    #expect(other.errors.contains("there is no record in \"records\""))
  }

  @Test("A label that no launch has is an error that names the labels")
  func unknownLabel() throws {
    let tool = try ToolProcess().manifest(commands)
    #expect(try tool.with("run").run().status == 0)
    let none = try tool.with("history", "--by", "branch").run()
    #expect(none.status == 2)
    #expect(none.errors.contains("no launch in the history has the label \"branch\""))
    #expect(none.errors.contains("no launch has a label: add one with `appboot run --label branch=VALUE`"))
    #expect(try tool.with("run", "--label", "branch=main", "--label", "host=a").run().status == 0)
    let other = try tool.with("history", "--by", "brnch").run()
    #expect(other.errors.contains("did you mean branch? the labels are branch, host"))
  }

  @Test("An unknown step, and a directory with several histories, are errors")
  func sources() throws {
    let tool = try ToolProcess().manifest(commands)
    #expect(try tool.with("run").run().status == 0)
    let unknown = try tool.with("history", "--step", "c").run()
    #expect(unknown.status == 2)
    #expect(try tool.with("history", ".appboot").run().status == 0)
    #expect(try tool.with("history", ".").run().status == 0)
    _ = try tool.file("ci.json", #"{ "version": 1, "commands": \#(commands) }"#)
    #expect(try tool.with("run", "ci.json").run().status == 0)
    let several = try tool.with("history", ".appboot").run()
    #expect(several.status == 4)
    #expect(several.errors.contains("history.jsonl, history.jsonl-ci.json"))
    #expect(try tool.with("history", "ci.json").run().status == 0)
  }

  @Test("At the end, run and report compare the launch with those before it")
  func difference() throws {
    let tool = try ToolProcess().manifest("[\(Entry.shell("sleep 0.05", id: "wait"))]")
    try plant([Int64](repeating: 1_000_000, count: 20), in: tool)
    let slow = try tool.with("run").run()
    #expect(slow.output.contains(" slower than the last 20"))
    #expect(try tool.with("report").run().output.contains(" slower than the last 20"))
    for format in ["markdown", "html"] {
      #expect(try tool.with("report", "--format", format).run().output.contains(" slower than the last 20"))
    }
    let records = tool.directory.file(".appboot/records")
    let stored = FileSystem.join(records, try #require(try FileSystem.list(records).first))
    #expect(try tool.with("report", stored).run().output.contains(" slower than the last 20"))
    try plant([Int64](repeating: 900_000_000_000, count: 20), in: tool)
    #expect(try tool.with("run").run().output.contains(" faster than the last 20"))
    #expect(try !tool.with("run", "--no-journal").run().output.contains("than the last"))
    try plant([Int64](repeating: 1_000_000, count: 7), in: tool)
    #expect(try !tool.with("run").run().output.contains("than the last"))
  }
}
