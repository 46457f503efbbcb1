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

    @Test("A delegate's launch runs the steps on the main actor, also in a task")
    func mainActorCommand() {
      Badge.shared.number = 0
      app.text = manifest(["ShowBadge"])
      #expect(Phone(app).launch())
      #expect(Badge.shared.number == 1)
    }

    @Test("A step of a delegate's launch uses the main actor, even from a task")
    func hop() {
      Badge.shared.number = 0
      app.text = manifest(["Hop"])
      #expect(Phone(app).launch())
      #expect(app.failures.isEmpty)
      #expect(Badge.shared.number == 10)
    }
  }
}
