import AppBoot
import Testing
import UIKit

@testable import AppBootUIKit

@MainActor private final class Badge {
  static let shared = Badge()
  var number = 0
}

private struct ShowBadge: MainActorCommand {
  init() {}
  func execute(in context: LaunchContext) async throws {
    await Task.yield()
    Badge.shared.number += 1
  }
}

private struct Hop: AsyncCommand {
  init() {}
  func execute(in context: LaunchContext) async throws { await MainActor.run { Badge.shared.number += 10 } }
}

private final class BadgeAppDelegate: TestAppDelegate {
  override func register(in registry: inout CommandRegistry) {
    super.register(in: &registry)
    registry.register([ShowBadge.self, Hop.self])
  }
}

extension BridgeTests {
  /// UIKit calls a delegate outside of tasks, and then the main actor is served. A test calls it in a task.
  @Suite @MainActor struct MainActorTests {
    private let app = BadgeAppDelegate()

    @Test(
      "A delegate that a task calls reports that a step needs the main actor",
      arguments: ["ShowBadge", "Hop"])
    func task(command: String) {
      Badge.shared.number = 0
      app.text = manifest([command])
      Phone(app).launch()
      #expect(app.failures.first.map { "\($0)" }?.contains("use await run()") == true)
      #expect(Badge.shared.number == 0)
    }
  }
}
