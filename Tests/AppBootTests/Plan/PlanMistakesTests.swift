import AppBoot
import AppBootTestSupport
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
}

private struct Route: ParameterGroup {
  @Parameter("A path.") var path = "/"

  func validate(_ validation: inout ParameterValidation) {
    if path.isEmpty { validation.reject("must not be empty", at: "path") }
  }
}

private struct Router: Command {
  @Parameter("The main route.") var main: Route?
  @Parameter("Further routes.") var routes: [Route] = []
  @Parameter("Named routes.") var names: [String: Route] = [:]
  func execute(in context: LaunchContext) {}
}

private struct Picky: Command {
  @Parameter("A name.") var name: String
  @Parameter("A number.") var number = 0

  func validate(_ validation: inout ParameterValidation) {
    if number < 0 { validation.reject("must not be negative", at: "number") }
    if number < -1 { validation.reject("must not be below -1", at: "number") }
  }
  func execute(in context: LaunchContext) {}
}

private struct Reader: Command {
  static let options = CommandOptions(requires: .port)
  func execute(in context: LaunchContext) {}
}

@Suite("The mistakes in a plan in code")
struct PlanMistakesTests {
  /// The mistakes, each with its line relative to the line of the call.
  private func mistakes(
    line: Int = #line, fileID: String = #fileID, @PlanBuilder<PlanPart> _ steps: () throws -> [PlanPart]
  ) -> [String] {
    do {
      _ = try LaunchPlan(fileID: fileID, line: line, steps: steps)
      return []
    } catch let error as PlanError {
      #expect(error.mistakes.allSatisfy { $0.file == "AppBootTests/PlanMistakesTests.swift" })
      return error.mistakes.map { mistake in
        "\(mistake.line - line): \(mistake.message)" + mistake.help.map { " | \($0)" }.joined()
      }
    } catch {
      return ["\(error)"]
    }
  }

  @Test("An unknown id is reported at its step, with a suggestion from steps and groups")
  func unknown() {
    let found = mistakes {
      Step("database", Plain())
      StepGroup("third-parties") { Step("crashes", Plain()).after("databse") }
      Step("screen", Plain()).after("third-partys")
    }
    #expect(
      found == [
        "2: no step has the id \"databse\" | did you mean \"database\"?",
        "3: no step has the id \"third-partys\" | did you mean \"third-parties\"?",
      ])
  }

  @Test("Duplicate ids, names and predecessors are reported, also of groups and events")
  func duplicates() {
    let found = mistakes {
      Step("a", Plain())
      Step("a", Plain())
      StepGroup("a") { Step("b", Plain()).after("c", "c") }
      Step("c", Plain()).after([])
      On(.openURL) {
        Step("a", Plain())
        Step("a", Plain())
      }
    }
    #expect(
      found == [
        "2: two steps have the id \"a\" | give one of them an \"id\" of its own",
        "3: a group has the name \"a\", which is the id of another step or group | give one of them another name",
        "3: \"after\" names \"c\" twice",
        "7: two steps have the id \"a\" | give one of them an \"id\" of its own",
      ])
  }

  @Test("Steps that wait for each other are reported, also through a group")
  func cycles() {
    let found = mistakes {
      Step("a", Plain()).after("b")
      Step("b", Plain())
      StepGroup("g") { Step("c", Plain()).after("g") }.after([])
    }
    #expect(
      found == [
        "1: these steps wait for each other: a → b → a | each waits for the next; remove one id from an \"after\"",
        "3: this step waits for itself: c → c | remove its own id from its \"after\"",
      ])
  }

  @Test("What a manifest forbids is a mistake in code too, and all are reported at once")
  func values() {
    let found = mistakes {
      Step("attempts", Plain()).retry(attempts: 0, backoff: .seconds(-1), maxBackoff: .seconds(-1))
      Step("time", Plain()).timeout(.zero).budget(.seconds(-1))
      Step("count", Plain()).when(.any(.launch(.normal), .environment("")))
      Step("unless", Plain()).unless(succeeds: ["", "a\0b"], startedBy: FakeUnlessCheck.start)
      Step("", Plain()).unless(fileExists: "")
    }
    #expect(
      found == [
        "1: \"attempts\" must be a whole number from 1 to 1000, not 0",
        "1: \"backoff\" must not be negative",
        "1: \"maxBackoff\" must not be negative",
        "2: \"timeout\" must be greater than zero | remove it for no timeout",
        "2: \"budget\" must not be negative",
        "3: \"environment\" must not be empty",
        "4: \"command[0]\" must not be empty",
        "4: \"command[1]\" must not contain a zero byte",
        "5: \"id\" must not be empty",
        "5: \"file\" must not be empty",
      ])
  }

  @Test("The launch's own timeout and budget are checked at the plan")
  func launch() throws {
    let error = try #require(throws: PlanError.self) {
      try LaunchPlan(budget: .seconds(-1), timeout: .zero) { Step("a", Plain()) }
    }
    #expect(
      error.mistakes.map(\.message) == [
        "\"timeout\" must be greater than zero", "\"budget\" must not be negative",
      ])
  }

  @Test("A command's missing parameters and rejected values are reported at its step")
  func commands() {
    var negative = Picky()
    negative.name = "n"
    negative.number = -2
    let found = mistakes {
      Step("missing", Picky())
      Step("negative", negative)
    }
    #expect(
      found == [
        "1: Picky needs \"name\": set it before the plan is made",
        "2: \"number\" must not be negative",
        "2: \"number\" must not be below -1",
      ])
  }

  @Test("Values that a group of parameters rejects are reported with the path to the group")
  func groups() {
    var empty = Route()
    empty.path = ""
    var router = Router()
    router.main = empty
    router.routes = [Route(), empty]
    router.names = ["home": empty]
    #expect(
      mistakes { Step("router", router) } == [
        "0: \"main.path\" must not be empty", "0: \"routes[1].path\" must not be empty",
        "0: \"names.home.path\" must not be empty",
      ])
  }

  @Test("Names that no group and no event can have are reported at their lines")
  func names() {
    let found = mistakes {
      StepGroup("") { Step("a", Plain()) }
      On(EventName("")) { Step("b", Plain()) }
      On(EventName("cartOpened")) { Step("c", Plain()) }
      On(EventName("cartOpened", of: .scene)) { Step("d", Plain()) }
      On(EventName("openURL", of: .scene)) { Step("e", Plain()) }
      On(.openURL) { Step("f", Plain()) }
    }
    #expect(
      found == [
        "1: the name of a group must not be empty | leave it out, or write a name",
        "2: the name of an event must not be empty",
        "4: the event \"cartOpened\" belongs to the process and to a scene "
          + "| declare it once, as a constant of EventName",
      ])
  }

  @Test("A required value that nothing provides before is reported, as in a manifest")
  func keys() {
    let unordered = mistakes {
      Step("port", providing: .port) { _ in 1 }
      Step("reader", Reader()).after([])
    }
    #expect(
      unordered == [
        "2: \"reader\" requires the value \"port\", but does not wait for \"port\", which provides it "
          + "| run \"reader\" after \"port\""
      ])
    #expect(
      mistakes { Step("reader", Reader()) } == [
        "0: \"reader\" requires the value \"port\", and nothing provides it "
          + "| declare it in \"provides\" of a command, or make the plan with "
          + "StartupCommandsBuilder(…) { … }.providing(…).build()"
      ])
    let types = mistakes {
      Step("text", providing: ContextKey<String>("port")) { _ in "1" }
      Step("reader", Reader())
    }
    #expect(types.first?.contains("as Int, but it is provided as String") == true)
  }

  @Test("A required value that nothing provides is reported beside mistakes in order and parameters")
  func keysBesideOthers() {
    let missing =
      "requires the value \"port\", and nothing provides it "
      + "| declare it in \"provides\" of a command, or make the plan with "
      + "StartupCommandsBuilder(…) { … }.providing(…).build()"
    let inOrder = mistakes {
      Step("reader", Reader())
      Step("screen", Plain()).after("nowhere")
    }
    #expect(inOrder.count == 2 && inOrder.first == "1: \"reader\" \(missing)")
    let inCommand = mistakes {
      Step("reader", Reader())
      Step("picky", Picky())
    }
    #expect(
      inCommand == [
        "1: \"reader\" \(missing)", "2: Picky needs \"name\": set it before the plan is made",
      ])
  }

  @Test("A mistake in the order causes no mistake about a value that a later step provides")
  func keysWithoutOrder() {
    let found = mistakes {
      Step("reader", Reader()).after("nowhere")
      Step("port", providing: .port) { _ in 1 }
    }
    #expect(found.count == 1 && found[0].hasPrefix("1: no step has the id \"nowhere\""))
  }

  @Test("The handlers of a launch's own event are steps of the launch")
  func didFinishLaunching() {
    let found = mistakes { On(EventName("didFinishLaunching")) { Step("a", Plain()) } }
    #expect(
      found == ["0: the handlers of didFinishLaunching are the steps of the launch | move the steps there"])
  }

  @Test("The text of the error has a line for each mistake, with its help and its notes")
  func text() throws {
    let error = try #require(throws: PlanError.self) {
      try LaunchPlan("Shop", fileID: "Shop/Launch.swift", line: 10) {
        Step("a", Plain(), fileID: "Shop/Launch.swift", line: 11).retry(attempts: 0)
        Step("a", Plain(), fileID: "Shop/Launch.swift", line: 12)
      }
    }
    #expect(
      error.description == """
        Shop/Launch.swift:11: error: "attempts" must be a whole number from 1 to 1000, not 0
        Shop/Launch.swift:12: error: two steps have the id "a"
        help: give one of them an "id" of its own
        Shop/Launch.swift:11: note: the first one

        """)
  }
}
