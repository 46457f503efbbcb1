import AppBoot
import AppBootTestSupport
import Testing

@Suite("A group of steps")
struct StepGroupTests {
  @Test("The name of a group in after stands for the steps with which it ends")
  func name() throws {
    let plan = try LaunchPlan {
      Step("database", Plain())
      StepGroup("third-parties") {
        Step("crashes", Plain())
        Step("analytics", Plain())
      }.after("database")
      Step("screen", Plain()).after("third-parties")
    }
    #expect(
      order(of: plan) == ["database()", "crashes(database)", "analytics(crashes)", "screen(analytics)"])
  }

  @Test("The steps of a parallel group wait only for what comes before the group")
  func parallel() throws {
    let plan = try LaunchPlan {
      Step("a", Plain())
      StepGroup {
        Step("b", Plain())
        Step("c", Plain())
        Step("d", Plain()).after("b")
      }.inParallel()
      Step("e", Plain())
    }
    #expect(order(of: plan) == ["a()", "b(a)", "c(a)", "d(b a)", "e(b c d)"])
  }

  @Test("A step of a group with after waits for its group's predecessors too")
  func both() throws {
    let plan = try LaunchPlan {
      Step("a", Plain())
      Step("b", Plain()).after([])
      StepGroup("g") {
        Step("c", Plain())
        Step("d", Plain()).after([])
      }.after("a")
      Step("e", Plain()).after("g", "b")
    }
    #expect(order(of: plan) == ["a()", "b()", "c(a)", "d(a)", "e(c d b)"])
  }

  @Test("Groups nest")
  func nested() throws {
    let plan = try LaunchPlan {
      StepGroup("outer") {
        Step("a", Plain())
        StepGroup("inner") {
          Step("b", Plain())
          Step("c", Plain())
        }.inParallel()
      }
      Step("d", Plain()).after("outer")
    }
    #expect(order(of: plan) == ["a()", "b(a)", "c(a)", "d(b c)"])
  }

  @Test("An empty group counts as the steps that come before it")
  func empty() throws {
    let hasExtras = false
    let plan = try LaunchPlan {
      Step("a", Plain())
      Step("b", Plain()).after([])
      StepGroup("extras") { if hasExtras { Step("x", Plain()) } }.after("a")
      Step("c", Plain()).after("extras")
      StepGroup { if hasExtras { Step("y", Plain()) } }
      Step("d", Plain())
    }
    #expect(order(of: plan) == ["a()", "b()", "c(a)", "d(c)"])
  }

  @Test("A plan can have 100,000 consecutive groups without steps", .ownThread)
  func manyEmpty() throws {
    let nothing: [Step] = []
    let plan = try LaunchPlan {
      Step("a", Plain())
      for number in 0..<50_000 {
        StepGroup("\(number)") { nothing }
        StepGroup { StepGroup { nothing } }
      }
      Step("b", Plain())
      Step("c", Plain()).after("49999")
    }
    #expect(order(of: plan) == ["a()", "b(a)", "c(a)"])
  }

  @Test("100,000 groups without steps can wait for each other in a chain", .ownThread)
  func longChain() throws {
    let nothing: [Step] = []
    let plan = try LaunchPlan {
      Step("a", Plain())
      Step("b", Plain()).after([])
      StepGroup("0") { nothing }.after("a")
      for number in 1..<100_000 { StepGroup("\(number)") { nothing }.after("\(number - 1)") }
      Step("c", Plain()).after("99999")
    }
    #expect(order(of: plan) == ["a()", "b()", "c(a)"])
  }

  @Test("Groups without steps that wait for two others each are searched once")
  func branches() throws {
    let nothing: [Step] = []
    let plan = try LaunchPlan {
      Step("a", Plain())
      Step("b", Plain()).after([])
      StepGroup("x0") { nothing }.after("a")
      StepGroup("y0") { nothing }.after("b")
      for number in 1..<100 {
        for name in ["x", "y"] {
          StepGroup("\(name)\(number)") { nothing }.after("x\(number - 1)", "y\(number - 1)")
        }
      }
      Step("c", Plain()).after("x99")
    }
    #expect(order(of: plan) == ["a()", "b()", "c(a b)"])
  }

  @Test("Empty groups that wait for each other are no steps")
  func emptyCircle() throws {
    let nothing: [Step] = []
    let plan = try LaunchPlan {
      StepGroup("g") { nothing }.after("h")
      StepGroup("h") { nothing }.after("g")
      Step("a", Plain()).after("g")
    }
    #expect(order(of: plan) == ["a()"])
  }

  @Test("A group's rules are those of each step without its own, and all conditions must hold")
  func rules() throws {
    let plan = try LaunchPlan {
      StepGroup {
        Step("a", Plain())
        StepGroup { Step("b", Plain()).onFailure(.stop).timeout(.seconds(1)).when(.launch(.url)) }
      }
      .onFailure(.continue).timeout(.seconds(5)).budget(.seconds(2)).retry(attempts: 2)
      .when(.launch(.normal))
      Step("c", Plain())
    }
    #expect(plan.map(\.onFailure) == [.continue, .stop, .stop])
    #expect(plan.map(\.timeout) == [.seconds(5), .seconds(1), nil])
    #expect(plan.map(\.budget) == [.seconds(2), .seconds(2), nil])
    #expect(plan.map(\.retry?.attempts) == [2, 2, nil])
    #expect(plan.map(\.skip) == [nil, .condition("launch is normal, not url"), nil])
  }
}
