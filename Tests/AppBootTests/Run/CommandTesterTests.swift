import AppBoot
import AppBootTestKit
import AppBootTestSupport
import Testing

extension ContextKey where Value == [String] {
  fileprivate static var words: Self { Self("words") }
}

extension ContextKey where Value == Int {
  fileprivate static var count: Self { Self("count") }
}

private struct Missing: Error, CustomStringConvertible {
  let description = "no words"
}

private struct CountWords: UndoableCommand {
  static let options = CommandOptions(provides: .count, requires: .words)
  @Parameter("The file of the count.") var file = "count"

  func execute(in context: LaunchContext) throws {
    let words = try context.require(.words)
    if words.isEmpty { throw Missing() }
    try context.measure("write") { try context.state.write(file, Array("\(words.count)".utf8)) }
    context.provide(words.count, for: .count)
    context.note(context.environment("LANG") ?? "no language")
    try context.emit("counted")
  }

  func undo(in context: LaunchContext) throws { try context.state.write(file, []) }
}

@Suite("A test of a command")
struct CommandTesterTests {
  private let tester = CommandTester(CountWords()).providing(["a", "b"], for: .words)

  @Test("The result has the values, note, spans and events of the command")
  func result() async {
    let result = await tester.environment(["LANG": "C"]).run()
    #expect(result.failure == nil)
    #expect(result.value(for: .count) == 2)
    #expect(result.note == "C")
    #expect(result.spans == ["write"])
    #expect(result.emitted == ["counted"])
  }

  @Test("A test has no environment variables of the process, and an empty state")
  func isolation() async throws {
    let result = await tester.run()
    #expect(result.note == "no language")
    let state = MemoryStateStore()
    _ = await tester.state(state).run()
    #expect(state.read("count") == Array("2".utf8))
  }

  @Test("A secret of the command is hidden in the result")
  func secret() async {
    struct Upload: Command {
      @Parameter("The token.") var token: Secret
      func execute(in context: LaunchContext) { context.note("sent \(token.reveal())") }
    }
    var command = Upload()
    command.token = Secret("hunter22")
    #expect(await CommandTester(command).run().note == "sent ***")
  }

  @Test("The result of a command that failed has the failure and no values")
  func failure() async {
    let result = await CommandTester(CountWords()).providing([], for: .words).run()
    #expect(result.failure?.message == "no words")
    #expect(result.value(for: .count) == nil)
  }

  @Test("A command that rejects its values, or those of a group, fails and does not run")
  func rejected() async {
    struct Port: ParameterGroup {
      @Parameter("The number.") var number = 0
      func validate(_ validation: inout ParameterValidation) {
        if number == 0 { validation.reject("must not be 0", at: "number") }
      }
    }
    struct Listen: Command {
      @Parameter("The ports.") var ports: [Port]
      func validate(_ validation: inout ParameterValidation) {
        if ports.count < 2 { validation.reject("needs two ports") }
      }
      func execute(in context: LaunchContext) { context.note("listens") }
    }
    var command = Listen()
    #expect(
      await CommandTester(command).run().failure?.message
        == "Listen needs \"ports\": set it before the plan is made")
    command.ports = [Port()]
    let result = await CommandTester(command).run()
    #expect(result.failure?.message == "\"ports[0].number\" must not be 0; Listen needs two ports")
    #expect(result.note == nil)
    let plan = LaunchPlan(sequence: [command])
    #expect(await plan.run().first?.state.failure == result.failure)
  }

  @Test("A command without its value fails as it would in a launch")
  func missing() async {
    let result = await CommandTester(CountWords()).run()
    #expect(result.failure?.message.hasPrefix("no value \"words\"") == true)
  }

  @Test("A command is undone as if a later command had failed")
  func undo() async {
    let state = MemoryStateStore()
    let result = await tester.state(state).runAndUndo()
    #expect(result.step.details.undo?.failure == nil)
    #expect(result.step.details.undo != nil)
    #expect(state.read("count") == [])
  }

  @Test("A test with the state of an earlier launch is no first launch")
  func firstLaunch() async throws {
    let look = FakeCommand { $0.note($0.isFirstLaunch ? "first" : "later") }
    let state = MemoryStateStore()
    for _ in 0..<2 { #expect(await CommandTester(look).state(state).run().note == "first") }
    _ = await LaunchPlan(sequence: [look], state: state).run()
    #expect(await CommandTester(look).state(state).run().note == "later")
  }

  @Test("A timeout ends an asynchronous command")
  func timeout() async {
    let (never, source) = AsyncStream.makeStream(of: Void.self)
    let endless = FakeAsyncCommand { _ in for await _ in never {} }
    let result = await CommandTester(endless).timeout(.milliseconds(1)).run()
    #expect(result.step.state.name == "timedOut")
    source.finish()
  }
}
