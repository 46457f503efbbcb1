import AppBootTestKit
import Testing
import AppBootTestSupport

@testable import AppBoot

@Suite("The first launch")
struct FirstLaunchTests {
  private let state = MemoryStateStore()

  private func plan(_ commands: String = #""commands": ["Fake"]"#) throws -> LaunchPlan {
    let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: "{ \(commands) }"))
    return try StartupCommandsBuilder(manifest: manifest, registry: CommandRegistry(FakeCommand.self))
      .state(state).build()
  }

  private func isFirst() throws -> Bool { try plan().environment.isFirstLaunch }

  @Test("A successful launch is stored, so that the next one is not the first")
  func stored() async throws {
    #expect(try isFirst())
    #expect(try await plan().run().succeeded)
    #expect(try !isFirst())
  }

  @Test("A successful launch that blocks its caller is stored")
  func blocking() throws {
    #expect(try plan().runBlocking().succeeded)
    #expect(try !isFirst())
  }

  @Test("A launch that failed is not stored")
  func failed() async throws {
    let record = await LaunchPlan(sequence: [FakeCommand { _ in throw Mishap() }], state: state).run()
    #expect(!record.succeeded)
    #expect(state.read(FirstLaunch.name) == nil)
  }

  @Test("A launch whose state cannot be read is not a first launch, and a skipped step says why")
  func unreadable() throws {
    let plan = try LaunchPlan("notes", state: UnreadableState()) {
      Step("clear", FakeCommand()).when(.firstLaunch)
      On(.didBecomeActive) { Step("greet", FakeCommand()).when(.firstLaunch) }
    }
    #expect(!plan.environment.isFirstLaunch)
    let reason = "not known to be the first launch: the state cannot be read: \(Mishap())"
    #expect(plan.outline.first?.skip == .condition(reason))
    #expect(plan.events["didBecomeActive"]?.environment.firstLaunchProblem != nil)
  }

  @Test("After markLaunched, the next launch is not the first")
  func adopted() throws {
    try state.markLaunched(manifest: "commands.json")
    #expect(try !isFirst())
  }

  @Test("The handlers of an event do not count as a launch")
  func event() async throws {
    let plan = try plan(#""commands": [], "on": { "willTerminate": ["Fake"] }"#)
    #expect(await plan.events["willTerminate"]?.run().succeeded == true)
    #expect(try isFirst())
  }

  @Test("Only the first launch is stored")
  func later() async throws {
    _ = try await plan().run()
    var later = try plan()
    let emptied = MemoryStateStore()
    later.environment.state = emptied
    _ = await later.run()
    #expect(emptied.read(FirstLaunch.name) == nil)
  }
}

private final class UnreadableState: StateStore {
  var place: String { "nowhere" }
  func read(_ name: String) throws -> [UInt8]? { throw Mishap() }
  func write(_ name: String, _ bytes: [UInt8]) throws { throw Mishap() }
}
