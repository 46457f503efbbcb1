import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("RecordLaunch", .ownThread)
struct RecordLaunchTests {
  private let state = MemoryStateStore()

  /// Returns a launch that records itself after steps with conditions.
  private func launch(_ version: String?, _ steps: String = "", _ state: (any StateStore)? = nil)
    -> TestLaunch
  {
    let parameters = version.map { #", "with": { "version": "\#($0)" }"# } ?? ""
    var launch = TestLaunch(#"[ \#(steps) { "command": "RecordLaunch" \#(parameters) } ]"#)
    launch.state = state ?? self.state
    return launch
  }

  private func note(_ version: String?) throws -> String? {
    let record = try launch(version).run()
    return record["RecordLaunch"]?.details.note ?? record.failures.first?.state.failure?.message
  }

  private var log: LaunchLog { get throws { try LaunchLog(state.read(LaunchLog.stateName), in: state) } }

  @Test("Launches are counted, with the versions before and after an upgrade")
  func upgrades() throws {
    #expect(try note("1.9") == "launch 1")
    #expect(try note("1.9") == "launch 2")
    #expect(try note("1.10") == "launch 3, upgrade from 1.9 to 1.10")
    #expect(try note(nil) == "launch 4")
    #expect(try note("1.10") == "launch 5")
    let log = try log
    #expect(log.count == 5 && log.version == "1.10")
    #expect(log.upgrade?.from == "1.9" && log.upgrade?.to == "1.10")
    #expect(log.first != nil && log.last != nil)
  }

  @Test("Conditions of steps above RecordLaunch see the launch as it will be recorded")
  func conditions() throws {
    let say = { (id: String, condition: String) in
      #"{ "command": "Say", "id": "\#(id)", "when": \#(condition), "with": { "text": "" } },"#
    }
    let steps =
      say("second", #"{ "launchCount": 2 }"#) + say("odd", #"{ "launchCount": [1, 3] }"#)
      + say("upgrade", #"{ "upgrade": true }"#) + say("same", #"{ "upgrade": false }"#)
    let ran = try ["1", "2", "2"].map { version in
      try launch(version, steps).run().filter { $0.execution.startTime != nil }.map(\.id)
    }
    #expect(
      ran == [
        ["odd", "same", "RecordLaunch"], ["second", "upgrade", "RecordLaunch"],
        ["odd", "same", "RecordLaunch"],
      ])
    let plan = try launch("2", steps).plan()
    #expect(plan[0].skip == .condition("launch count is 4, not 2"))
    #expect(plan[2].skip == .condition("no upgrade: version 2 is not newer than 2"))
    #expect(try launch("3", steps).plan()[3].skip == .condition("an upgrade from 2 to 3"))
    #expect(try launch(nil, steps).plan()[2].skip == .condition("no upgrade: the launch has no version"))
    #expect(
      try launch("3", steps, MemoryStateStore()).plan()[2].skip
        == .condition("no upgrade: no earlier launch has a version"))
  }

  @Test("A launch after one that failed before RecordLaunch is the upgrade again")
  func failedUpgrade() throws {
    #expect(try note("1") == "launch 1")
    let broken = #"{ "command": "Say", "when": { "upgrade": true }, "with": { "text": "{env.NONE}" } },"#
    for _ in 1...2 {
      var launch = launch("2", broken)
      launch.environment = [:]
      #expect(try launch.run()["Say"]?.state.name == "failed")
    }
    #expect(try log.count == 1)
  }

  @Test("Later commands read the number of the launch, and the version before it")
  func values() throws {
    #expect(try note("1") == "launch 1")
    var launch = TestLaunch(
      #"""
      [ { "command": "RecordLaunch", "with": { "version": "{env.VERSION}" } },
        { "command": "Say", "with": { "text": "{context.launchCount} after {context.lastVersion}" } } ]
      """#)
    launch.state = state
    launch.environment = ["VERSION": "2"]
    #expect(try launch.run()["Say"]?.details.announcement == "2 after 1")
    #expect(try log.version == "2")
  }

  @Test("A variable that is not set fails the step, and no launch is recorded")
  func noVariable() throws {
    var launch = launch(
      "{env.VERSION}", #"{ "command": "Say", "when": { "upgrade": true }, "with": { "text": "" } },"#)
    launch.environment = [:]
    let record = try launch.run()
    #expect(record["Say"]?.state == .skipped(.condition("no upgrade: the launch has no version")))
    #expect(record["RecordLaunch"]?.state.failure?.message.hasSuffix("VERSION is not set") == true)
    #expect(state.read(LaunchLog.stateName) == nil)
  }

  @Test("Concurrent launches are all counted")
  func concurrency() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let launches = 8
    let threads = try (0..<launches).map { _ in
      try Thread.start(name: "launch") {
        for _ in 0..<10 { _ = try? launch("1", "", DirectoryStateStore(path: path)).run() }
      }
    }
    for thread in threads { thread.join() }
    let state = DirectoryStateStore(path: path)
    #expect(try LaunchLog(state.read(LaunchLog.stateName), in: state).count == 10 * launches)
  }

  @Test("A rollback removes the launch from the record")
  func rollback() throws {
    #expect(try note("1") == "launch 1")
    let broken = #", { "command": "Say", "onFailure": "rollback", "with": { "text": "{env.NONE}" } } ]"#
    var launch = launch("2")
    launch.commands = String(launch.commands.dropLast(1)) + broken
    launch.environment = [:]
    #expect(try launch.run()["RecordLaunch"]?.details.undo != nil)
    #expect(try log.count == 1 && log.version == "1" && log.upgrade == nil)
  }

  /// Returns a command, and the context of its step.
  private func step(_ version: String) throws -> (RecordLaunch, LaunchContext) {
    var command = RecordLaunch()
    command.version = version
    return (command, try launch(version).plan().detachedContexts()(0))
  }

  @Test("An undo restores the log of the earlier launches")
  func undo() throws {
    #expect(try note("1") == "launch 1")
    #expect(try note("2") == "launch 2, upgrade from 1 to 2")
    let before = try log
    let (command, context) = try step("3")
    try command.execute(in: context)
    #expect(try log.upgrade?.to == "3")
    try command.undo(in: context)
    #expect(try log == before)
  }

  @Test("An undo leaves a later launch in the log")
  func undoOfEarlierLaunch() throws {
    #expect(try note("1") == "launch 1")
    let (command, context) = try step("2")
    try command.execute(in: context)
    #expect(try note("3") == "launch 3, upgrade from 2 to 3")
    let later = try log
    try command.undo(in: context)
    let log = try log
    #expect(log.count == 2)
    #expect(log.version == "3" && log.upgrade == later.upgrade && log.last == later.last)
  }

  @Test("A damaged record fails the step, and no condition that needs it holds")
  func damaged() throws {
    state.write(LaunchLog.stateName, Array("{".utf8))
    let say = #"{ "command": "Say", "when": { "launchCount": 1 }, "with": { "text": "" } },"#
    let record = try launch("1", say).run()
    #expect(record["Say"]?.state == .skipped(.condition("the recorded launches cannot be read")))
    #expect(
      record["RecordLaunch"]?.state.failure?.message
        == "memory/recorded-launches.json is damaged: remove it, and the next launch is the first recorded one"
    )
  }

  @Test("A condition without a command that records launches is an error at its place")
  func missing() throws {
    for condition in [#""launchCount": 2"#, #""upgrade": true"#] {
      let say = TestLaunch(#"[ { "command": "Say", "when": { \#(condition) }, "with": { "text": "" } } ]"#)
      let error = #expect(throws: PlanError.self) { _ = try say.plan() }
      #expect(error?.mistakes.map(\.help) == [[#"add { "command": "RecordLaunch" } to "commands""#]])
      #expect(
        error?.mistakes.first?.message.hasSuffix(
          "needs launches to be recorded, and no command in \"commands\" records them") == true)
    }
  }
}

@Suite("The log of launches")
struct LaunchLogTests {
  @Test(
    "A version with numbers is compared by them; any other version is newer if it differs",
    arguments: [
      ("1.9", "1.10", true), ("1.10", "1.9", false), ("1.0", "1", true), ("1", "1", false),
      ("v1", "v2", true),
      ("1.0-beta", "1.0", true), ("2.0-beta", "1.9", false), ("a1b2", "c3d4", true), ("2", "main", true),
    ])
  func versions(old: String, new: String, isUpgrade: Bool) {
    #expect(LaunchLog.isUpgrade(from: old, to: new) == isUpgrade)
  }

  @Test("A stored log is read back unchanged")
  func stored() throws {
    var log = LaunchLog()
    log.add(version: "1", at: "t1")
    log.add(version: "2", at: "t2")
    #expect(
      log.json
        == #"{"count":2,"first":"t1","last":"t2","version":"2","upgrade":{"from":"1","to":"2","at":"t2"}}"#)
    #expect(try LaunchLog(Array(log.json.utf8), in: MemoryStateStore()) == log)
  }

  @Test(
    "Bytes that are not a log are reported as damage",
    arguments: ["", "[]", "{}", #"{"count":-1}"#, #"{"count":1.5}"#])
  func damaged(text: String) {
    #expect(throws: LaunchLog.Damage.self) { try LaunchLog(Array(text.utf8), in: MemoryStateStore()) }
  }
}
