import AppBoot
import AppBootRecords
import AppBootLibC
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The records of run", .ownThread)
struct RunRecordTests {
  private let good = "[\(Entry.shell("true", id: "a")), \(Entry.shell("true", id: "b"))]"
  private let endless = """
    [\(Entry.shell("true", id: "a")), \(Entry.shell("echo up; sleep 60", id: "slow", #""onFailure": "continue""#))]
    """

  @Test(
    "A launch whose result is a pipe without a reader ends with an error", arguments: ["--record", "--junit"])
  func unreadPipe(option: String) throws {
    let result = try ToolProcess("run", option, "fifo").manifest("[\(Entry.shell("mkfifo fifo", id: "a"))]")
      .run()
    #expect(result.status == 4)
    let words = #"cannot open "fifo": it is a pipe without a reader: start its reader first"#
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test("The state directory gets a record with tool, manifest, machine and CPU time")
  func history() throws {
    let tool = try ToolProcess("run").manifest(good)
    for _ in 0..<2 { #expect(try tool.run().status == 0) }
    let kept = try RecordArchive.list(tool.directory.file(".appboot"))
    #expect(kept.count == 2)
    let record = try RecordArchive.read(try #require(kept.last)).record
    #expect(record.succeeded)
    #expect(record.header.tool?.name == "appboot")
    #expect(record.header.host == .current())
    #expect(record.outline.manifestName == "commands.json")
    let manifest = try FileSystem.readFile(tool.directory.file("commands.json"))
    #expect(record.outline.manifestDigest == "sha256:\(SHA256.hexadecimal(of: manifest))")
    #expect(record.startedAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    #expect(record.allSatisfy { ($0.details.processorTime ?? 0) > 0 })
  }

  @Test("--record and --junit write their files")
  func files() throws {
    let tool = try ToolProcess("run", "--no-state", "--record", "r.json", "--junit", "j.xml").manifest(
      good)
    #expect(try tool.run().status == 0)
    let record = try RecordArchive.read(tool.directory.file("r.json")).record
    #expect(record.header.host == .current())
    #expect(record.outline.manifestDigest?.hasPrefix("sha256:") == true)
    let xml = String(decoding: try FileSystem.readFile(tool.directory.file("j.xml")), as: UTF8.self)
    #expect(xml.contains(#"<testsuites name="Test" tests="2" failures="0""#))
    #expect(!FileSystem.exists(tool.directory.file(".appboot")))
    let refused = try ToolProcess("run", "--junit", "missing/j.xml").manifest(good).run()
    #expect(refused.status == 4)
    #expect(refused.output.isEmpty)
  }

  @Test(
    "A result for /dev/stdout comes once, after the output before it",
    arguments: ["run", "check", "run --then-stop"])
  func standardOutput(subcommand: String) throws {
    let service = #"[{ "id": "web", "command": "RunService", "with": { "arguments": ["sleep", "60"] } }]"#
    let words = subcommand.split(separator: " ").map(String.init)
    let result = try ToolProcess().with(words + ["--no-state", "--record", "/dev/stdout"])
      .manifest(subcommand.contains("stop") ? service : good).run()
    #expect(result.status == 0)
    let start = try #require(result.output.firstRange(of: "{")).lowerBound
    #expect(result.output[..<start].contains("Test booted in") || subcommand == "check")
    #expect(subcommand != "check" || result.output[..<start].contains("check passed"))
    let records = try RecordSets.records(in: SourceText(name: "-", text: String(result.output[start...])))
    #expect(records.count == 1)
  }

  @Test("A result for /dev/stderr follows the output, and one for a closed descriptor prevents the launch")
  func descriptors() throws {
    let merged = try ToolProcess("check", "--runs=1", "--junit=/dev/stderr").manifest(good)
      .script(#"exec "$0" "$@" 2>&1"#).run()
    let verdict = try #require(merged.output.firstRange(of: "check passed"))
    #expect(merged.output.firstRange(of: "<?xml").map { $0.lowerBound > verdict.lowerBound } == true)
    let closed = try ToolProcess("run", "--record=/dev/fd/900").manifest(
      "[\(Entry.shell("touch ran", id: "a"))]")
    #expect(try closed.run().status == 4)
    #expect(!FileSystem.exists(closed.directory.file("ran")))
  }

  @Test("--record with a directory writes each record to a file with a name of its own")
  func directory() throws {
    let tool = try ToolProcess("run", "--no-state", "--record", "records/").manifest(good)
    #expect(try tool.run().status == 4)
    try FileSystem.createDirectory(tool.directory.file("records"), mode: 0o700)
    for _ in 0..<2 { #expect(try tool.run().status == 0) }
    let records = try RecordArchive.list(tool.directory.file("records"))
    #expect(records.count == 2)
    #expect(try RecordArchive.read(try #require(records.first)).record.succeeded)
  }

  @Test(
    "An option with the file of the manifest or of another option is rejected",
    arguments: [
      ["run", "--record", "./commands.json"], ["run", "--junit", "commands.json"],
      ["run", "--record", "out", "--junit", "./out"], ["check", "--record", "commands.json"],
      ["check", "--markdown", "out", "--html", "out"],
      ["check", "--baseline", "commands.json", "--junit", "commands.json"],
      ["report", "out", "--output", "./out"],
    ])
  func sameFile(arguments: [String]) throws {
    let tool = try ToolProcess(arguments[0]).manifest(good).with(Array(arguments.dropFirst()))
    let before = try FileSystem.readFile(tool.directory.file("commands.json"))
    let result = try tool.run()
    #expect(result.status == 2)
    #expect(result.errors.contains("name the same file: use two files"))
    #expect(try FileSystem.readFile(tool.directory.file("commands.json")) == before)
    #expect(!FileSystem.exists(tool.directory.file("out")))
  }

  @Test(
    "No result replaces a record, not even one in a directory that is read",
    arguments: [
      ["compare", "records", "records", "--output"], ["report", "records", "--format", "json", "--output"],
      ["report", "records", "--output"], ["history", "records", "--output"],
      ["check", "--baseline", "records", "--junit"], ["run", "--junit"],
    ])
  func replacedRecord(arguments: [String]) throws {
    let tool = try ToolProcess().manifest(good)
    try FileSystem.createDirectory(tool.directory.file("records"), mode: 0o700)
    #expect(try tool.with("run", "--no-state", "--record", "records/0.json").run().status == 0)
    let before = try FileSystem.readFile(tool.directory.file("records/0.json"))
    let result = try tool.with(arguments + ["./records/0.json"]).run()
    #expect(result.status == 2)
    let isRecord = !arguments.contains("json")
    let words =
      "\(arguments[arguments.count - 1]) names a \(isRecord ? "record" : "file in a directory of records"), "
    #expect(
      result.errors.contains(words + "which it would replace: use another file"), "\(result.errors)")
    #expect(try FileSystem.readFile(tool.directory.file("records/0.json")) == before)
    // A record of a launch replaces an older one.
    #expect(try tool.with("run", "--no-state", "--record", "records/0.json").run().status == 0)
  }

  @Test("The second of two launches at once warns, and runs without saving state")
  func twoAtOnce() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(endless)
    let first = try tool.start()
    #expect(try first.waitForOutput(#""text":"up""#))
    let other = try tool.file("other.json", #"{ "version": 1, "commands": \#(good) }"#)
    let second = try other.with("other.json", "--state", ".appboot").run()
    #expect(second.status == 0)
    let warning = /another launch of commands.json \(pid \d+\) is using .appboot; continuing/
    #expect(second.errors.contains(warning))
    #expect(second.errors.contains("state: give each manifest its own directory, with --state DIR\n"))
    first.signal(Signals.terminate)
    _ = try first.finish()
    #expect(try RecordArchive.list(tool.directory.file(".appboot")).count == 1)
  }

  @Test("A launch saves nothing in a state directory that other users may write to, and warns once")
  func writableByOthers() throws {
    let tool = try ToolProcess("run").manifest(
      "[\(Entry.shell("echo hello", id: "a")), \"RegisterRemoteNotifications\"]")
    let state = tool.directory.file(".appboot")
    try FileSystem.createDirectory(state)
    try FileSystem.setPermissions(state, to: 0o777)
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.errors.split(separator: "\n").filter { $0.contains("warning") }.count == 1)
    #expect(
      result.errors.contains(
        "continuing without recording this launch: cannot use \"./.appboot\": other users may write to it: run "
          + "`chmod go-w` on it, or use another directory"))
    #expect(try FileSystem.list(state) == [])
  }

  @Test("A launch beside another uses the same token")
  func oneToken() throws {
    let entry = #"{ "command": "RegisterRemoteNotifications" }"#
    let wait = Entry.shell("echo up; read x < go", id: "wait")
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(wait), \(entry)]")
      .script(#"[ -e go ] || mkfifo go; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    let first = try tool.start()
    #expect(try first.waitForOutput(#""text":"up""#))
    let second = try tool.file("other.json", #"{ "version": 1, "commands": [\#(entry)] }"#).with("other.json")
      .run()
    let token = try FileSystem.readFile(tool.directory.file(".appboot/device-token"))
    let words = "token \(String(decoding: token.prefix(8), as: UTF8.self))…"
    #expect(second.output.contains(words))
    try AppendFile(tool.directory.file("go")).append([10])
    #expect(try first.finish().output.contains(words))
  }

  /// Returns the markers of two crashes of a step in the state directory with an origin.
  private func crashes(in step: String, origin: String?) -> [UInt8] {
    let lines = ["10", "11"].map {
      #"{"startedAt":"2026-01-01T00:00:\#($0).000Z","process":7,"origin":"\#(origin ?? "")","running":["\#(step)"]}"#
        + "\n"
    }
    return Array(lines.joined().utf8)
  }

  @Test("Crashes of another directory change nothing: a launch warns, and runs every step")
  func plantedCrashes() throws {
    let tool = try ToolProcess("run").manifest(
      "[\(Entry.shell("true", id: "scan", #""onFailure": "continue""#)), \(Entry.shell("true", id: "b"))]")
    let state = tool.directory.file(".appboot")
    try DirectoryStateStore(path: state).prepare()
    let file = FileSystem.join(state, "journal.crashed")
    for origin in [nil, "1-1", FileSystem.origin(of: tool.directory.path)] {
      try FileSystem.writeFile(atomically: crashes(in: "scan", origin: origin), to: file)
      #expect(GuardState.reading(state) == GuardState())
      let result = try tool.run()
      #expect(result.status == 0 && !result.errors.contains("SAFE MODE"))
      #expect(result.output.hasSuffix(": 2 steps\n"), "\(result.output)")
      let warning = "\"./.appboot/journal.crashed\" has crashes from another directory, which do not count"
      #expect(result.errors.hasPrefix("appboot: warning: ") && words(result.errors).contains(warning))
      #expect(!FileSystem.exists(file))
    }
  }

  @Test("A renamed state directory keeps its crashes, and a copy does not have them")
  func copiedCrashes() throws {
    let directory = try TemporaryDirectory()
    let (state, renamed) = (directory.file("state"), directory.file("renamed"))
    try DirectoryStateStore(path: state).prepare()
    let bytes = crashes(in: "scan", origin: FileSystem.origin(of: state))
    try FileSystem.writeFile(atomically: bytes, to: FileSystem.join(state, "journal.crashed"))
    try FileSystem.rename(state, to: renamed)
    #expect(GuardState.reading(renamed).safeMode?.culprits == ["scan"])
    try DirectoryStateStore(path: state).prepare()
    try FileSystem.writeFile(atomically: bytes, to: FileSystem.join(state, "journal.crashed"))
    #expect(GuardState.reading(state).safeMode == nil)
  }

  @Test("The journal of a crash in another directory is stored, and is no crash")
  func plantedJournal() throws {
    let tool = try ToolProcess("run", "-q").manifest(
      "[\(Entry.shell("[ -e ok ] || { \(Crash.script(ofStep: "a")); }", id: "a"))]")
    #expect(try tool.run().status != 0)
    let (state, copy) = (tool.directory.file(".appboot"), tool.directory.file("copy"))
    try FileSystem.rename(state, to: copy)
    let journal = try FileSystem.readFile(FileSystem.join(copy, "journal.jsonl"))
    try DirectoryStateStore(path: state).prepare()
    try FileSystem.writeFile(atomically: journal, to: FileSystem.join(state, "journal.jsonl"))
    #expect(GuardState.reading(copy).crashes == 1 && GuardState.reading(state).crashes == 0)
    let result = try tool.file("ok", "").run()
    #expect(result.status == 0)
    #expect(
      words(result.errors).contains(
        "is from another directory: it is stored as a record, and does not count as a crash"))
    #expect(try RecordArchive.list(state).count == 2)
    #expect(GuardState.reading(state) == GuardState())
  }

  @Test(
    "A copy of the state directory has a first launch again, and its records stay readable")
  func plantedFirstLaunch() throws {
    let tool = try ToolProcess("run").manifest(
      "[\(Entry.shell("touch ran", id: "setup", #""when": { "firstLaunch": true }"#))]")
    #expect(try tool.run().status == 0)
    let ran = tool.directory.file("ran")
    try FileSystem.remove(ran)
    #expect(try tool.run().status == 0 && !FileSystem.exists(ran))
    let copied = try ToolProcess("-c", "cp -a .appboot copy && rm -r .appboot && mv copy .appboot")
    #expect(
      try copied.script(#"cd "$FOLDER" && exec sh "$@""#).environment("FOLDER", tool.directory.path).run()
        .status == 0)
    let result = try tool.run()
    #expect(result.status == 0 && FileSystem.exists(ran))
    #expect(
      words(result.errors).contains(
        "\"./.appboot/launches\" is from another directory: this counts as the first launch"))
    try FileSystem.remove(ran)
    #expect(try tool.run().errors.isEmpty && !FileSystem.exists(ran))
    #expect(try RecordArchive.list(tool.directory.file(".appboot")).count == 4)
  }

  /// Returns a text with single spaces, because messages are wrapped.
  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("Two manifests in one folder have their own crashes, durations and first launch")
  func twoManifests() throws {
    let steps = "[\(Entry.shell("true", id: "a")), \(Entry.shell("true", id: "b", #""after": []"#))]"
    let tool = try ToolProcess("run").manifest(steps).file(
      "ci.json", #"{ "version": 1, "commands": \#(steps) }"#)
    let state = tool.directory.file(".appboot")
    try DirectoryStateStore(path: state).prepare()
    let file = tool.directory.file(".appboot/journal.crashed")
    try FileSystem.writeFile(atomically: crashes(in: "a", origin: FileSystem.origin(of: state)), to: file)
    let other = try tool.with("ci.json").run()
    #expect(other.status == 0 && !other.errors.contains("SAFE MODE"))
    #expect(FileSystem.exists(file))
    #expect(FileSystem.exists(tool.directory.file(".appboot/launches-ci.json")))
    #expect(!FileSystem.exists(tool.directory.file(".appboot/launches")))
    #expect(GuardState.reading(state).crashes == 2 && GuardState.reading(state, of: "ci.json").crashes == 0)
    #expect(try tool.run().errors.contains("SAFE MODE"))
    #expect(!FileSystem.exists(file))
    let names = try FileSystem.list(state)
    #expect(names.contains("durations.json") && names.contains("durations.json-ci.json"))
  }

  @Test("A launch of a few steps does not clear the crashes of another step")
  func otherCrashes() throws {
    let tool = try ToolProcess("run").manifest(
      "[\(Entry.shell("true", id: "a")), \(Entry.shell("true", id: "b", #""after": []"#))]")
    try DirectoryStateStore(path: tool.directory.file(".appboot")).prepare()
    let file = tool.directory.file(".appboot/journal.crashed")
    try FileSystem.writeFile(
      atomically: crashes(in: "a", origin: FileSystem.origin(of: tool.directory.file(".appboot"))), to: file)
    for selection in ["--only=b", "--skip=a", "--to=b"] {
      let result = try tool.with(selection).run()
      #expect(
        result.status == 0 && result.errors.contains("SAFE MODE: the last 2 launches crashed, in \"a\""))
      #expect(FileSystem.exists(file))
    }
    #expect(try tool.run().status == 0)
    #expect(!FileSystem.exists(file))
    #expect(try !tool.run().errors.contains("SAFE MODE"))
  }

  @Test("Crashes that a launch without another step has cleared do not come back")
  func clearedCrashes() throws {
    let crash = "if [ -e ok ]; then exit 0; else \(Crash.script(ofStep: "a")); fi"
    let tool = try ToolProcess("run").manifest(
      "[\(Entry.shell(crash, id: "a")), \(Entry.shell("true", id: "b"))]")
    func run(fails: Bool, _ arguments: String...) throws -> ToolResult {
      if fails { try? FileSystem.remove(tool.directory.file("ok")) } else { _ = try tool.file("ok", "") }
      return try tool.with(arguments).run()
    }
    #expect(try run(fails: true).status != 0)
    #expect(try run(fails: false, "--skip=b").status == 0)
    #expect(!FileSystem.exists(tool.directory.file(".appboot/journal.crashed")))
    #expect(try run(fails: true).status != 0)
    #expect(try !run(fails: false).errors.contains("SAFE MODE"))
  }

  @Test("Records behind a symbolic link do not lead to safe mode")
  func foreignRecords() throws {
    let crash = Crash.script(ofStep: "a")
    let tool = try ToolProcess("run", "-q").manifest("[\(Entry.shell(crash, id: "a"))]")
    for _ in 0..<2 { #expect(try tool.run().status != 0) }
    let state = tool.directory.file(".appboot")
    #expect(GuardState.reading(state).safeMode != nil)
    // Another launch stores the second journal; the marks are lost. Its own warning can be lost with its process.
    #expect(try tool.run().status != 0)
    try FileSystem.rename(FileSystem.join(state, "records"), to: tool.directory.file("elsewhere"))
    #expect(symlink(tool.directory.file("elsewhere"), FileSystem.join(state, "records")) == 0)
    try FileSystem.writeFile(atomically: [], to: FileSystem.join(state, "journal.crashed"))
    try? FileSystem.remove(FileSystem.join(state, "journal.jsonl"))
    #expect(try !tool.run().errors.contains("SAFE MODE"))
  }

  @Test("Two kills in one step make one next launch run in safe mode, with a warning")
  func safeMode() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(endless)
    for _ in 0..<2 {
      let running = try tool.start()
      #expect(try running.waitForOutput(#""text":"up""#))
      // The tool waits at most 100 ms for the journal before it starts a program.
      let isWritten = Patience.wait {
        let bytes = try? FileSystem.readFile(tool.directory.file(".appboot/journal.jsonl"))
        let journal = bytes.flatMap { try? Journal(SourceText(name: "j", bytes: $0)) }
        return journal?.running.map(\.id) == ["slow"]
      }
      #expect(isWritten)
      running.signal(Signals.kill)
      #expect(try running.finish().end == .signalled(Signals.kill))
    }
    #expect(GuardState.reading(tool.directory.file(".appboot")).safeMode?.culprits == ["slow"])
    let safe = try tool.run()
    #expect(safe.status == 0)
    let warning =
      "appboot: warning: SAFE MODE: the last 2 launches crashed, in \"slow\"; skipped: slow; see `appboot report "
    #expect(safe.errors.hasPrefix(warning) && safe.errors.hasSuffix("jsonl`\n"))
    let path = String(safe.errors.dropFirst(warning.count).dropLast(2))
    let crash = try RecordArchive.read(tool.directory.file(path))
    // The kill can come before the journal has the output.
    #expect(crash.isUnfinished && crash.record["slow"]?.state == .running)
    #expect(GuardState.reading(tool.directory.file(".appboot")).safeMode == nil)
  }

  @Test("A launch that its user stopped does not count as a crash")
  func stopped() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(endless)
    for _ in 0..<2 {
      let running = try tool.start()
      #expect(try running.waitForOutput(#""text":"up""#))
      running.signal(Signals.interrupt)
      #expect(try running.finish().end == .signalled(Signals.interrupt))
    }
    #expect(GuardState.reading(tool.directory.file(".appboot")).crashes == 0)
  }

  @Test("--safe-mode warns, and its record has the reason")
  func forced() throws {
    let result = try ToolProcess("run", "--safe-mode", "--no-state", "--format", "json").manifest(good)
      .run()
    #expect(result.status == 0)
    #expect(result.errors == "appboot: warning: SAFE MODE: requested\n")
    #expect(try result.json()["safeMode"]?["reason"]?.string == "requested")
  }
}
