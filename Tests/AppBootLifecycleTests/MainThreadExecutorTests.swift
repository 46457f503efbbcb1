import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("An executor for the main thread", .ownProcess)
struct MainThreadExecutorTests {
  @MainActor
  @Test("A host handles an event of another thread on the main actor, and one of the main actor at once")
  func host() async {
    let isOnMainActor = Lock<[Bool]>([])
    let command = FakeCommand { _ in isOnMainActor.withLock { $0.append(MainQueue.isOnMainActor) } }
    var configuration = LifecycleHost.Configuration()
    configuration.handlesEventsOnMainThread = true
    let host = LifecycleHost(LaunchPlan(sequence: [command]), configuration: configuration)
    await Task.detached { _ = await host.receive(.didFinishLaunching(LaunchOptions())) }.value
    let other = LifecycleHost(LaunchPlan(sequence: [command]), configuration: configuration)
    other.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    #expect(isOnMainActor.withLock(\.self) == [true, true])
  }
}

/// A command whose screen is the first one of the app.
private struct ShowScreen: Command {
  static let options = CommandOptions(lane: .main)

  func execute(in context: LaunchContext) throws {
    try context.window?.show(screen("Home"))
    try context.emit(EventName.didShowFirstScreen.name, payload: "Home")
  }
}

@MainActor private final class SilentWindow: MainActorWindow {
  func display(_ navigation: Navigation) {}
}

@Suite("A host on the main actor", .ownProcess)
@MainActor
struct MainActorHostTests {
  private func host(_ body: @escaping @Sendable (LaunchContext) async throws -> Void) -> LifecycleHost {
    var plan = LaunchPlan(name: "test", sequence: [FakeAsyncCommand(body)])
    plan.outline.steps[0].timeout = .seconds(60)
    return LifecycleHost(plan)
  }

  @Test("An event that is received with await runs commands that use the main actor")
  func asynchronous() async {
    let host = host { _ in await MainActor.run {} }
    #expect(await host.receive(.didFinishLaunching(LaunchOptions())).record?.succeeded == true)
  }

  @Test("A handler of didShowFirstScreen uses the main actor")
  func firstScreen() async throws {
    let (stream, results) = AsyncStream.makeStream(of: Bool.self)
    let hop = FakeAsyncCommand { _ in
      await MainActor.run {}
      results.yield(Task.isCancelled)
    }
    let plan = try LaunchPlan {
      Step("show", ShowScreen())
      On(.didShowFirstScreen) { Step("hop", hop).timeout(.seconds(60)) }
    }.window(SilentWindow())
    let host = LifecycleHost(plan)
    await host.receive(.didFinishLaunching(LaunchOptions()))
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == false)
  }

  @Test("A command uses the main actor if a task of that actor passes its event without await")
  func blocking() async {
    let host = host { _ in await MainActor.run {} }
    let outcome = await withCheckedContinuation { continuation in
      host.receive(.didFinishLaunching(LaunchOptions())) { continuation.resume(returning: $0) }
    }
    #expect(outcome.record?.succeeded == true)
  }

  @Test("A command uses the main actor if its event comes from another thread")
  func otherThread() async {
    var configuration = LifecycleHost.Configuration()
    configuration.handlesEventsOnMainThread = true
    let plan = LaunchPlan(sequence: [FakeAsyncCommand { _ in await MainActor.run {} }])
    let host = LifecycleHost(plan, configuration: configuration)
    let outcome = await Task.detached { await host.receive(.didFinishLaunching(LaunchOptions())) }.value
    #expect(outcome.record?.succeeded == true)
  }

  @Test("A command on the main actor receives the outcome of another host's event")
  func otherHost() async {
    let other = host { _ in await MainActor.run {} }
    let host = host { @MainActor _ in
      #expect(await other.receive(.didFinishLaunching(LaunchOptions())).record?.succeeded == true)
    }
    #expect(await host.receive(.didFinishLaunching(LaunchOptions())).record?.succeeded == true)
  }
}
