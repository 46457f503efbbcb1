import AppBoot
import AppBootSystem
import Testing

@Suite("The logs subcommand")
struct LogsTests {
  private let two =
    "[\(Entry.shell("echo one; echo two >&2", id: "a")), \(Entry.shell("printf three", id: "b"))]"

  @Test("logs shows the output of each step after its id")
  func all() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == "a | one\na | two\nb | three\n")
    #expect(result.status == 0)
  }

  @Test("logs of a step shows its lines alone, of the last launch")
  func one() throws {
    let launch = try ToolProcess("run").manifest(two)
    for _ in 0..<2 { #expect(try launch.run().status == 0) }
    let result = try ToolProcess("logs", "a", "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == "one\ntwo\n")
    let files = try FileSystem.list(launch.directory.file(".appboot/logs"))
    #expect(files == ["a.1.log", "a.log", "b.1.log", "b.log"])
  }

  @Test("The attempts of a step share the log of the launch")
  func attempts() throws {
    let entry = Entry.shell(
      "echo try; [ -e done ] || { echo x > done; exit 1; }", id: "a", #""retry": { "attempts": 2 }"#)
    let launch = try ToolProcess("run").manifest("[\(entry)]")
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", "a", "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == "try\ntry\n")
  }

  @Test("The manifest limits the size and the number of the logs")
  func limits() throws {
    let entry = Entry.shell("head -c 20000 /dev/zero", id: "a")
    let members = #""name": "Test", "logs": { "maxSize": "4KiB", "files": 2 }"#
    let launch = try ToolProcess("run").manifest("[\(entry)]", members: members)
    #expect(try launch.run().status == 0)
    let directory = launch.directory.file(".appboot/logs")
    #expect(try FileSystem.list(directory) == ["a.1.log", "a.log"])
    #expect(FileSystem.size(of: FileSystem.join(directory, "a.1.log")) == 4096)
  }

  @Test("logs of an unknown step names those that have a log")
  func unknown() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", "x", "--state", launch.directory.file(".appboot")).run()
    #expect(result.status == 4)
    #expect(
      result.errors.contains("there is no log of a step \"x\"") && result.errors.contains("with a log: a, b"))
    let none = try ToolProcess("logs").run()
    #expect(none.status == 4 && none.errors.contains("there are no logs in"))
  }

  @Test("A process that a step leaves running writes to its log, and no broken pipe kills it")
  func leftover() throws {
    // The step ends at once; its child prints when the test asks for it, long after the launch.
    let child = "read x < go; echo late; echo later; echo done > end"
    let script = "mkfifo go end; (\(child)) & true"
    let launch = try ToolProcess("run").manifest("[\(Entry.shell(script, id: "a"))]")
    #expect(try launch.run().status == 0)
    let directory = launch.directory
    let following = try ToolProcess("logs", "a", "--follow", "--state", directory.file(".appboot"))
    #expect(try following.run().status == 4)
    let asking = try ProcessRequest(
      ["sh", "-c", "echo x > go; cat end"], directory: directory.path, captureOutput: true
    ).start()
    #expect(asking.wait() == .exited(0))
    let running = try ToolProcess("logs", "a", "--follow", "--state", directory.file(".appboot")).start()
    #expect(try running.waitForOutput("late\nlater\n"))
    running.signal(Signals.terminate)
    #expect(running.end() == .signalled(Signals.terminate))
  }

  @Test("Every line is followed, also across many full files")
  func rotation() throws {
    let script = "mkfifo go; echo start; (read x < go; seq 1 3000; echo end) & true"
    let launch = try ToolProcess("run").manifest(
      "[\(Entry.shell(script, id: "a"))]",
      members: #""name": "Test", "logs": { "maxSize": "4KiB", "files": 50 }"#)
    #expect(try launch.run().status == 0)
    let directory = launch.directory
    let running = try ToolProcess("logs", "a", "--follow", "--state", directory.file(".appboot")).start()
    #expect(try running.waitForOutput("start\n"))
    let asking = try ProcessRequest(["sh", "-c", "echo x > go"], directory: directory.path).start()
    #expect(asking.wait() == .exited(0))
    let lines = (1...3000).map { "\($0)\n" }.joined()
    #expect(try running.waitForOutput("start\n\(lines)end\n"))
    running.signal(Signals.terminate)
    #expect(running.end() == .signalled(Signals.terminate))
  }
}
