import AppBoot
import AppBootTestKit
import AppBootTestSupport
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
}

private struct NoDisk: Error, CustomStringConvertible {
  let description = "no disk"
}

@Suite("A launch with its values", .ownThread)
struct CompletedLaunchTests {
  private let provider = FakeCommand { $0.provide(8080, for: .port) }

  @Test("A launch has the values that its commands provided")
  func values() throws {
    let launch = try LaunchPlan(sequence: [provider]).launchBlocking()
    #expect(try launch.require(.port) == 8080)
    #expect(launch.value(for: .port) == 8080)
    #expect(launch.record.succeeded)
  }

  @Test("An asynchronous launch has the values that its commands provided")
  func asynchronous() async throws {
    let reader = FakeAsyncCommand { context in _ = try context.require(.port) }
    let plan = LaunchPlan(sequence: [provider, reader])
    #expect(try await plan.launch().require(.port) == 8080)
  }

  @Test("The error names a step that threw CancellationError")
  func cancelledItself() async {
    let plan = LaunchPlan(sequence: [FakeAsyncCommand { _ in throw CancellationError() }])
    let error = await #expect(throws: LaunchFailed.self) { try await plan.launch() }
    #expect(
      error?.description
        == #"the launch failed; "FakeAsync": the command cancelled itself: it threw CancellationError"#)
  }

  @Test("The error names the missing value")
  func missing() throws {
    let launch = try LaunchPlan(sequence: [FakeCommand()]).launchBlocking()
    #expect(throws: ContextValueError(name: "port", .missing(providers: []))) { try launch.require(.port) }
  }

  @Test("The error names the providers that were skipped or failed")
  func notProvided() throws {
    let plan = try StartupCommandsBuilder {
      Step("skipped", providing: ContextKey<Int>.port) { _ in 80 }
      Step("failed", providing: ContextKey<Int>.port) { _ in throw NoDisk() }.onFailure(.continue)
      Step("reader") { _ = try $0.require(.port) }.onFailure(.continue)
    }.build().skipping(["skipped"])
    let launch = try plan.launchBlocking()
    let words = #"the context has no value "port": "skipped" was skipped, "failed" failed"#
    #expect(launch.record["reader"]?.state.failure?.message == words)
    let error = #expect(throws: ContextValueError.self) { try launch.require(.port) }
    #expect(error?.description == words)
  }

  @Test("The error of a step names the step before it that did not provide the value")
  func forgotten() {
    struct Forgetful: Command {
      static let options = CommandOptions(provides: .port)
      func execute(in context: LaunchContext) {}
    }
    let reader = FakeCommand { _ = try $0.require(ContextKey<Int>.port) }
    let record = LaunchPlan(sequence: [Forgetful(), reader]).runBlocking()
    let words = #"the context has no value "port": "Forgetful" did not provide it"#
    #expect(record[1].state.failure?.message == words)
  }

  @Test("The error of a step names the step after it that provides the value")
  func notYetProvided() {
    let reader = FakeCommand { _ = try $0.require(ContextKey<Int>.port) }
    struct Late: Command {
      static let options = CommandOptions(provides: .port)
      func execute(in context: LaunchContext) {}
    }
    let record = LaunchPlan(sequence: [reader, Late()]).runBlocking()
    #expect(
      record[0].state.failure?.message
        == #"the context has no value "port" yet: run this command after "Late", which provides it"#)
  }

  @Test("The error names both types of a value if two keys share its name")
  func mismatch() throws {
    let launch = try LaunchPlan(sequence: [provider]).launchBlocking()
    #expect(throws: ContextValueError(name: "port", .mismatch(.init(expected: "String", found: "Int")))) {
      try launch.require(ContextKey<String>("port"))
    }
  }

  @Test("A failed launch throws an error with the record and each failure")
  func failed() throws {
    let plan = LaunchPlan(sequence: [provider, FakeCommand { _ in throw NoDisk() }])
    let error = try #require(throws: LaunchFailed.self) { try plan.launchBlocking() }
    #expect(error.record.failures.map(\.id) == ["Fake-2"])
    #expect(error.description == #"the launch failed; "Fake-2": no disk"#)
  }

  @Test("The error of a failed launch names each undo that failed")
  func failedUndo() throws {
    struct Sync: UndoableCommand {
      func execute(in context: LaunchContext) {}
      func undo(in context: LaunchContext) throws { throw NoDisk() }
    }
    var last = LaunchStep(FakeCommand { _ in throw NoDisk() }, id: "last")
    last.onFailure = .rollback
    let plan = try LaunchPlan(steps: [(LaunchStep(Sync()), nil), (last, nil)])
    let error = try #require(throws: LaunchFailed.self) { try plan.launchBlocking() }
    #expect(error.description == #"the launch failed; "last": no disk; the undo of "Sync": no disk"#)
  }

  @Test("A plan and a record describe themselves in one line")
  func descriptions() {
    let plan = LaunchPlan(sequence: [provider, FakeCommand { _ in throw NoDisk() }])
    #expect("\(plan)" == "launch: 2 steps: Fake, Fake-2")
    let record = plan.runBlocking()
    #expect("\(record)".hasPrefix("launch failed after ") && "\(record)".hasSuffix(": Fake-2: no disk"))
    let long = LaunchPlan(sequence: (0..<30).map { _ in FakeCommand() })
    #expect(
      "\(long)".hasSuffix("Fake-20 and 10 more") && "\(LaunchPlan(sequence: []))" == "launch: no steps")
  }

  @Test("A second launch with the same runner throws an error")
  func second() throws {
    let runner = LaunchRunner(LaunchPlan(sequence: [FakeCommand { _ in throw NoDisk() }]))
    #expect(throws: LaunchFailed.self) { try runner.launchBlocking() }
    #expect(throws: LaunchFailed.self) { try runner.launchBlocking() }
  }
}

@Suite("A value that code provides before the launch", .ownThread)
struct ProvidedValueTests {
  private struct Listen: Command {
    static let options = CommandOptions(abstract: "Listens.")
    func execute(in context: LaunchContext) throws { context.note("\(try context.require(.port))") }
  }

  private struct ChoosePort: Command {
    static let options = CommandOptions(abstract: "Chooses a port.", provides: .port)
    func execute(in context: LaunchContext) { context.provide(9090, for: .port) }
  }

  private func builder(_ commands: String) throws -> StartupCommandsBuilder {
    try StartupCommandsBuilder(
      parsing: #"{ "version": 1, "commands": [\#(commands)] }"#,
      registry: CommandRegistry(Listen.self, ChoosePort.self))
  }

  @Test("A provided value is available in each launch of the plan")
  func eachLaunch() throws {
    let plan = try builder(#""Listen""#).providing(8080, for: .port).build()
    for _ in 0..<2 { #expect(plan.runBlocking().first?.details.note == "8080") }
  }

  @Test("A command can replace a provided value, for that launch only")
  func replaced() throws {
    let plan = try builder(#""Listen", "ChoosePort""#).providing(8080, for: .port).build()
    for _ in 0..<2 {
      let launch = try plan.launchBlocking()
      #expect(launch.record.first?.details.note == "8080")
      #expect(try launch.require(.port) == 9090)
    }
  }
}
