import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The screen of a live view")
struct LiveScreenTests {
  private static let second: Int64 = 1_000_000_000

  /// Returns a screen that follows a launch of steps, the last ones services, from its beginning.
  private func screen(
    _ ids: [String] = ["build", "db", "web"], allowed: String? = nil, style: TextStyle = TextStyle(),
    expected: [String: Int64] = [:]
  ) throws -> LiveScreen {
    let steps = ids.map { id in
      var step = LaunchStep(FakeCommand(), id: id)
      if id == allowed { step.onFailure = .continue }
      return step
    }
    let plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    let record = LaunchRecord(outline: plan.outline, startedAt: "2026-11-21T04:12:49.467Z")
    var screen = LiveScreen(style: style)
    screen.model.apply(
      WatchLines.snapshot(of: record, at: 0, status: nil, expected: expected), at: 0)
    return screen
  }

  /// Returns a screen of an app whose launch has ended, with two services.
  private func app(style: TextStyle = TextStyle()) throws -> LiveScreen {
    var screen = try screen(style: style)
    for id in ["build", "db", "web"] {
      screen.model.apply(#"{"kind":"started","at":10,"step":"\#(id)","attempt":1}"#, at: 0)
      screen.model.apply(#"{"kind":"ended","at":1000000000,"step":"\#(id)","state":"succeeded"}"#, at: 0)
    }
    screen.model.apply(#"{"kind":"launchEnded","at":1000000000,"outcome":"succeeded"}"#, at: 0)
    screen.model.apply(Self.measured(db: "ready", web: "ready", at: 1), at: Self.second)
    screen.now = 3 * Self.second
    return screen
  }

  private static func measured(db: String, web: String, at time: Int64, cpu: Int64 = 0) -> String {
    """
    {"kind":"measured","at":\(time * second),"services":[\
    {"id":"db","state":"\(db)","pid":11,"uptime":\(time * second),"restarts":0,"memory":1048576,"cpu":\(cpu)},\
    {"id":"web","state":"\(web)","pid":12,"uptime":\(time * second),"restarts":0,"memory":2097152,"cpu":0}]}
    """
  }

  private func type(_ text: String, into screen: inout LiveScreen) -> [LiveScreen.Effect] {
    for key in LiveKey.keys(in: Array(text.utf8)) { screen.type(key) }
    return screen.takeEffects()
  }

  private func text(_ screen: LiveScreen) -> String {
    var screen = screen
    return screen.text().joined(separator: "\n")
  }

  @Test("Steps that run again after the launch do not change its result, and a service that fails does")
  func laterRuns() throws {
    var screen = try app()
    let failure = #""failure":{"message":"broken","type":"E"}"#
    screen.model.apply(#"{"kind":"launchStarted","at":5,"name":"x","steps":["build","web"]}"#, at: 0)
    screen.model.apply(
      #"{"kind":"ended","at":6000000000,"step":"build","state":"failed",\#(failure)}"#, at: 0)
    #expect(screen.model.record?.outcome == .succeeded)
    screen.model.apply(#"{"kind":"ended","at":7000000000,"step":"web","state":"failed",\#(failure)}"#, at: 0)
    #expect(screen.model.record?.outcome == .failed(step: 2))
  }

  @Test("A service has the state of its last line, and is unknown after an app that was killed")
  func states() throws {
    var screen = try screen()
    screen.model.apply(
      #"{"kind":"measured","at":1,"services":[{"id":"db","state":"waiting","restarts":0}]}"#, at: 0)
    #expect(screen.model.service("db")?.state == "waiting")
    screen.model.apply(#"{"kind":"serviceChanged","at":10,"step":"db","state":"ready","pid":11}"#, at: 0)
    #expect(screen.model.service("db")?.state == "ready")
    screen.model.end()
    #expect(screen.model.service("db")?.state == "unknown")
  }

  @Test("After an app that was killed, no measurement and no health of its services is shown")
  func killed() throws {
    var screen = try app()
    let health = #""health":"healthy","statusText":"12 jobs""#
    let facts =
      #""state":"ready","pid":11,"uptime":1,"restarts":2,"memory":1048576,"cpu":\#(Self.second),\#(health)"#
    screen.model.apply(#"{"kind":"measured","at":3,"services":[{"id":"db",\#(facts)}]}"#, at: 3 * Self.second)
    screen.model.apply(
      #"{"kind":"serviceChanged","at":4,"step":"web","state":"stopping","pid":12,"uptime":1}"#,
      at: 3 * Self.second)
    #expect(
      text(screen).contains("1 MiB") && text(screen).contains("50%") && text(screen).contains("12 jobs"))
    screen.model.end()
    let shown = text(screen)
    #expect(!shown.contains("MiB") && !shown.contains("%") && !shown.contains("12 jobs"))
    #expect(screen.model.services.map(\.state) == ["unknown", "unknown"])
    #expect(screen.model.service("db")?.restarts == 2)
  }

  @Test("No row of the screen is wider than the terminal, and the screen has all of its rows")
  func fits() throws {
    let styles = [TextStyle(), TextStyle(usesASCII: true), TextStyle(usesColor: true)]
    for style in styles {
      var launching = try screen(["a", "日本語の長い名前のステップです", "step with a very long name indeed"], style: style)
      launching.model.apply(#"{"kind":"started","at":10,"step":"a","attempt":1}"#, at: 0)
      let failure = #"{"message":"out of paper: \#(String(repeating: "paper ", count: 80))","type":"E"}"#
      launching.model.apply(
        #"{"kind":"ended","at":20,"step":"a","state":"failed","failure":\#(failure)}"#, at: 0)
      for var screen in [launching, try app(style: style), LiveScreen(style: style)] {
        screen.add(
          (0..<100).map { LogTail.Line(time: $0, step: "web", text: String(repeating: "字x", count: 150)) },
          isReset: true)
        for columns in [1, 7, 20, 40] + Array(stride(from: 60, through: 200, by: 14)) {
          screen.size = (columns, 5 + columns % 46)
          for keys in ["", "?", "\u{1B}e", "\u{1B}\r", "at", "\r/paper", "\r", "q"] {
            _ = type(keys, into: &screen)
            let rows = screen.text()
            #expect(rows.count == screen.size.rows)
            let widths = rows.map { DisplayWidth.of(VisibleText.withoutColors($0)) }
            #expect(widths.allSatisfy { $0 <= columns }, "\(columns) columns, keys \(keys)")
            if style.usesASCII, keys.isEmpty, columns >= 60 {
              #expect(rows[0].utf8.allSatisfy { $0 < 0x80 })
            }
          }
          _ = type("\u{1B}\u{1B}", into: &screen)
        }
      }
    }
  }

  @Test("On 60 columns, the title has the name once and the verdict, also with a long name")
  func title() throws {
    let long = "The shop of the trade fair in the old town"
    for (name, title) in [
      ("al", "al  booted in 2.00 s: 1 step"), (long, "The shop of the tra…  booted in 2.00 s"),
    ] {
      let plan = try LaunchPlan(name: name, steps: [(LaunchStep(FakeCommand(), id: "a"), nil)])
      let record = LaunchRecord(outline: plan.outline, startedAt: "")
      var screen = LiveScreen(style: TextStyle())
      screen.size = (60, 20)
      for line in [
        WatchLines.snapshot(of: record, at: 0, status: nil, expected: [:]),
        #"{"kind":"started","at":10,"step":"a","attempt":1}"#,
        #"{"kind":"ended","at":2000000000,"step":"a","state":"succeeded"}"#,
        #"{"kind":"launchEnded","at":2000000000,"outcome":"succeeded"}"#,
      ] {
        screen.model.apply(line, at: 0)
      }
      let row = screen.text()[0]
      #expect(row.hasPrefix(title) && !row.contains("\(name) booted"))
    }
  }

  @Test("The screen of the smallest terminal is made without a crash")
  func tiny() throws {
    for rows in 1...6 {
      var screen = try app()
      screen.size = (1, rows)
      #expect(screen.text().count == rows)
    }
  }

  @Test("A failed step is selected and its cause is in view, until the user selects another one")
  func failure() throws {
    var screen = try screen()
    let failed =
      #"{"kind":"ended","at":5,"step":"db","state":"failed","failure":{"message":"no such table","type":"E"}}"#
    screen.model.apply(#"{"kind":"started","at":1,"step":"db","attempt":1}"#, at: 0)
    #expect(screen.selected == "db")
    screen.model.apply(failed, at: 0)
    #expect(text(screen).contains("db: no such table"))
    _ = type("j", into: &screen)
    #expect(screen.selected == "web")
    #expect(text(screen).contains("✗ db: no such table"))
  }

  @Test("The failure that ended the launch is the cause and is selected, and an allowed one is a warning")
  func allowedFailure() throws {
    var screen = try screen(allowed: "build")
    for (id, error) in [("build", "no cache"), ("db", "no table"), ("web", "no port")] {
      screen.model.apply(#"{"kind":"started","at":1,"step":"\#(id)","attempt":1}"#, at: 0)
      if id == "db" {
        #expect(screen.selected == "db")
        #expect(text(screen).contains("\n  !") && !text(screen).contains("✗"))
      }
      let failure = #"{"message":"\#(error)","type":"E"}"#
      screen.model.apply(
        #"{"kind":"ended","at":5,"step":"\#(id)","state":"failed","failure":\#(failure)}"#, at: 0)
    }
    screen.model.apply(#"{"kind":"launchEnded","at":6,"outcome":"failed","failedStep":"web"}"#, at: 0)
    #expect(screen.selected == "web")
    #expect(text(screen).contains("\n✗ web: no port\n"))
  }

  @Test("A service that is down because of a failure is the cause, and one that ended well is not")
  func failedService() throws {
    var screen = try app()
    func change(_ id: String, _ state: String, _ end: String) {
      screen.model.apply(
        #"{"kind":"serviceChanged","at":9,"step":"\#(id)","state":"\#(state)","end":"\#(end)"}"#, at: 0)
    }
    change("db", "ended", "exited with code 0")
    change("web", "restarting", "was stopped, because db was restarted")
    #expect(!text(screen).contains("✗"))
    change("web", "ended", "exited with code 10")
    #expect(screen.selected == "web")
    #expect(text(screen).contains("\n✗ web has ended: exited with code 10\n"))
    change("web", "restarting", "was killed by SIGKILL")
    #expect(text(screen).contains("\n✗ web is restarting: was killed by SIGKILL\n"))
    change("web", "stopped", "was killed by SIGTERM")
    #expect(!text(screen).contains("✗"))
  }

  @Test("A service whose failed start is allowed is a warning and no cause")
  func allowedService() throws {
    var screen = try screen(allowed: "db")
    for id in ["build", "db", "web"] {
      let failure = id == "db" ? #","failure":{"message":"no port","type":"E"}"# : ""
      let state = id == "db" ? "failed" : "succeeded"
      screen.model.apply(#"{"kind":"started","at":1,"step":"\#(id)","attempt":1}"#, at: 0)
      screen.model.apply(#"{"kind":"ended","at":5,"step":"\#(id)","state":"\#(state)"\#(failure)}"#, at: 0)
    }
    screen.model.apply(#"{"kind":"launchEnded","at":6,"outcome":"succeeded"}"#, at: 0)
    screen.model.apply(Self.measured(db: "failed", web: "ready", at: 1), at: Self.second)
    #expect(text(screen).contains("! db") && !text(screen).contains("✗"))
  }

  @Test("The row of a running step has the last line of its log once")
  func outputs() throws {
    var screen = try screen()
    screen.model.apply(#"{"kind":"started","at":1,"step":"db","attempt":1}"#, at: 0)
    screen.model.apply(
      #"{"kind":"output","at":2,"step":"db","attempt":1,"stream":"stdout","text":"prep"}"#, at: 0)
    #expect(text(screen).contains("  prep\n"))
    screen.lastLines = ["db": "prepared, twice"]
    let shown = text(screen)
    #expect(shown.contains("  prepared, twice\n") && !shown.contains("prep;"))
  }

  @Test("A request asks once, and is sent only after a y")
  func asks() throws {
    var screen = try app()
    _ = screen.takeEffects()
    #expect(type("jr", into: &screen) == [.select(step: "web")])
    #expect(text(screen).contains("restart web?"))
    #expect(type("n", into: &screen).isEmpty)
    #expect(type("ry", into: &screen) == [.request(.restart, id: "web")])
    #expect(type("sy", into: &screen) == [.request(.stop, id: "web")])
    screen.model.apply(Self.measured(db: "ready", web: "stopped", at: 2), at: 2 * Self.second)
    #expect(type("sy", into: &screen) == [.request(.start, id: "web")])
    #expect(type("Khup\r", into: &screen) == [.request(.kill(Signals.hangup), id: "web")])
    #expect(type("K\r", into: &screen) == [.request(.kill(Signals.terminate), id: "web")])
    #expect(type("Khat\r", into: &screen).isEmpty)
    #expect(screen.message == "there is no signal hat")
  }

  @Test("Another user's app, a step and an app that has ended get no request")
  func refuses() throws {
    var other = try app()
    other.isReadOnly = true
    _ = other.takeEffects()
    #expect(type("ry", into: &other).isEmpty)
    #expect(text(other).contains("read-only"))
    var step = try app()
    _ = step.takeEffects()
    #expect(type("Gr", into: &step) == [.select(step: "build")])
    #expect(step.message.hasPrefix("only a service"))
    var over = try app()
    over.isOver = true
    _ = over.takeEffects()
    #expect(type("ry", into: &over).isEmpty)
  }

  @Test("Leaving the view of its own launch asks, and leaving another one does not")
  func leaves() throws {
    var own = try app()
    own.ownsLaunch = true
    own.size = (60, 20)
    _ = own.takeEffects()
    #expect(type("q", into: &own).isEmpty)
    #expect(text(own).hasSuffix("stop it too?   y: yes, n: leave it running, other keys: stay"))
    #expect(type("\u{1B}", into: &own).isEmpty)
    #expect(own.overlay == nil)
    #expect(type("qn", into: &own) == [.quit(stops: false)])
    #expect(type("qy", into: &own) == [.quit(stops: true)])
    var other = try app()
    _ = other.takeEffects()
    #expect(type("\u{3}", into: &other) == [.quit(stops: false)])
  }

  private func lines(_ range: Range<Int>) -> [LogTail.Line] {
    range.map { LogTail.Line(time: nil, step: "db", text: $0 % 10 == 0 ? "error \($0)" : "line \($0)") }
  }

  @Test("The log follows, keeps its place after scrolling and a resize, and follows again")
  func scrolls() throws {
    var screen = try app()
    _ = screen.takeEffects()
    screen.add(lines(1..<100), isReset: true)
    #expect(text(screen).contains("line 99"))
    _ = type("\u{1B}[5~", into: &screen)
    let place = try #require(screen.logEnd)
    let shown = "line \(place)"
    #expect(text(screen).contains(shown) && !text(screen).contains("line 99"))
    screen.size = (60, 20)
    #expect(text(screen).contains(shown) && screen.logEnd == place)
    screen.add(older: lines(-50..<1))
    #expect(text(screen).contains(shown) && screen.logEnd == place + 51)
    _ = type("f", into: &screen)
    #expect(text(screen).contains("line 99"))
  }

  @Test("Keys for the log do nothing to an empty log")
  func empty() throws {
    var screen = try app()
    for key in ["\u{1B}[5~", "n", "N", "\u{1B}[6~", "\rk", "g", "n", "/x\r"] {
      _ = type(key, into: &screen)
      #expect(screen.text().count == 24 && screen.logEnd == nil)
    }
  }

  @Test("At the beginning of the log, scrolling back asks for more of it")
  func readsMore() throws {
    var screen = try app()
    _ = screen.takeEffects()
    screen.add(lines(1..<5), isReset: true)
    screen.hasOlder = true
    #expect(type("\r\u{1B}[5~", into: &screen) == [.readOlder])
    screen.hasOlder = false
    screen.add(older: lines(-5..<1))
    #expect(type("\u{1B}[5~", into: &screen).isEmpty)
  }

  @Test("The key n goes back to errors, or to lines with the text that was searched")
  func finds() throws {
    var screen = try app()
    _ = screen.takeEffects()
    screen.add(lines(1..<100), isReset: true)
    _ = type("n", into: &screen)
    #expect(screen.logEnd == 90)
    _ = type("n", into: &screen)
    #expect(screen.logEnd == 80)
    _ = type("N", into: &screen)
    #expect(screen.logEnd == 90)
    _ = type("/line 4\r", into: &screen)
    #expect(screen.logEnd == 49)
    screen.hasOlder = true
    #expect(type("/nowhere\r", into: &screen) == [.readOlder])
    #expect(screen.isSearching && screen.message == "searching for \"nowhere\" in 99 lines")
    screen.add(older: lines(-50..<1))
    #expect(screen.isSearching && screen.takeEffects() == [.readOlder])
    screen.hasOlder = false
    screen.add(older: lines(-90..<(-50)))
    #expect(!screen.isSearching && screen.message == "no older line with \"nowhere\"")
    #expect(screen.logEnd == 49 + 91)
  }

  @Test("A search goes on in older lines until it finds one, and a key ends it")
  func searches() throws {
    var screen = try app()
    _ = screen.takeEffects()
    screen.add(lines(1..<100), isReset: true)
    screen.hasOlder = true
    #expect(type("/line -77\r", into: &screen) == [.readOlder])
    screen.add(older: lines(-100..<1))
    #expect(!screen.isSearching && screen.message.isEmpty)
    #expect(screen.log[(screen.logEnd ?? 0) - 1].text == "line -77")
    #expect(type("/line -999\r", into: &screen) == [.readOlder])
    #expect(type("j", into: &screen).contains(.select(step: "web")))
    #expect(!screen.isSearching)
  }

  @Test("A log that follows, or is read back, has a limited number of lines")
  func limits() throws {
    var screen = try app()
    _ = screen.takeEffects()
    screen.add(lines(0..<25_000), isReset: true)
    // It begins again with the end of the log.
    #expect(screen.takeEffects() == [.select(step: "db")] && screen.log.isEmpty)
    screen.add(lines(200_000..<200_100), isReset: true)
    _ = type("\u{1B}[5~", into: &screen)
    screen.add(older: lines(0..<200_000))
    #expect(screen.log.count == 100_000)
    _ = screen.takeEffects()
    #expect(type("f", into: &screen) == [.select(step: "db")])
  }

  @Test("Merged logs have the steps before their lines")
  func merges() throws {
    var screen = try app()
    _ = screen.takeEffects()
    #expect(type("a", into: &screen) == [.select(step: nil)])
    screen.add(
      [LogTail.Line(time: 0, step: "db", text: "one"), LogTail.Line(time: 1, step: "web", text: "two")],
      isReset: true)
    _ = type("t", into: &screen)
    let shown = text(screen)
    #expect(shown.contains("00:00:00.000 db  | one") && shown.contains("00:00:00.000 web | two"))
  }

  @Test("The CPU time of two measurements is shown in percent of a core")
  func measures() throws {
    var screen = try app()
    screen.model.apply(
      Self.measured(db: "ready", web: "ready", at: 3, cpu: Self.second / 2), at: 3 * Self.second)
    #expect(screen.model.service("db")?.cpu == [25])
    #expect(screen.model.service("web")?.cpu == [0])
    #expect(text(screen).contains("25%"))
  }

  @Test("An event whose handlers run is in the title, their failure is in view, and they change no step")
  func handlers() throws {
    var screen = try app()
    let before = screen.model.record
    let event = #""event":"openURL""#
    screen.model.apply(
      #"{"kind":"launchStarted","at":2000000000,\#(event),"name":"openURL","steps":["web"]}"#, at: 0)
    #expect(text(screen).contains("handles openURL for 1.00 s"))
    screen.model.apply(#"{"kind":"started","at":2000000000,"step":"web","attempt":1}"#, at: 0)
    screen.model.apply(#"{"kind":"ended","at":2000000001,"step":"web","state":"succeeded"}"#, at: 0)
    screen.model.apply(#"{"kind":"of a later version","at":2000000001}"#, at: 0)
    screen.model.apply("no JSON", at: 0)
    screen.model.apply(
      #"{"kind":"launchEnded","at":2000000002,\#(event),"outcome":"failed","failedStep":"web"}"#, at: 0)
    #expect(
      !text(screen).contains("handles") && text(screen).contains("the handlers of openURL failed at web"))
    screen.model.apply(#"{"kind":"launchStarted","at":2000000002,\#(event)}"#, at: 0)
    for (step, output) in [("hook", "no disk"), ("other", "tolerated")] {
      let message = #""message":"\"sh\" exited with code 1, after this output:\n  \#(output)""#
      screen.model.apply(
        #"{"kind":"ended","at":2000000002,"step":"\#(step)","state":"failed","failure":{\#(message)}}"#, at: 0
      )
    }
    screen.model.apply(
      #"{"kind":"launchEnded","at":2000000002,\#(event),"outcome":"failed","failedStep":"hook"}"#, at: 0)
    #expect(text(screen).contains("the handlers of openURL failed at hook: no disk"))
    screen.model.apply(#"{"kind":"launchEnded","at":2000000003,\#(event),"outcome":"succeeded"}"#, at: 0)
    #expect(!text(screen).contains("openURL"))
    #expect(screen.model.record?.json() == before?.json())
  }

  @Test("During a rollback, the title has the step that is undone")
  func undoes() throws {
    var screen = try screen()
    let failure = #""failure":{"message":"no table","type":"E"}"#
    for line in [
      #"{"kind":"started","at":1,"step":"build","attempt":1}"#,
      #"{"kind":"ended","at":2,"step":"build","state":"succeeded"}"#,
      #"{"kind":"started","at":3,"step":"db","attempt":1}"#,
      #"{"kind":"ended","at":4,"step":"db","state":"failed",\#(failure)}"#,
      #"{"kind":"undoStarted","at":1000000000,"step":"build"}"#,
    ] {
      screen.model.apply(line, at: 0)
    }
    screen.now = 2 * Self.second
    #expect(text(screen).contains("undoing build for 1.00 s  2/3 steps  2.00 s"))
    screen.model.apply(#"{"kind":"undoEnded","at":2000000000,"step":"build"}"#, at: 0)
    #expect(!text(screen).contains("undoing"))
  }

  @Test("A view tells the end of an app from a crash")
  func ends() throws {
    var crashed = try app()
    crashed.isOver = true
    #expect(text(crashed).contains("crashed or was killed; "))
    var ended = try app()
    ended.model.apply(#"{"kind":"appEnded","at":5000000000}"#, at: 0)
    ended.isOver = true
    #expect(text(ended).contains("ended; "))
    var launching = try screen()
    launching.isOver = true
    #expect(text(launching).contains("crashed or was killed during the launch"))
  }

  @Test("An explanation says what a step waits for")
  func explains() throws {
    let steps = ["first", "second"].map { LaunchStep(FakeCommand(), id: $0) }
    let plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    var screen = LiveScreen(style: TextStyle())
    let record = LaunchRecord(outline: plan.outline, startedAt: "")
    screen.model.apply(WatchLines.snapshot(of: record, at: 0, status: nil, expected: [:]), at: 0)
    screen.model.apply(#"{"kind":"started","at":0,"step":"first","attempt":1}"#, at: 0)
    screen.now = 2 * Self.second
    _ = type("je", into: &screen)
    let shown = text(screen)
    #expect(shown.contains("second is waiting for first"))
    #expect(shown.contains("first is running for 2.00 s"))
  }

  @Test("The help has the keys for the first and the last row, and fits 60 columns and 20 rows")
  func help() throws {
    var screen = try app()
    screen.size = (60, 20)
    _ = type("?", into: &screen)
    let rows = screen.text()
    for row in LiveScreen.help { #expect(rows.contains(row)) }
    #expect(LiveScreen.help.contains { $0.hasPrefix("Home, g, End, G ") })
  }

  @Test("Keys are read from bytes, and unknown sequences are left out")
  func keys() {
    let bytes = Array("a\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[1;5C\u{1B}[24~é\r\u{7F}\u{3}\u{1A}\u{C}\u{1B}".utf8)
    #expect(
      LiveKey.keys(in: bytes) == [
        .character("a"), .up, .down, .pageUp, .character("é"), .enter, .erase, .interrupt, .suspend, .redraw,
        .escape,
      ])
  }

  @Test("A curve has the newest values on the right")
  func curve() {
    #expect(LiveRow.curve([0, 50, 100], columns: 60, top: 100, TextStyle()).hasSuffix(" ▁▅█"))
    #expect(LiveRow.curve([1, 1], columns: 3, top: 1, TextStyle(usesASCII: true)) == "  #")
    #expect(LiveRow.curve([], columns: 3, top: 0, TextStyle()) == "   ")
  }
}
