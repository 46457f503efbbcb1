import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("All apps of a user", .ownThread)
struct RunningAppsTests {
  private let runtime: TemporaryDirectory

  init() throws {
    runtime = try TemporaryDirectory()
    try FileSystem.setPermissions(runtime.path, to: 0o700)
  }

  private func start(_ members: String = "") throws -> Staying {
    let web = Entry.service("echo up; exec sleep 1000", id: "web", with: members)
    let steps =
      "\(web), \(Entry.program(["true"], id: "good")), \(Entry.program(["false"], id: "bad", "\"onFailure\": \"continue\""))"
    let tool = try ToolProcess("run", "--format", "jsonl").environment("XDG_RUNTIME_DIR", runtime.path)
      .manifest("[\(steps)]", members: #""name": "Shop""#)
    return Staying(tool: tool, running: try Staying.again(tool))
  }

  private func ask(_ arguments: String...) throws -> ToolResult {
    try ToolProcess().with(arguments).environment("XDG_RUNTIME_DIR", runtime.path).run()
  }

  private var files: [String] {
    ((try? FileSystem.list(FileSystem.join(runtime.path, "appboot"))) ?? []).sorted()
  }

  @Test("status --all lists all apps, and stop --all stops them")
  func all() throws {
    let none = try ask("status", "--all")
    #expect(none.status == 4 && none.output == "no app of this user is running\n")
    let apps = [try start(), try start()]
    let json = try ask("status", "--all", "--format", "json").json()["apps"]
    #expect(json?.elements.count == 2)
    let directories = apps.compactMap { FileSystem.resolve($0.tool.directory.path) }
    #expect(json?.elements.compactMap { $0["directory"]?.string } == directories.sorted())
    #expect(json?.elements.first?["services"]?.elements.first?["state"]?.string == "ready")
    let text = try ask("status", "--all").output
    for directory in directories {
      #expect(text.contains("\(directory): Shop is running, process "), "\(text)")
    }
    let stopped = try ask("stop", "--all")
    #expect(stopped.status == 0)
    for directory in directories { #expect(stopped.output.contains("\(directory): Shop has stopped\n")) }
    for app in apps { #expect(try app.running.finish().status == 0) }
    #expect(files.isEmpty)
  }

  @Test("An app removes its files when it ends, and status --all removes the files of a killed app")
  func crash() throws {
    let port = #""port": { "from": 20000 }"#
    let other = try start(port)
    #expect(files.map { $0.prefix(4) } == ["app-", "port"])
    #expect(try other.end().status == 0)
    #expect(files.isEmpty)
    let app = try start(port)
    app.running.signal(Signals.kill)
    _ = try app.running.finish()
    #expect(files.count == 2)
    #expect(try ask("status", "--all").status == 4)
    #expect(files.isEmpty)
  }

  @Test("wait succeeds for ready services and steps that succeeded, and fails for others")
  func waiting() throws {
    let app = try start()
    let both = try app.ask("wait", "web", "good")
    #expect(
      both.status == 0 && both.output == "web: ready\ngood: succeeded\n", "\(both.output)\(both.errors)")
    let failed = try app.ask("wait", "bad")
    #expect(failed.status == 1 && failed.errors == "appboot: bad is failed\n", "\(failed.errors)")
    let unknown = try app.ask("wait", "goood")
    #expect(unknown.status == 2 && unknown.errors.contains("did you mean \"good\"?"), "\(unknown.errors)")
    #expect(try app.ask("stop", "web").status == 0)
    #expect(try app.ask("wait", "web").status == 1)
    #expect(try app.end().status == 0)
    #expect(try app.ask("wait", "web").status == 1)
  }

  @Test("wait ends with its timeout while the app is suspended")
  func suspended() throws {
    let app = try start()
    app.running.signal(Signals.stop)
    // The process stops shortly after the signal.
    let isLate = try Patience.wait {
      let result = try app.ask("wait", "web", "--timeout", "10ms")
      return result.status == 124 && result.errors.hasSuffix("appboot: timed out while waiting for web\n")
    }
    app.running.signal(Signals.resume)
    #expect(isLate)
    #expect(try app.ask("wait", "web", "--timeout", "1h").status == 0)
    #expect(try app.end().status == 0)
  }

  @Test("wait knows how the last step of a launch ended, although the launch has ended with it")
  func lastStep() throws {
    for (end, words, status) in [("", "", Int32(0)), ("; exit 3", "appboot: last is failed\n", 1)] {
      // The launch may end before the first look.
      let isKnown = try Patience.wait {
        let script = "echo > began; while ! test -e go; do sleep 0.01; done; sleep 0.2\(end)"
        let tool = try ToolProcess("run", "--format", "jsonl").manifest(
          "[\(Entry.shell(script, id: "last"))]")
        let running = try tool.start()
        #expect(running.waitForFile("began"))
        let waiting = try ToolProcess("wait", "last", "--state", tool.directory.file(".appboot")).start()
        try tool.directory.write("go", "")
        let result = try waiting.finish()
        _ = try running.finish()
        return result.status == status && result.errors == words
      }
      #expect(isKnown)
    }
  }

  @Test("down says how to end a launch without services")
  func downWithoutServices() throws {
    let tool = try ToolProcess("run", "--format", "jsonl")
      .manifest("[\(Entry.shell("echo > began; exec sleep 1000", id: "slow"))]")
    let running = try tool.start()
    #expect(running.waitForFile("began"))
    let result = try ToolProcess("down", "--state", tool.directory.file(".appboot")).run()
    #expect(result.status == 4)
    #expect(
      result.errors.hasPrefix(
        "appboot: error: the launch that runs takes no requests: it has no services, or it stops them itself "
          + "(--then-stop)\nhelp: kill "
      ),
      "\(result.errors)")
    running.signal(Signals.terminate)
    _ = try running.finish()
  }

  @Test("wait ends with its timeout while a step runs, and names only what has not ended or is not ready")
  func timeout() throws {
    let web = Entry.service("echo up; exec sleep 1000", id: "web")
    let slow = Entry.shell("echo > began; exec sleep 1000", id: "slow")
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(web), \(slow)]")
    let running = try tool.start()
    #expect(running.waitForFile("began"))
    // An app that does not answer within half a second is not known to have a service that is ready.
    let isKnown = try Patience.wait {
      let result = try ToolProcess(
        "wait", "web", "slow", "--timeout", "10ms", "--state", tool.directory.file(".appboot")
      ).run()
      return result.status == 124 && result.errors == "appboot: timed out while waiting for slow\n"
    }
    #expect(isKnown)
    running.signal(Signals.terminate)
    _ = try running.finish()
  }
}
