#if os(Linux) || os(macOS)
import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

private struct Server: ServiceCommand {
  func run(in service: RunningService) async throws {
    service.markReady()
    try await service.untilShutdown()
  }
}

/// An object that reports when it is released.
private final class Connection: Sendable {
  private let isReleased: Condition<Bool>

  init(isReleased: Condition<Bool>) { self.isReleased = isReleased }

  deinit {
    isReleased.withLock { $0 = true }
    isReleased.broadcast()
  }
}

extension ContextKey<Connection> {
  fileprivate static var connection: Self { Self("connection") }
}

@Suite("Resources after a launch with a service", .ownProcess, .serialized)
struct ServiceLeakTests {
  /// The number of launches between two counts. A leak of one descriptor in each is found.
  private static let rounds = 50

  private static func run(_ plan: LaunchPlan) async throws {
    let runner = try ServiceRunner(plan)
    try await runner.run { _ in runner.shutDown() }
  }

  private static let launches: [String: @Sendable () async throws -> Void] = [
    "ServiceRunner": { try await run(LaunchPlan(sequence: [Server()])) },
    "ServiceRunner with a process": {
      let server = RunService("sh", ["-c", "echo up; exec sleep 1000"], ready: .output("up"))
      try await run(LaunchPlan(sequence: [server]))
    },
    "LifecycleHost": {
      let host = LifecycleHost(LaunchPlan(sequence: [Server()]))
      await host.receive(.didFinishLaunching(LaunchOptions()))
      await host.receive(.willTerminate)
    },
    "CommandTester": { _ = await CommandTester(Server()).run() },
  ]

  @Test("A launch with a service leaves no descriptor open", arguments: launches.keys.sorted())
  func descriptors(host: String) async throws {
    let launch = try #require(Self.launches[host])
    // The first launch opens descriptors that stay open.
    try await launch()
    let before = try FileSystem.list("/dev/fd").count
    for _ in 0..<Self.rounds { try await launch() }
    // Threads that are ending may still have the descriptors of some launches.
    let limit = Patience.end
    var count = try FileSystem.list("/dev/fd").count
    while count >= before + Self.rounds / 2, MonotonicClock.now() < limit {
      await Task.yield()
      count = try FileSystem.list("/dev/fd").count
    }
    #expect(count < before + Self.rounds / 2, "\(count - before) more descriptors")
  }

  @Test("The objects that a launch with a service receives are released with its runner")
  func objects() async throws {
    let isReleased = Condition(false)
    try await Self.run(
      LaunchPlan(sequence: [Server()]).providing(Connection(isReleased: isReleased), for: .connection))
    #expect(await onThread { isReleased.wait(until: Patience.end) { $0 ? true : nil } } == true)
  }
}
#endif
