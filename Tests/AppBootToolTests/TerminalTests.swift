#if os(Linux)
import AppBoot
import AppBootSystem
import Testing

@Suite("Programs and the terminal")
struct ProgramTerminalTests {
  @Test(
    "A program that asks for the terminal fails at that moment, and its group is killed",
    arguments: [("read x </dev/tty", "SIGTTIN"), ("stty -echo </dev/tty", "SIGTTOU")])
  func asks(script: String, signal: String) throws {
    let terminal = try PseudoTerminal()
    let tool = try ToolProcess("run")
      .manifest("[\(Entry.shell("sleep 600 & echo $! >pid; echo asking; \(script)", id: "a"))]")
      .terminal(terminal)
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(result.output.contains(#""sh" asked for the terminal (\#(signal)), and a step has none"#))
    #expect(result.output.contains("asking"))
    let pid = String(decoding: try FileSystem.readFile(tool.directory.file("pid")), as: UTF8.self).dropLast()
    #expect(!Signals.send(0, to: try #require(Int32(pid))))
  }

  private func service(_ script: String) -> String {
    #"{ "command": "RunService", "id": "web", "with": { "ready": { "output": "^up" }, "#
      + #""arguments": ["sh", "-c", "\#(script)"] } }"#
  }

  @Test("A service that asks for the terminal before it is ready fails its step")
  func asksBeforeReady() throws {
    let terminal = try PseudoTerminal()
    let result = try ToolProcess("run").manifest("[\(service("read x </dev/tty"))]").terminal(terminal).run()
    #expect(result.status == 1)
    #expect(result.output.contains(#""sh" asked for the terminal (SIGTTIN), and a service has none"#))
  }

  @Test("A service that asks for the terminal after it was ready ends with that reason")
  func asksAfterReady() throws {
    let terminal = try PseudoTerminal()
    let result = try ToolProcess("run").manifest("[\(service("echo up; read x </dev/tty"))]")
      .terminal(terminal).run()
    #expect(result.status == 1)
    #expect(result.errors.contains(#"web was killed: "sh" asked for the terminal (SIGTTIN)"#))
  }
}
#endif
