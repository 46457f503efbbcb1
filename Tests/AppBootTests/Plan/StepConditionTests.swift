import AppBootLifecycle
import AppBoot
import Testing

@Suite("A condition in code")
struct StepConditionTests {
  private func skip(
    _ condition: StepCondition, _ variables: [String: String] = [:], _ reason: LaunchReason = .normal
  ) throws -> SkipReason? {
    try StartupCommandsBuilder { Step("a", Plain()).when(condition) }
      .environment(variables).launchOptions(LaunchOptions(reason: reason)).build()[0].skip
  }

  @Test("A condition is evaluated as one of a manifest is")
  func evaluated() throws {
    #expect(try skip(.launch(.normal, .url)) == nil)
    #expect(
      try skip(.launch(.normal, .url), [:], .prewarm) == .condition("launch is prewarm, not normal or url"))
    #expect(try skip(.environment("CI")) == .condition("CI is not set"))
    #expect(try skip(.environment("CI", is: "1"), ["CI": "0"]) == .condition("CI is not \"1\""))
    #expect(try skip(.environment("CI", is: "1"), ["CI": "1"]) == nil)
    #expect(try skip(.firstLaunch) == nil)
    #expect(try skip(.not(.firstLaunch)) == .condition("the first launch"))
    #expect(try skip(.not(.environment("CI")), ["CI": "1"]) == .condition("environment CI holds"))
    #expect(try skip(.any(.environment("CI"), .launch(.normal))) == nil)
    #expect(try skip(.all(.environment("CI"), .launch(.normal))) == .condition("CI is not set"))
    #expect(try skip(.any(.platform(.linux), .not(.platform(.linux)))) == nil)
  }

  @Test("A platform has the name of the manifest")
  func platforms() {
    let names = StepCondition.Platform.allCases.map(\.rawValue)
    #expect(names == ["linux", "macos", "ios", "tvos", "watchos", "visionos"])
    #expect(StepCondition.platform(.iOS, .tvOS).description == "platform ios or tvos")
  }

  @Test("A condition of an event's handler is evaluated when the event arrives")
  func handlers() throws {
    let plan = try LaunchPlan { On(.openURL) { Step("a", Plain()).when(.launch(.url)) } }
    let handlers = try #require(plan.events["openURL"])
    #expect(handlers[0].skip == nil)
    let adapted = handlers.adapted(to: LaunchOptions(reason: .normal), on: nil, nil)
    #expect(adapted[0].skip == .condition("launch is normal, not url"))
  }
}
