import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("Services whose files are watched", .ownThread)
struct WatchTests {
  /// A script that counts its starts in `starts`, and is ready when it prints "up".
  private static let script = "echo x >> starts; trap 'exit 0' TERM; echo up; while :; do sleep 0.01; done"
  /// The script of a service that also ends soon if there is the file `bad`.
  private static let failing =
    "echo x >> starts; echo up; test -e bad && exit 3; trap 'exit 0' TERM; while :; do sleep 0.01; done"

  private func start(
    _ watch: String, script: String = Self.script, steps: String = "", arguments: [String] = []
  ) throws -> Staying {
    let web = Entry.service(script, id: "web", with: #""watch": \#(watch)"#)
    let tool = try ToolProcess("run", "--format", "jsonl").with(arguments)
      .manifest("[\(steps)\(steps.isEmpty ? "" : ", ")\(web)]")
    try FileSystem.createDirectory(tool.directory.file("src"))
    try tool.directory.write("src/a.ts", "1")
    return Staying(tool: tool, running: try Staying.again(tool))
  }

  private func count(_ name: String, _ app: Staying) -> Int {
    (try? FileSystem.readFile(app.tool.directory.file(name)).filter { $0 == 0x0A }.count) ?? 0
  }

  /// Writes a file until the service has started a number of times: the watch may begin after the launch.
  private func write(_ app: Staying, until starts: Int) throws -> Bool {
    try write(app) { count("starts", app) >= starts }
  }

  /// Writes a file until a condition is true.
  private func write(_ app: Staying, until condition: () throws -> Bool) throws -> Bool {
    var number = 0
    return try Patience.wait {
      number += 1
      if number % 50 == 1 { try app.tool.directory.write("src/a.ts", "\(number)") }
      return try condition()
    }
  }

  /// Writes a file until the app has printed that failed steps prevent a restart, and the effect.
  private func write(_ app: Staying, untilNotRestarted effect: String) throws -> Bool {
    let warning = "web was not restarted, because its steps did not succeed; \(effect)\n"
    return try write(app) {
      let errors = try FileSystem.readFile(app.running.file("stderr"))
      return String(decoding: errors, as: UTF8.self).contains(warning)
    }
  }

  @Test(
    "A service restarts after a change of its files",
    arguments: [#"["src/**/*.ts"]"#, #"{ "files": ["src"], "poll": "10ms" }"#])
  func change(watch: String) throws {
    let app = try start(watch)
    #expect(try write(app, until: 2))
    #expect(try app.ask("wait", "web").output == "web: ready\n")
    let end = try app.end()
    let line = try #require(end.errors.split(separator: "\n").first { $0.hasSuffix(" changed; restarting") })
    #expect(line.hasPrefix("appboot: web: src/a.ts "), "\(end.errors)")
    #expect(end.errors.contains("appboot: web is ready again, process "), "\(end.errors)")
  }

  @Test("The state directory is left out, also in the launch that makes it")
  func state() throws {
    let app = try start(#"{ "files": ["**"], "ignore": ["starts"] }"#)
    #expect(try write(app, until: 2))
    #expect(try app.ask("restart", "web").status == 0)
    let changes = try app.end().errors.split(separator: "\n").filter { $0.contains(" changed; ") }
    #expect(!changes.isEmpty && !changes.contains { $0.contains(".appboot") }, "\(changes)")
  }

  @Test("The steps of a watch run before the restart, and a failure keeps the service")
  func steps() throws {
    let build = Entry.shell("echo x >> builds; test ! -e broken", id: "build")
    let app = try start(#"{ "files": ["src"], "run": ["build"] }"#, steps: build)
    #expect(try write(app, until: 2))
    try app.tool.directory.write("broken", "")
    let starts = count("starts", app)
    let isReported = try write(app, untilNotRestarted: "it goes on")
    let end = try app.end()
    #expect(isReported, "\(end.errors)")
    #expect(count("starts", app) <= starts + 1)
  }

  @Test("A service that is down when the steps of its watch fail starts again after the next change")
  func stepsOfEnded() throws {
    let build = Entry.shell("test ! -e broken", id: "build")
    let app = try start(#"{ "files": ["src"], "run": ["build"] }"#, script: Self.failing, steps: build)
    try app.tool.directory.write("bad", "")
    #expect(try write(app, until: 2))
    try app.tool.directory.write("broken", "")
    let isReported = try write(app, untilNotRestarted: "it starts again after the next change")
    let end = try app.end()
    #expect(isReported, "\(end.errors)")
  }

  @Test("The end of the app cancels the steps of a watch, and no message is about the service")
  func stepsAtEnd() throws {
    let build = Entry.shell("echo x >> builds; test ! -e slow || exec sleep 1000", id: "build")
    let app = try start(#"{ "files": ["src"], "run": ["build"] }"#, steps: build)
    #expect(try write(app, until: 2))
    try app.tool.directory.write("slow", "")
    let builds = count("builds", app)
    #expect(try write(app) { count("builds", app) > builds })
    let end = try app.end()
    #expect(end.status == 0 && !end.errors.contains("was not restarted"), "\(end.errors)")
  }

  @Test("The steps of a watch can insert the output of a step of the launch")
  func output() throws {
    let tag = Entry.program(["echo", "v1"], id: "tag")
    let build = Entry.program(["sh", "-c", "echo $0 >> builds", "{step.tag.output}"], id: "build")
    let app = try start(#"{ "files": ["src"], "run": ["build"] }"#, steps: "\(tag), \(build)")
    #expect(try write(app, until: 2))
    #expect(count("builds", app) >= 2)
    #expect(try app.end().status == 0)
  }

  @Test("A service that ends waits for the next change, and does not end the app")
  func ended() throws {
    let app = try start(#"["src"]"#, script: Self.failing)
    try app.tool.directory.write("bad", "")
    #expect(try write(app, until: 2))
    #expect(try Patience.wait { try app.status()["services"]?.elements.first?["state"]?.string == "ended" })
    try FileSystem.remove(app.tool.directory.file("bad"))
    // On a busy machine, several changes may have been needed for the second start.
    #expect(try write(app, until: count("starts", app) + 1))
    #expect(try Patience.wait { try app.ask("wait", "web").status == 0 })
    #expect(try app.end().status == 0)
  }

  @Test("stop keeps a watched service down that has ended")
  func stopsEnded() throws {
    let app = try start(#"["src"]"#, script: Self.failing)
    try app.tool.directory.write("bad", "")
    #expect(try write(app, until: 2))
    let state = { try app.status()["services"]?.elements.first?["state"]?.string }
    #expect(try Patience.wait { try state() == "ended" })
    #expect(try app.ask("stop", "web").status == 0)
    #expect(try state() == "stopped")
    #expect(try app.end().status == 0)
  }

  @Test("run --no-watch and --then-stop watch nothing")
  func off() throws {
    let app = try start(#"["src"]"#, arguments: ["--no-watch"])
    try app.tool.directory.write("src/a.ts", "2")
    #expect(try app.ask("restart", "web").status == 0)
    #expect(count("starts", app) == 2)
    #expect(try !app.end().errors.contains("changed"))
  }

  @Test("validate and run report an unknown step of \"run\" at its place")
  func unknownStep() throws {
    let web = Entry.service(Self.script, id: "web", with: #""watch": { "files": ["a"], "run": ["buidl"] }"#)
    let build = Entry.shell("true", id: "build")
    for subcommand in ["validate", "list", "run"] {
      let result = try ToolProcess(subcommand).manifest("[\(build), \(web)]").run()
      let text = result.output + result.errors
      #expect(result.status == 3 && text.contains("no entry has the id \"buidl\""), "\(text)")
      #expect(text.contains("help: did you mean \"build\"?"), "\(text)")
    }
  }
}
