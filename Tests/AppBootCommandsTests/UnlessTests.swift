import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

/// Steps that turn out to be unnecessary when their turn comes.
@Suite("Steps with an unless", .ownThread)
struct UnlessTests {
  /// A command on the main lane that writes a file.
  private struct Write: Command {
    @Parameter("The path.") var path: String

    func execute(in context: LaunchContext) throws { try UnlessTests.write(path, in: context) }
  }

  /// An asynchronous command that writes a file.
  private struct WriteLater: AsyncCommand {
    @Parameter("The path.") var path: String

    func execute(in context: LaunchContext) async throws { try UnlessTests.write(path, in: context) }
  }

  private static func write(_ path: String, in context: LaunchContext) throws {
    try FileSystem.writeFile(atomically: [], to: FileSystem.join(context.directory, path))
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func launch(_ commands: String) -> TestLaunch {
    var launch = TestLaunch("[\(commands)]")
    launch.directory = directory.path
    launch.registry.register([Write.self, WriteLater.self])
    return launch
  }

  /// Returns an entry of each kind of command that writes a file.
  private func entry(_ command: String, _ path: String, _ members: String) -> String {
    let with =
      command == "RunProcess" ? #"{ "arguments": ["touch", "\#(path)"] }"# : #"{ "path": "\#(path)" }"#
    return #"{ "command": "\#(command)", "id": "\#(path)", "with": \#(with), \#(members) }"#
  }

  private func exists(_ name: String) -> Bool { FileSystem.exists(directory.file(name)) }

  private static let kinds = ["Write", "WriteLater", "RunProcess"]

  @Test("A step whose file exists is skipped, and the steps after it run", arguments: kinds)
  func file(kind: String) throws {
    try directory.write("index", "")
    let record = try launch(
      entry(kind, "a", #""unless": { "file": "index" }"#) + ", " + entry(kind, "b", #""comment": """#)
    ).run()
    #expect(record.succeeded)
    #expect(record[0].state == .skipped(.unnecessary(#""index" exists"#)))
    #expect(record[1].state == .succeeded)
    #expect(!exists("a") && exists("b"))
  }

  @Test("A step whose program succeeds is skipped; one whose program fails runs", arguments: kinds)
  func command(kind: String) throws {
    let record = try launch(
      entry(kind, "a", #""unless": { "command": ["sh", "-c", "exit 0"] }"#) + ", "
        + entry(kind, "b", #""unless": { "command": ["sh", "-c", "exit 1"] }"#) + ", "
        + entry(kind, "c", #""unless": { "command": ["sh", "-c", "kill -9 $$"] }"#)
    ).run()
    #expect(record.succeeded)
    #expect(record[0].state == .skipped(.unnecessary(#""sh -c exit 0" succeeded"#)))
    #expect(record.map(\.state.name) == ["skipped", "succeeded", "succeeded"])
    #expect(!exists("a") && exists("b") && exists("c"))
  }

  @Test(
    "An unless is evaluated when the step's turn comes: an earlier step can make it hold", arguments: kinds)
  func turn(kind: String) throws {
    let first = entry(kind, "index", #""unless": { "file": "index" }"#)
    let record = try launch(first + ", " + entry(kind, "a", #""unless": { "file": "index" }"#)).run()
    #expect(record.map(\.state.name) == ["succeeded", "skipped"])
  }

  @Test("A program that cannot be started fails the step", arguments: kinds)
  func missing(kind: String) throws {
    let record = try launch(entry(kind, "a", #""unless": { "command": ["./no-such-program"] }"#)).run()
    let message = record[0].state.failure?.message
    #expect(
      message == #"the program of "unless" cannot be started: there is no program "./no-such-program""#)
    #expect(!exists("a"))
  }

  @Test("Only the first attempt evaluates the unless: files of a failed attempt do not count")
  func retry() throws {
    let script = #"{ "arguments": ["sh", "-c", "test -e index && touch done; touch index; test -e done"] }"#
    let record = try launch(
      #"{ "command": "RunProcess", "with": \#(script), "retry": { "attempts": 2, "backoff": "1ms" }, "unless": { "file": "index" } }"#
    ).run()
    #expect(record.succeeded)
    #expect(record[0].details.attempts.count == 2)
    #expect(exists("done"))
  }

  @Test(
    "The program of an unless runs in the manifest's directory with the step's variables; its output is dropped"
  )
  func surroundings() throws {
    let log = LineLog()
    let check = #"["sh", "-c", "echo noise; echo $APPBOOT_STEP > seen; yes | head -c 300000; exit 3"]"#
    let record = try launch(entry("RunProcess", "a", #""unless": { "command": \#(check) }"#)).run([log])
    #expect(record.succeeded)
    #expect(log.lines == [])
    #expect(try FileSystem.readFile(directory.file("seen")) == Array("a\n".utf8))
  }

  @Test("The step's timeout bounds the program of its unless, and the failure names it")
  func timeout() throws {
    let check = #""unless": { "command": ["sh", "-c", "sleep 1000 & wait"] }, "timeout": "50ms""#
    let record = try launch(entry("RunProcess", "a", check)).run()
    let failure = record[0].state.failure
    #expect(failure?.description == #"timed out after 50ms: "sh" of "unless" has not ended"#)
    #expect(!exists("a"))
  }

  @Test("The program of an unless runs in the directory of its step and with the step's environment")
  func surroundingsOfStep() throws {
    let other = try TemporaryDirectory()
    try other.write("here", "")
    let record = try launch(
      #"""
      { "command": "RunProcess", "unless": { "command": ["sh", "-c", "[ -e here ] && [ $A = b ]"] },
        "with": { "arguments": ["false"], "directory": "\#(other.path)", "environment": { "A": "b" } } }
      """#
    ).run()
    #expect(record.succeeded)
  }

  @Test("A step that the plan skips does not evaluate its unless")
  func plannedSkip() throws {
    let entry = entry(
      "RunProcess", "a", #""when": { "platform": "tvos" }, "unless": { "command": ["touch", "seen"] }"#)
    let record = try launch(entry).run()
    #expect(record[0].state.name == "skipped")
    #expect(!exists("seen"))
  }

  @Test("A record with an unless is the same after it was written and read")
  func record() throws {
    try directory.write("index", "")
    let record = try launch(entry("RunProcess", "a", #""unless": { "file": "index" }"#)).run()
    let again = try LaunchRecord(json: record.json())
    #expect(again[0].state == record[0].state)
    #expect(again.json() == record.json())
  }
}
