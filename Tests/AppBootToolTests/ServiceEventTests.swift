import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("Events of services in an app", .ownThread)
struct ServiceEventTests {
  /// A handler that writes what happened into a file.
  private func handler(_ event: String, _ members: String = "") -> String {
    let script =
      "echo \(event): $APPBOOT_SERVICE, $APPBOOT_SERVICE_REASON, $APPBOOT_SERVICE_EXIT_CODE >> events"
    return #""\#(event)": [\#(Entry.shell(script, id: event, members))]"#
  }

  /// Starts an app with a service "web", which exits with 3 when the file `crash` exists, and a service "db".
  private func start(
    _ handlers: [String], with: String = "", arguments: [String] = []
  ) throws -> Staying {
    let script =
      "echo up; trap 'exit 0' TERM; while :; do if test -e crash; then rm crash; exit 3; fi; sleep 0.01; done"
    let db = Entry.service("echo up; exec sleep 1000", id: "db", with: #""onExit": "ignore""#)
    let web = Entry.service(script, id: "web", with: with)
    let tool = try ToolProcess("run", "--format", "jsonl").with(arguments).manifest(
      "[\(db), \(web)]",
      members: #""on": { \#(handlers.joined(separator: ", ")) }"#)
    return Staying(tool: tool, running: try Staying.again(tool))
  }

  private func events(_ app: Staying) -> [String] {
    let bytes = (try? FileSystem.readFile(app.tool.directory.file("events"))) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func crash(_ app: Staying) throws { try app.tool.directory.write("crash", "") }

  @Test("Handlers get the id, the reason and the exit code, and can choose a service by \"when\"")
  func variables() throws {
    let onlyWeb = #""when": { "environment": { "APPBOOT_SERVICE": "web" } }"#
    let app = try start(
      [handler("serviceReady", onlyWeb), handler("serviceRestarted")],
      with: #""restart": { "when": "onFailure", "backoff": "1ms" }"#)
    #expect(Patience.wait { events(app) == ["serviceReady: web, ,"] })
    try crash(app)
    #expect(Patience.wait { events(app).count == 3 })
    #expect(
      events(app).dropFirst() == [
        "serviceRestarted: web, exited with code 3, 3", "serviceReady: web, exited with code 3, 3",
      ])
    #expect(try app.end().status == 0)
  }

  @Test("The handlers of a failure that ends the app finish before the app ends")
  func lastFailure() throws {
    let app = try start([handler("serviceFailed"), handler("serviceStopped"), handler("willTerminate")])
    try crash(app)
    let end = try app.running.finish()
    #expect(end.status == 1, "\(end.errors)")
    #expect(events(app) == ["serviceFailed: web, exited with code 3, 3", "willTerminate: , ,"])
  }

  @Test("A stop on request sends serviceStopped, a restart serviceRestarted, and the end of the app no event")
  func requests() throws {
    let app = try start([handler("serviceStopped"), handler("serviceRestarted")])
    #expect(try app.ask("restart", "web").status == 0)
    #expect(Patience.wait { events(app) == ["serviceRestarted: web, exited with code 0, 0"] })
    #expect(try app.ask("stop", "db").status == 0)
    #expect(Patience.wait { events(app).count == 2 })
    #expect(events(app).last == "serviceStopped: db, was killed by SIGTERM,")
    #expect(try app.end().status == 0)
    #expect(events(app).count == 2)
  }

  @Test("A service that fails as the launch ends has its handler, and the app ends after it")
  func earlyFailure() throws {
    let web = Entry.service("echo up; exit 3", id: "web")
    let tool = try ToolProcess("run").manifest(
      "[\(web)]", members: #""on": { \#(handler("serviceFailed")) }"#)
    #expect(try tool.run().status == 1)
    let text = String(decoding: try FileSystem.readFile(tool.directory.file("events")), as: UTF8.self)
    #expect(text == "serviceFailed: web, exited with code 3, 3\n")
  }

  @Test("A handler that fails does not change the service")
  func failingHandler() throws {
    let failing = #""serviceReady": [\#(Entry.shell("echo x >> events; exit 7", id: "fails"))]"#
    let app = try start([failing])
    #expect(Patience.wait { events(app).count == 2 })
    #expect(try app.ask("wait", "web", "db").status == 0)
    _ = try app.end()
  }

  @Test("run --event runs the handlers with a payload as their service's event would be")
  func payload() throws {
    let manifest = #""on": { \#(handler("serviceFailed")) }"#
    let web = Entry.service("echo up", id: "web")
    let tool = try ToolProcess(
      "run", "--event", "serviceFailed", "--payload", #"{ "id": "web", "reason": "crashed", "exitCode": 9 }"#
    ).manifest("[\(web)]", members: manifest)
    let result = try tool.run()
    #expect(result.status == 0, "\(result.errors)")
    let text = String(decoding: try FileSystem.readFile(tool.directory.file("events")), as: UTF8.self)
    #expect(text == "serviceFailed: web, crashed, 9\n")
    let wrong = try ToolProcess("run", "--event", "serviceFailed", "--payload", "{}")
      .manifest("[\(web)]", members: manifest).run()
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains(#"must be an object with "id", a string"#), "\(wrong.errors)")
  }

  @Test("status shows a service that was not ready in time as failed")
  func failedStart() throws {
    let slow = Entry.service(
      "exec sleep 1000", id: "slow", #""timeout": "50ms", "onFailure": "continue""#)
    let web = Entry.service("echo up; exec sleep 1000", id: "web")
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(slow), \(web)]")
    let app = Staying(tool: tool, running: try Staying.again(tool))
    let services = try app.status()["services"]?.elements ?? []
    #expect(services.map { $0["state"]?.string } == ["failed", "ready"])
    #expect(try app.end().status == 0)
  }

  @Test("validate warns about handlers of services in a manifest without services")
  func noService() throws {
    let result = try ToolProcess("validate", "--strict")
      .manifest("[]", members: #""on": { \#(handler("serviceFailed")) }"#).run()
    #expect(result.status == 3)
    #expect(
      result.output.contains("nothing can emit \"serviceFailed\": the plan has no service"),
      "\(result.output)")
  }
}
