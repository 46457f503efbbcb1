import AppBootTestKit
import Testing

@testable import AppBoot

@Suite("The first launch")
struct FirstLaunchTests {
  private func plan(_ state: MemoryStateStore) throws -> StartupPlan {
    let manifest = try Manifest(
      parsing: SourceText(name: "commands.json", text: #"{ "commands": ["Fake"] }"#))
    return try StartupCommandsBuilder(manifest: manifest, registry: CommandRegistry(FakeCommand.self))
      .setState(state).build()
  }

  @Test("A successful first launch is stored, so that the next is not the first")
  func noted() throws {
    let state = MemoryStateStore()
    let first = try plan(state)
    #expect(first.environment.isFirstLaunch)
    #expect(try plan(state).environment.isFirstLaunch)
    try FirstLaunch.markSucceeded(first, in: state)
    #expect(try !plan(state).environment.isFirstLaunch)
  }

  @Test("Only the first launch stores a mark")
  func later() throws {
    let state = MemoryStateStore()
    try FirstLaunch.markSucceeded(try plan(state), in: state)
    let later = try plan(state)
    let emptied = MemoryStateStore()
    try FirstLaunch.markSucceeded(later, in: emptied)
    #expect(emptied.read(FirstLaunch.name) == nil)
  }
}
