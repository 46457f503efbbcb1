import AppBoot
import AppBootTestSupport
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
  fileprivate static var length: Self { Self("length") }
}

extension ContextKey where Value == String {
  fileprivate static var text: Self { Self("text") }
}

extension EventName {
  fileprivate static let consentGranted = EventName("consentGranted")
  fileprivate static let cartOpened = EventName("cartOpened", of: .scene)
}

/// The ids of a plan's steps, each with the ids of its predecessors.
func order(of plan: LaunchPlan) -> [String] {
  plan.indices.map { index in
    let before = plan.outline.predecessors(of: index).map { plan[$0].id }
    return "\(plan[index].id)(\(before.joined(separator: " ")))"
  }
}

@Suite("A plan in code")
struct StepTests {
  @Test("Steps without after run one after the other, and an id is the command's name by default")
  func sequence() throws {
    let plan = try LaunchPlan("Shop") {
      Step(Plain())
      Step("second", Other())
      Step("third", Plain())
    }
    #expect(plan.name == "Shop")
    #expect(plan.map(\.id) == ["Plain", "second", "third"])
    #expect(plan.map(\.commandName) == ["Plain", "Other", "Plain"])
    #expect(order(of: plan) == ["Plain()", "second(Plain)", "third(second)"])
    #expect(plan.outline.manifestName == nil)
  }

  @Test("A command without a Step around it becomes a step with the command's name and line")
  func bareCommand() throws {
    let plan = try LaunchPlan {
      Step("first", Other())
      Plain()
      StepGroup("group") { Other() }
      On(.didShowFirstScreen) { Plain() }
    }
    #expect(order(of: plan) == ["first()", "Plain(first)", "Other(Plain)"])
    #expect(plan.events["didShowFirstScreen"]?.map(\.id) == ["Plain"])
    let line = #line
    func twice() throws -> LaunchPlan {
      try LaunchPlan {
        Plain()
        Plain()
      }
    }
    let error = try #require(throws: PlanError.self, performing: twice)
    #expect(error.mistakes.map(\.line) == [line + 4])
  }

  @Test("after names the steps that come before, and an empty list means none")
  func after() throws {
    let plan = try LaunchPlan {
      Step("a", Plain())
      Step("b", Plain()).after([])
      Step("c", Plain()).after("a", "b")
      Step("d", Plain()).after("a").after("c")
    }
    #expect(order(of: plan) == ["a()", "b()", "c(a b)", "d(a c)"])
  }

  @Test("The rules of a step are those of its outline")
  func attributes() throws {
    let plan = try LaunchPlan(budget: .milliseconds(400), timeout: .seconds(9)) {
      Step("a", Plain()).timeout(.seconds(2)).budget(.milliseconds(80)).comment("why").onFailure(.continue)
        .retry(attempts: 3, backoff: .milliseconds(5), maxBackoff: .seconds(1))
    }
    let policy = RetryPolicy(attempts: 3, backoff: .milliseconds(5), maxBackoff: .seconds(1))
    #expect(plan[0].timeout == .seconds(2))
    #expect(plan[0].budget == .milliseconds(80))
    #expect(plan[0].retry == policy)
    #expect(plan[0].onFailure == .continue)
    #expect(plan[0].comment == "why")
    #expect(plan.outline.budgetTime == 400_000_000)
    #expect(plan.outline.timeoutTime == 9_000_000_000)
  }

  @Test("if, else, switch, for, if #available, optionals and arrays work in a plan")
  func statements() throws {
    func plan(_ isDebug: Bool, _ extra: Int?) throws -> [String] {
      let more = [Step("x", Plain()), Step("y", Plain())]
      return try LaunchPlan {
        if isDebug { Step("debug", Plain()) }
        if isDebug { Step("one", Plain()) } else { Step("other", Plain()) }
        switch extra {
        case nil: Step("none", Plain())
        case let number?: Step("some-\(number)", Plain())
        }
        for index in 1...2 { Step("loop-\(index)", Plain()) }
        if #available(macOS 15, *) { Step("new", Plain()) }
        extra.map { Step("extra-\($0)", Plain()) }
        more
      }.map(\.id)
    }
    #expect(
      try plan(true, 7)
        == ["debug", "one", "some-7", "loop-1", "loop-2", "new", "extra-7", "x", "y"])
    #expect(try plan(false, nil) == ["other", "none", "loop-1", "loop-2", "new", "x", "y"])
  }

  @Test("Closures without an order run in parallel: each of two waits for the other")
  func parallelClosures() throws {
    let (first, second) = (Gate(), Gate())
    let plan = try LaunchPlan {
      StepGroup("both") {
        Step("a") { _ in
          first.open()
          second.wait()
        }
        Step("b") { _ in
          second.open()
          first.wait()
        }
      }
      .inParallel()
    }
    try #require(plan.map(\.lane) == [.background, .background])
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 2
    #expect(LaunchRunner(plan, configuration: configuration).runBlocking().succeeded)
  }

  @Test("A command in an expression gets its required parameter, and the original keeps its own value")
  func setting() throws {
    struct Open: Command {
      @Parameter("How many.") var connections: Int
      func execute(in context: LaunchContext) { context.note("\(connections)") }
    }
    let command = Open()
    let plan = try LaunchPlan { Step("open", command.setting(\.connections, to: 4)) }
    #expect(plan.runBlocking()["open"]?.details.note == "4")
    #expect(throws: PlanError.self) { try LaunchPlan { Step("open", command) } }
  }

  @Test("A planned step waits for direct and indirect predecessors, and unknown ids are rejected")
  func waiting() throws {
    let plan = try LaunchPlan {
      Step("database", Plain())
      Step("cache", Plain())
      Step("screen", Plain()).after(["cache"])
      Step("other", Plain()).after([])
    }
    #expect(try plan["screen"].waits(for: "database"))
    #expect(try !plan["database"].waits(for: "screen") && !plan["other"].waits(for: "database"))
    let error = #expect(throws: SelectionError.self) { try plan["scren"].waits(for: "database") }
    #expect(error?.description == "there is no step \"scren\": did you mean \"screen\"?")
  }

  @Test("Closures are commands: synchronous ones on a lane, asynchronous ones as tasks")
  func closures() async throws {
    let plan = try LaunchPlan {
      Step("sync") { context in context.note("background") }
      Step("main", lane: .main) { context in context.note("main") }
      Step("async") { context in
        await Task.yield()
        context.note("task")
      }
      Step.onMainActor("actor") { context in
        MainActor.assertIsolated()
        context.note("actor")
      }
      Step("fails") { _ in throw CancellationError() }.onFailure(.continue)
    }
    #expect(plan.map(\.lane) == [.background, .main, .background, .background, .background])
    #expect(plan.map(\.commandName) == [String](repeating: "Closure", count: 5))
    let record = await plan.run()
    #expect(record.map(\.details.note) == ["background", "main", "task", "actor", nil])
    #expect(record.outcome == .succeeded)
  }

  @Test("A closure's result is a context value, and steps that require it wait for it")
  func provided() async throws {
    let plan = try LaunchPlan {
      Step("port", providing: .port) { _ in 8080 }
      Step("later", providing: .text, requiring: .port) { context in
        await Task.yield()
        return "port \(try context.require(.port))"
      }
      Step("use", requiring: .port, .text) { context in
        context.note("\(try context.require(.port)) \(try context.require(.text))")
      }
    }
    let launch = try await plan.launch()
    #expect(launch.record["use"]?.details.note == "8080 port 8080")
    #expect(try launch.require(.text) == "port 8080")
  }

  @Test("A closure takes the values of one or two required keys as arguments")
  func valuesAsArguments() async throws {
    let plan = try LaunchPlan {
      Step("port", providing: .port) { _ in 8080 }
      Step("text", providing: .text, requiring: .port) { _, port in "port \(port)" }
      Step("later", providing: .length, requiring: .port, .text) { _, port, text async in port + text.count }
      Step("one", requiring: .port) { context, port in context.note("\(port)") }
      Step("two", requiring: .port, .text) { context, port, text in
        await Task.yield()
        context.note("\(port) \(text)")
      }
      Step.onMainActor("actor", requiring: .length, .text) { context, length, text in
        MainActor.assertIsolated()
        context.note("\(length) \(text)")
      }
      Step("main", requiring: .length, lane: .main) { context, length in context.note("\(length)") }
    }
    #expect(plan.map(\.kind).prefix(3) == [.synchronous, .synchronous, .asynchronous])
    let record = await plan.run()
    #expect(record.map(\.details.note).suffix(4) == ["8080", "8080 port 8080", "8089 port 8080", "8089"])
  }

  @Test("A plan whose closure requires a value that nothing provides has that mistake")
  func missingArgument() {
    let error = #expect(throws: PlanError.self) {
      try LaunchPlan { Step("two", requiring: .port, .text) { _, port, text in print(port, text) } }
    }
    #expect(error?.mistakes.count == 2)
  }

  @Test("A builder gives the values, the window and the selection to a plan in code")
  func builder() async throws {
    let builder = StartupCommandsBuilder("Shop") {
      Step("a", requiring: .port) { context, port in context.note("\(port)") }
      Step("b", Plain())
    }
    let plan = try builder.providing(443, for: .port).build().skipping(["b"])
    let record = await plan.run()
    #expect(record["a"]?.details.note == "443")
    #expect(plan[1].skip == .excluded("--skip b"))
    #expect(throws: SelectionError.self) { try builder.providing(1, for: .port).build().selecting(["typo"]) }
  }

  @Test("On has the handlers of an event, also of the app's own events")
  func handlers() throws {
    let plan = try LaunchPlan {
      Step("a", Plain())
      On(.didShowFirstScreen) { Step("index", Plain()) }
      On(.consentGranted) { Step("a", Plain()) }
      On(.cartOpened) { Step("cart", Plain()) }
      On(.didShowFirstScreen) {
        StepGroup("late") { Step("warm", Plain()) }
      }
    }
    #expect(plan.map(\.id) == ["a"])
    #expect(plan.events.keys.sorted() == ["cartOpened", "consentGranted", "didShowFirstScreen"])
    #expect(plan.events["didShowFirstScreen"].map(order) == ["index()", "warm(index)"])
    #expect(plan.environment.sceneEvents == [EventName("cartOpened", of: .scene)])
  }

  @Test("A step with unless is skipped if the file exists")
  func unless() async throws {
    let plan = try LaunchPlan {
      Step("a", Plain()).unless(fileExists: "/")
      Step("b", Plain()).unless(succeeds: ["false"], startedBy: FakeUnlessCheck.start)
    }
    let record = await plan.run()
    #expect(record["a"]?.state == .skipped(.unnecessary("\"/\" exists")))
    #expect(record["b"]?.state == .succeeded)
  }

  @Test("An error in the closure of a plan is thrown")
  func throwing() {
    func make() throws -> Plain { throw Mishap() }
    #expect(throws: Mishap.self) { try LaunchPlan { Step("a", try make()) } }
  }
}
