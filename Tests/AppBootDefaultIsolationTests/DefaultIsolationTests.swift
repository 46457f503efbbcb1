import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTool
import AppBootTestSupport
import Testing

@Suite("An app whose code is on the main actor by default", .ownProcess)
struct DefaultIsolationTests {
  private let model = Model()

  @Test("A plan in code runs all kinds of steps")
  func plan() async throws {
    let record = try await notesPlan(model).run()
    #expect(record.succeeded)
    #expect(record["connect"]?.details.note == "fast to localhost")
    #expect(Set(model.titles) == ["synchronized with localhost", "reserved", "badge", "hop", "notes"])
  }

  @Test("Steps use the main actor")
  func mainActor() async throws {
    let record = try await LaunchPlan {
      Step("show", ShowNotes(model: model))
      Step.onMainActor("badge") { _ in model.show("badge") }
      Step("hop") { _ in await model.show("hop") }.timeout(.seconds(60))
      Step("task") { _ in await Task { await model.show("task") }.value }.timeout(.seconds(60))
    }.run()
    #expect(record.succeeded)
    #expect(Set(model.titles) == ["notes", "badge", "hop", "task"])
  }

  @Test("An undo uses the main actor")
  func undo() async throws {
    let plan = try LaunchPlan {
      Step("reserve", Reserve(model: model))
      Step("fail", Fail()).onFailure(.rollback)
    }
    #expect(await !plan.run().succeeded)
    #expect(model.titles == ["reserved", "released"])
  }

  @Test("A test of one command runs a command that uses the main actor")
  func tester() async throws {
    let result = await CommandTester(Synchronize(model: model)).providing(Client(host: "test"), for: .client)
      .run()
    #expect(result.failure == nil)
    #expect(model.titles == ["synchronized with test"])
  }

  @Test("A service uses the main actor")
  func service() async throws {
    let plan = try LaunchPlan { Step("refresh", Refresh(model: model)) }
    #expect(try await ServiceRunner(plan).run().succeeded)
    #expect(model.titles == ["refreshing", "refreshed"])
  }

  @Test("Listeners and responders of the main actor receive the events of a host")
  func host() async throws {
    let (badge, router, window) = (Badge(), Router(), PhoneWindow())
    var configuration = LifecycleHost.Configuration()
    configuration.responders = [router]
    configuration.window = { _ in window }
    configuration.mediator.subscribe(badge, holding: .strong)
    configuration.mediator.subscribe(Analytics(), holding: .strong)
    let host = LifecycleHost(try notesPlan(model), configuration: configuration)
    #expect(await host.receive(.didFinishLaunching(LaunchOptions())).record?.succeeded == true)
    await host.receive(.didBecomeActive)
    let outcome = await host.receive(.openURL("notes://1"))
    #expect(badge.number == 0)
    #expect(router.opened == ["notes://1"])
    #expect(outcome.succeeded)
    host.end()
  }

  @Test("A screen that subscribes itself to a store is notified on the main actor")
  func store() async {
    let store = LifecycleStore<Unread, Int>(Unread(), reducer: .init { state, action in state.add(action) })
    let inbox = Inbox()
    inbox.appear(store)
    store.dispatch(3)
    #expect(inbox.unread == 3)
  }

  @Test("The app's tool runs its subcommand on the main actor")
  func tool() async {
    #expect(await notesTool(model).run(arguments: ["rename", "to", "do"]) == 0)
    #expect(model.titles == ["to do"])
  }
}
