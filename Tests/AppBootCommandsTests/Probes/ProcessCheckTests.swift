import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("A probe by a program", .ownThread)
struct ProcessCheckTests {
  private let context = LaunchPlan(sequence: [WaitFor()]).detachedContexts()(0)

  private func probe(_ script: String) -> Probe {
    Probe(ProcessCheck(command: ["/bin/sh", "-c", script], in: context))
  }

  @Test("Exit code 0 is ready")
  func ready() { #expect(probe("exit 0").end() == .ready(#""/bin/sh" exited with code 0"#)) }

  @Test("Another exit code is not ready, and shows the last line of the output")
  func unready() {
    #expect(probe("echo a; echo b >&2; exit 2").seen() == #""/bin/sh" exited with code 2: b (1 attempt)"#)
    #expect(probe("kill -9 $$").seen() == #""/bin/sh" was killed by SIGKILL (1 attempt)"#)
  }

  @Test("The program of a probe has the step's id in its environment")
  func stepVariables() {
    #expect(
      probe("echo $APPBOOT_STEP $APPBOOT_ATTEMPT; exit 1").seen()?.contains("code 1: WaitFor 1 (") == true)
  }

  @Test("A program is started again until it succeeds")
  func again() throws {
    let directory = try TemporaryDirectory()
    let probe = probe("cd '\(directory.path)' && test -e b || { test -e a && touch b; touch a; exit 1; }")
    #expect(probe.end() == .ready(#""/bin/sh" exited with code 0"#))
  }

  @Test("A program that does not exist fails the probe")
  func missing() {
    let probe = Probe(ProcessCheck(command: ["/no/such/program"], in: context))
    #expect(probe.advance() == .failed(#"there is no program "/no/such/program""#))
  }

  @Test("More output than is stored does not block the program")
  func flood() {
    #expect(probe("yes | head -c 1000000").end() == .ready(#""/bin/sh" exited with code 0"#))
  }

  @Test("Closing the probe kills the program and its children")
  func closed() throws {
    let directory = try TemporaryDirectory()
    let probe = probe("cd '\(directory.path)'; sleep 1000 & echo $$ $! > pids.new; mv pids.new pids; wait")
    while !FileSystem.exists(directory.file("pids")) { _ = probe.advance() }
    let text = String(decoding: try FileSystem.readFile(directory.file("pids")), as: UTF8.self)
    let pids = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
    #expect(pids.count == 2)
    probe.close()
    for pid in pids { #expect(isGone(pid)) }
  }

  @Test("Only env placeholders of an argument are replaced")
  func arguments() throws {
    var launch = TestLaunch(
      #"""
      [ { "command": "WaitFor", "with": {
          "command": ["sh", "-c", "x={env.WORD}; test \"${x}\" = 'a{b}' && test '{}{env}{x' = '{}{'env}'{'x" ] } } ]
      """#)
    launch.environment = ["WORD": "'a{b}'", "PATH": "/usr/bin:/bin"]
    #expect(try launch.run().succeeded)
  }

  @Test("An https URL is fetched by curl, whose failure is shown")
  func curl() throws {
    // A port below 1024 is never assigned to another test, as a closed one could be.
    let expectation = try HTTPExpectation(HTTPProbe(url: "https://127.0.0.1:1/?secret"), in: context)
    let seen = Probe(try ProcessCheck(curl: expectation, in: context)).seen()
    #expect(seen?.hasPrefix("no response from https://127.0.0.1:1/: ") == true)
  }
}
