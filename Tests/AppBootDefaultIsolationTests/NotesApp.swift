import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootTool

// All code of this module is on the main actor, unless it says otherwise. Commands, services and observers are not,
// because their protocols are Sendable: the compiler infers it. Only the extension of ContextKey and the state of a
// store have to say so.

final class Model {
  private(set) var titles: [String] = []

  func show(_ title: String) { titles.append(title) }
}

struct Client: Sendable {
  var host: String
}

nonisolated struct Unread: Equatable {
  var count = 0

  mutating func add(_ number: Int) { count += number }
}

nonisolated extension ContextKey where Value == Client {
  static var client: Self { Self("client") }
}

// MARK: - Parameters

enum Level: String, CaseIterable, ParameterValue { case low, high }

struct Limits: ParameterGroup {
  @Parameter("The number of notes.") var notes = 100
}

struct Region: ParameterValue {
  var name: String

  static var parameterType: ParameterType<Region> {
    .text("a region like \"eu-central\"", placeholder: Region(name: "")) { Region(name: $0) }
  }
}

// MARK: - Commands

struct Connect: Command {
  static let options = CommandOptions(provides: .client)
  @Parameter("The host.") var host = "localhost"
  @Parameter("The mode.") var mode = "fast"
  @Parameter("The level.") var level = Level.low
  @Parameter("The region.") var region: Region?
  @Parameter("The limits.") var limits = Limits()

  func execute(in context: LaunchContext) throws {
    context.provide(Client(host: host), for: .client)
    context.note(describe(host))
  }

  private func describe(_ host: String) -> String { "\(mode) to \(host)" }
}

struct Synchronize: AsyncCommand {
  static let options = CommandOptions(requires: .client)
  let model: Model

  func execute(in context: LaunchContext) async throws {
    let client = try context.require(.client)
    await model.show("synchronized with \(client.host)")
  }
}

struct ShowNotes: MainActorCommand {
  let model: Model

  func execute(in context: LaunchContext) async throws { model.show("notes") }
}

struct Reserve: AsyncUndoableCommand {
  let model: Model

  func execute(in context: LaunchContext) async throws { await model.show("reserved") }
  func undo(in context: LaunchContext) async throws { await model.show("released") }
}

struct Fail: UndoableCommand {
  struct Reason: Error {}

  func execute(in context: LaunchContext) throws { throw Reason() }
  func undo(in context: LaunchContext) throws {}
}

struct Refresh: ServiceCommand {
  let model: Model
  var serviceOptions: ServiceOptions { ServiceOptions(onExit: .ignore) }

  func run(in service: RunningService) async throws {
    await model.show("refreshing")
    service.markReady()
    await model.show("refreshed")
  }
}

// MARK: - Plans and the tool

func notesPlan(_ model: Model) throws -> LaunchPlan {
  try LaunchPlan("Notes") {
    Step("connect", Connect())
    Step("synchronize", Synchronize(model: model)).after("connect")
    Step("reserve", Reserve(model: model))
    Step.onMainActor("badge") { _ in model.show("badge") }
    Step("hop") { _ in await model.show("hop") }
    Step("show", ShowNotes(model: model))
  }
}

func notesRegistry(_ model: Model) -> CommandRegistry {
  var registry = CommandRegistry(Connect.self, Fail.self)
  registry.register(Synchronize.self) { Synchronize(model: model) }
  registry.register(ShowNotes.self) { ShowNotes(model: model) }
  registry.register(Refresh.self) { Refresh(model: model) }
  registry.register(StockCommands.all)
  return registry
}

func notesTool(_ model: Model) -> CommandLineTool {
  let rename = ToolSubcommand("rename", help: "Renames the notes.") { arguments in
    model.show(arguments.joined(separator: " "))
    return 0
  }
  return CommandLineTool(
    name: "notes", version: "1.0.0", registry: notesRegistry(model), observers: [Trace()],
    subcommands: [rename])
}

final class Trace: LaunchObserver {
  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {}
}

// MARK: - After the launch

final class Badge: MainActorListener {
  private(set) var number = 1

  func handle(_ event: LifecycleEvent) {
    if case .didBecomeActive = event { number = 0 }
  }
}

final class Analytics: LifecycleListener {
  func receive(_ event: LifecycleEvent) {}
}

final class Router: MainActorResponder {
  private(set) var opened: [String] = []

  func answer(to event: LifecycleEvent) -> LifecycleAnswer? {
    guard let url = event.url else { return nil }
    opened.append(url)
    return .bool(true)
  }
}

final class PhoneWindow: MainActorWindow {
  private(set) var navigations: [Navigation] = []

  func display(_ navigation: Navigation) { navigations.append(navigation) }
}

final class Inbox {
  private(set) var unread = 0

  func appear(_ store: LifecycleStore<Unread, Int>) {
    store.subscribe(self, to: \.self) { inbox, unread in inbox.unread = unread.count }
  }
}
