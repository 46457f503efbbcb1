import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("WatchPolicy", .ownThread)
struct WatchPolicyTests {
  private let second: Int64 = 1_000_000_000

  private func problems(_ watch: String) throws -> [String] {
    try TestLaunch(
      #"""
      [ { "command": "RunService", "with": { "arguments": ["a"], "watch": \#(watch) } },
        { "run": "true", "id": "build" } ]
      """#
    ).problems()
  }

  @Test("A policy is a list of patterns, or an object with more")
  func forms() throws {
    #expect(try problems(#"["src/**/*.ts", "package.json"]"#).isEmpty)
    #expect(
      try problems(
        #"{ "files": ["src"], "ignore": ["*.log"], "run": ["build"], "quiet": "50ms", "poll": "1s" }"#
      )
      .isEmpty)
    #expect(
      try problems(#"{ "files": ["src"], "run": ["RunServce"] }"#) == [
        #""watch.run[0]": no entry has the id "RunServce""#
      ])
    #expect(
      try problems(#"{ "files": ["src"], "run": ["RunService"] }"#) == [
        #""watch.run[0]": "RunService" is a service, and only a step that ends can run again"#
      ])
    #expect(
      try problems(#"{ "files": ["src"], "quite": "1s", "run": ["biuld"] }"#) == [
        #"unknown key "quite" in "watch""#, #""watch.run[0]": no entry has the id "biuld""#,
      ])
    #expect(
      try problems(#"{ "files": ["!src/a"], "ignore": ["!b"] }"#) == [
        #""watch.files[0]" must not begin with "!": write only patterns of files to watch"#,
        #""watch.ignore[0]" must not begin with "!": write only patterns of files to ignore"#,
      ])
    #expect(
      try problems(#"["../lib", "/etc"]"#) == [
        #""watch.files[0]" must be below the manifest's directory, without "..""#,
        #""watch.files[1]" must be below the manifest's directory, without "..""#,
      ])
  }

  @Test("A step of \"run\" whose output the service inserts is an error")
  func insertedOutput() throws {
    let launch = TestLaunch(
      #"""
      [ { "run": "echo 1", "id": "image" },
        { "command": "RunService", "id": "web", "with": {
          "arguments": ["a", "{step.image.output}"], "watch": { "files": ["src"], "run": ["image"] } } } ]
      """#)
    #expect(
      try launch.problems() == [
        #""watch.run[0]": "image" runs again, but this entry keeps the output from the launch"#
      ])
  }

  @Test("The files that editors write beside the real ones are left out")
  func editors() {
    let selection = WatchPolicy(["src"]).selection(besides: ".appboot")
    for name in [
      ".#a.ts", "#a.ts#", "a.ts~", ".a.ts.swp", ".a.ts.swx", ".a.ts.kate-swp", "4913", "a.ts___jb_tmp___",
    ] {
      #expect(!selection.contains("src/\(name)"), "\(name)")
    }
    for name in ["a.ts", "49130", "b#.ts", ".env"] { #expect(selection.contains("src/\(name)"), "\(name)") }
  }

  @Test("Changes of several files take effect together, after a quiet time since the last one")
  func debounce() {
    var changes = WatchedChanges(quiet: .milliseconds(100))
    changes.add(["b"], at: 0)
    changes.add(["a"], at: 60_000_000)
    #expect(changes.deadline == 160_000_000)
    #expect(changes.take(at: 159_999_999, in: .ready) == nil)
    #expect(changes.take(at: 160_000_000, in: .ready) == .serve(["a", "b"]))
    #expect(changes.deadline == nil)
  }

  @Test("Changes without a pause take effect after two seconds")
  func longestWait() {
    var changes = WatchedChanges(quiet: .milliseconds(100))
    for time in stride(from: 0, through: 3 * second, by: 50_000_000) where changes.deadline ?? .max > time {
      changes.add(["a"], at: time)
    }
    #expect(changes.deadline == 2 * second)
  }

  @Test("Changes during a restart take effect once after it")
  func during() {
    var changes = WatchedChanges(quiet: .milliseconds(100))
    changes.add(["a"], at: 0)
    #expect(changes.take(at: second, in: .ready) == .serve(["a"]))
    changes.add(["b"], at: 2 * second)
    changes.add(["c"], at: 3 * second)
    #expect(changes.take(at: 4 * second, in: .ready) == nil)
    changes.finish(at: 5 * second)
    #expect(changes.take(at: 5 * second, in: .ready) == .serve(["b", "c"]))
    changes.finish(at: 6 * second)
    #expect(changes.deadline == nil)
  }

  @Test("Changes wait while the service starts, and have no effect once it was stopped on request")
  func states() {
    var changes = WatchedChanges(quiet: .zero)
    changes.add(["a"], at: 0)
    for state in [nil, .waiting, .starting, .stopping] as [ServiceState?] {
      #expect(changes.take(at: second, in: state) == nil)
    }
    #expect(changes.take(at: 2 * second, in: .ended) == .serve(["a"]))
    changes.finish(at: 2 * second)
    changes.add(["a"], at: 3 * second)
    #expect(changes.take(at: 4 * second, in: .stopped) == nil)
    #expect(changes.deadline == nil)
  }

  @Test("The files of a loop are ignored until they are quiet, and then take effect once")
  func loop() {
    var changes = WatchedChanges(quiet: .zero)
    var time: Int64 = 0
    for _ in 0..<WatchedChanges.longestRow {
      changes.add(["log"], at: time)
      #expect(changes.take(at: time, in: .ready) == .serve(["log"]))
      time += second / 2
      changes.finish(at: time)
    }
    changes.add(["log"], at: time)
    #expect(changes.take(at: time, in: .ready) == .loop(["log"]))
    changes.add(["log"], at: time + 5 * second)
    #expect(changes.deadline == time + 15 * second)
    changes.add(["a"], at: time + 6 * second)
    #expect(changes.take(at: time + 6 * second, in: .ready) == .serve(["a"]))
    changes.finish(at: time + 6 * second)
    #expect(changes.take(at: time + 14 * second, in: .ready) == nil)
    // Something else may have written the last change. It takes effect, once.
    #expect(changes.take(at: time + 15 * second, in: .ready) == .serve(["log"]))
    changes.finish(at: time + 15 * second)
    changes.add(["log"], at: time + 15 * second)
    #expect(changes.take(at: time + 15 * second, in: .ready) == .loop(["log"]))
    #expect(changes.deadline == nil)
    changes.add(["log"], at: time + 26 * second)
    #expect(changes.take(at: time + 26 * second, in: .ready) == .serve(["log"]))
  }
}
