import AppBoot
import AppBootCommands
import AppBootReports
import Testing

@testable import AppBootLifecycle
@testable import AppBootTool

@Suite("The text of a status")
struct StatusTextTests {
  @Test("The ids of services have a column that is wide enough for each")
  func longIDs() throws {
    let json = #"{"name":"N","services":[{"id":"a-long-id-of-a-service","state":"ready"}]}"#
    let status = try JSONDocument(parsing: SourceText(name: "status", text: json)).root
    let text = StatusText(status: status, style: TextStyle()).text
    #expect(text.contains("\n  phase                   unknown\n  a-long-id-of-a-service  ready\n"))
  }

  @Test("The row of a service has its health, and shows a task that ignores its cancellation")
  func health() throws {
    let json = #"""
      {"name":"N","services":[
        {"id":"mail","state":"ready","restarts":1,"health":"healthy","statusText":"12 connections"},
        {"id":"sync","state":"ready","health":"unhealthy","statusText":"no network"},
        {"id":"web","state":"stopping","abandoned":true}]}
      """#
    let status = try JSONDocument(parsing: SourceText(name: "status", text: json)).root
    let text = StatusText(status: status, style: TextStyle()).text
    #expect(text.contains("  mail          ready, 1 restart; healthy: 12 connections\n"))
    #expect(text.contains("  sync          ready; unhealthy: no network\n"))
    #expect(text.contains("  web           stopping (ignores its cancellation)\n"))
  }

  @Test(
    "An active app is degraded while one of its services is missed, and no other app is",
    arguments: [
      (LaunchPhase.active, [], "active"), (.active, [.ready, .ready], "active"),
      (.active, [.ready, .stopped], "degraded"), (.active, [.restarting, .ready], "degraded"),
      (.inactive, [.stopped], "inactive"), (.background, [.stopped], "background"),
      (.terminating, [.stopped], "terminating"),
    ] as [(LaunchPhase, [ServiceState], String)])
  func degraded(phase: LaunchPhase, services: [ServiceState], expected: String) throws {
    var state = LaunchState()
    state.phase = phase
    var status = AppStatus(
      name: "N", manifest: nil, process: 1, startedAt: "", state: state, listeners: [], handlers: [],
      safeMode: "off")
    status.services = services.map { ServiceStatus(id: $0.rawValue, state: $0, onExit: .fail) }
    #expect(status.phase == expected)
    let json = try JSONDocument(parsing: SourceText(name: "status", text: status.json)).root
    #expect(json["state"]?["phase"]?.string == expected)
  }

  @Test("A status leaves out what the app does not have, and safe mode that is off")
  func brief() throws {
    let json = #"""
      {"name":"N","state":{"phase":"active","screens":[],"scenes":{},"events":2},"listeners":[],"handlers":[],
       "safeMode":"off","services":[{"id":"web","state":"ready","uptime":1000000000,"memory":1024}]}
      """#
    let status = try JSONDocument(parsing: SourceText(name: "status", text: json)).root
    let text = StatusText(status: status, style: TextStyle(), showsMeasurements: false).text
    #expect(text == "N is running\n  phase         active\n  web           ready\n")
  }

  @Test("The time beside a state is that of the state, and not the age of the process")
  func stateTime() throws {
    let json = #"{"services":[{"id":"web","state":"ready","uptime":9000000000,"inState":2000000000}]}"#
    let status = try JSONDocument(parsing: SourceText(name: "status", text: json)).root
    #expect(StatusText(status: status, style: TextStyle()).text.contains("ready for 2.00 s\n"))
  }

  @Test("An app that was ended at once has not crashed in the handlers that were running")
  func endedAtOnce() throws {
    let json = #"{"name":"N","endedAt":"2026-07-28T09:05:03.250Z","endedBy":"SIGINT"}"#
    let status = try JSONDocument(parsing: SourceText(name: "status", text: json)).root
    var text = StatusText(status: status, style: TextStyle(), isLast: true)
    text.interrupted = [
      EventRecord(event: "openURL", time: 0, record: LaunchRunner(try LaunchPlan {}).snapshot().record)
    ]
    #expect(
      text.text == """
        N is not running; it was ended at once by SIGINT at 2026-07-28T09:05:03.250Z
          ended in      openURL

        """)
  }

  @Test("A status escapes control characters and workflow commands in a service's id")
  func hostileService() throws {
    let json = #"{"name":"N","services":[{"id":"::error::\u001b[2Jx\ny","state":"ready"}]}"#
    let status = try JSONDocument(parsing: SourceText(name: "status", text: json)).root
    var style = TextStyle()
    style.breaksWorkflowCommands = true
    let text = StatusText(status: status, style: style).text
    #expect(text.contains("\n  \\::error::<U+001B>[2Jx y  ready\n"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }
}
