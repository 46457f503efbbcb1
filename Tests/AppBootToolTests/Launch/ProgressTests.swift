import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Progress without a terminal", .ownThread)
struct ProgressTests {
  /// The second step waits until the test has seen the first one's row.
  private let waiting = "while [ ! -e go ]; do sleep 0.01; done"

  private func go(_ tool: ToolProcess) throws {
    try FileSystem.writeFile(atomically: [], to: tool.directory.file("go"))
  }

  @Test("A step's row is printed as it ends, while the next step runs", arguments: [[], ["--stay"]])
  func rows(arguments: [String]) throws {
    let tool = try ToolProcess("run").with(arguments)
      .manifest("[\(Entry.shell("true", id: "a")), \(Entry.shell(waiting, id: "b"))]")
    let running = try tool.start()
    #expect(try running.waitForOutput("✓ a "))
    try go(tool)
    #expect(try running.waitForOutput("Test booted in "))
    running.signal(Signals.terminate)
    let result = try running.finish()
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("waited ") }
    #expect(lines.count == 3, "\(result.output)")
  }

  @Test("A failure is printed at once with its reason, and once only")
  func failure() throws {
    let failing = Entry.shell("echo broken pipe; exit 3", id: "a", #""onFailure": "continue""#)
    let tool = try ToolProcess("run").manifest("[\(failing), \(Entry.shell(waiting, id: "b"))]")
    let running = try tool.start()
    #expect(
      try running.waitForOutput("exited with code 3, expected 0, after this output:\n    broken pipe\n"))
    try go(tool)
    let result = try running.finish()
    #expect(result.output.split(separator: "\n").count { $0.contains("warning: a (RunProcess) failed") } == 1)
    #expect(
      result.output.split(separator: "\n").count { $0.hasPrefix("! a ") && $0.hasSuffix("broken pipe") } == 1)
    #expect(result.output.hasSuffix("1 allowed failure\n"))
  }

  @Test("--quiet prints a failure at once on standard error, and nothing else")
  func quiet() throws {
    let failing = Entry.shell("exit 3", id: "a", #""onFailure": "continue""#)
    let tool = try ToolProcess("run", "--quiet").manifest(
      "[\(failing), \(Entry.shell(waiting, id: "b"))]"
    ).script(#"exec "$0" "$@" 2>&1"#)
    let running = try tool.start()
    #expect(try running.waitForOutput("exited with code 3"))
    try go(tool)
    let result = try running.finish()
    #expect(result.output.hasPrefix("commands.json:2:29: warning: a (RunProcess) failed (allowed)\n"))
    #expect(!result.output.contains("booted"))
  }

  @Test("The launch is shown before its event handlers run, and each of them once")
  func handlers() throws {
    let screen = #"{ "command": "InitialScreen", "with": { "default": "Home" } }"#
    let lists = #"{ "didShowFirstScreen": [\#(Entry.shell(waiting, id: "later"))] }"#
    let tool = try ToolProcess("run").manifest("[\(screen)]", members: #""name": "Test", "on": \#(lists)"#)
    let running = try tool.start()
    #expect(try running.waitForOutput("Test booted in "))
    try go(tool)
    let result = try running.finish()
    let lines = result.output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("Test booted in ") } == 1)
    #expect(lines.count { $0 == "on didShowFirstScreen" } == 1)
    #expect(lines.last?.hasPrefix("didShowFirstScreen done in ") == true)
  }
}
