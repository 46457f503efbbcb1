import AppBoot
import AppBootSchema
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
}

@Suite("The warnings about a plan in code")
struct CodedPlanWarningsTests {
  /// The warnings, each with its line relative to the line of the call.
  private func warnings(
    budget: Duration? = nil, timeout: Duration? = nil, line: Int = #line,
    @PlanBuilder<PlanPart> _ steps: () throws -> [PlanPart]
  ) throws -> [String] {
    let plan = try LaunchPlan(budget: budget, timeout: timeout, line: line, steps: steps)
    return plan.warnings.map { warning in
      #expect(warning.file == "AppBootTests/CodedPlanWarningsTests.swift")
      return "\(warning.line - line): \(warning.message)"
    }
  }

  @Test("A plan without steps and handlers causes a warning")
  func empty() throws {
    #expect(try warnings {} == ["0: the plan has no steps"])
    #expect(try warnings { On(.openURL) { Step("a", Plain()) } }.isEmpty)
  }

  @Test("Budgets and timeouts without effect cause the warnings of a manifest")
  func times() throws {
    let found = try warnings(budget: .seconds(3), timeout: .seconds(2)) {
      Step("a", Plain()).timeout(.seconds(1)).budget(.milliseconds(1500))
      StepGroup { Step("b", Plain()) }.timeout(.seconds(3))
    }
    #expect(
      found == [
        "0: the budget of the launch, 3s, is longer than its timeout, 2s",
        "1: the budget of \"a\", 1.5s, is longer than its timeout, 1s",
        "2: the timeout of \"b\", 3s, is longer than the launch's, 2s",
      ])
  }

  @Test("A rollback that undoes nothing and a value of two steps cause a warning")
  func steps() throws {
    let found = try warnings {
      Step("port", providing: .port) { _ in 1 }
      Step("again", providing: .port) { _ in 2 }
      Step("late", Plain()).onFailure(.rollback)
    }
    #expect(
      found == [
        "2: \"again\" provides \"port\", as \"port\" does",
        "3: a failure of \"late\" rolls nothing back: no command before it can be undone",
      ])
  }

  @Test("An event of the app with almost the name of a standard event causes a warning")
  func events() throws {
    let found = try warnings {
      On(EventName("openUrl")) { Step("a", Plain()) }
      On(EventName("didShowFirstScren")) { Step("b", Plain()) }
      On(EventName("consentGranted")) { Step("c", Plain()) }
      On(EventName("didOpenCart")) { Step("d", Plain()) }
    }
    #expect(
      found == [
        "1: \"openUrl\" is an event of the app: only the app can emit it",
        "2: \"didShowFirstScren\" is an event of the app: only the app can emit it",
      ])
  }

  @Test("A handler of an event that nothing can emit causes a warning")
  func neverEmitted() throws {
    let found = try warnings {
      On(.openURL) { Step("a", Plain()) }
      On(.didShowFirstScreen) { Step("b", Plain()) }
    }
    #expect(found == ["2: nothing can emit \"didShowFirstScreen\": the plan has no window"])
    #expect(
      try warnings {
        On(.sceneWillConnect) { Step("a", Plain()) }
        On(.didShowFirstScreen) { Step("b", Plain()) }
      }.isEmpty)
  }

  @Test("A handler of an event of services causes a warning in a plan without services")
  func eventsOfServices() throws {
    let found = try warnings {
      On(.serviceFailed) { Step("a", Plain()) }
    }
    #expect(found == ["1: nothing can emit \"serviceFailed\": the plan has no service"])
  }

  @Test("A warning is text with its place and its help")
  func text() throws {
    let plan = try LaunchPlan(fileID: "Shop/Launch.swift", line: 3) {
      On(EventName("openUrl"), fileID: "Shop/Launch.swift", line: 4) { Step("a", Plain()) }
    }
    #expect(
      plan.warnings.map(\.description) == [
        """
        Shop/Launch.swift:4: "openUrl" is an event of the app: only the app can emit it
        help: did you mean the standard event "openURL"?
        """
      ])
  }
}
