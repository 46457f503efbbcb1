import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import Testing

@Suite("An executor for the main thread")
struct MainThreadExecutorTests {
  @MainActor
  @Test("A host handles an event of another thread on the main actor, and one of the main actor at once")
  func host() async {
    let isOnMainActor = Lock<[Bool]>([])
    let command = FakeCommand { _ in isOnMainActor.withLock { $0.append(MainQueue.isOnMainActor) } }
    var configuration = LifecycleHost.Configuration()
    configuration.executor = MainThreadExecutor()
    let host = LifecycleHost(StartupPlan(sequence: [command]), configuration: configuration)
    await Task.detached { _ = await host.receive(.didFinishLaunching(LaunchOptions())) }.value
    let other = LifecycleHost(StartupPlan(sequence: [command]), configuration: configuration)
    other.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    #expect(isOnMainActor.withLock(\.self) == [true, true])
  }
}
