import AppBoot
import AppBootTestKit
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
}

@Suite("A plan that is made in code")
struct PlanSelectionTests {
  private func plan() throws -> LaunchPlan {
    try LaunchPlan("Shop") {
      Step("a", FakeCommand())
      Step("b", FakeCommand { $0.note("\(try $0.require(.port))") })
      On(.didShowFirstScreen) { Step("c", FakeCommand()) }
    }
  }

  @Test("A value can be provided to its commands")
  func providing() async throws {
    let record = await (try plan().providing(80, for: .port)).run()
    #expect(record["b"]?.details.note == "80")
  }

  @Test("Steps can be selected and skipped, and an unknown id is an error")
  func selection() async throws {
    let only = await (try plan().selecting(["a"])).run()
    #expect(only.map(\.state.name) == ["succeeded", "skipped"])
    let skipped = await (try plan().skipping(["b", "c"])).run()
    #expect(skipped.map(\.state.name) == ["succeeded", "skipped"])
    let error = #expect(throws: SelectionError.self) { try plan().skipping(["d"]) }
    #expect(error?.unknown == ["d"])
  }
}
