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
  /// UIKit calls a delegate outside of tasks, and then the main actor is served. A test calls it in a task: the steps
  /// that need the main actor then run while the task is suspended.
  @Suite(.timeLimit(.minutes(10))) @MainActor struct MainActorTests {
    private let app = BadgeAppDelegate()

    @Test("A delegate's launch in a task runs a command of the main actor when the task is suspended")
    func mainActorCommand() async {
      Badge.shared.number = 0
      app.text = manifest(["ShowBadge"])
      let phone = Phone(app)
      #expect(phone.launch())
      while Badge.shared.number != 1 { await Task.yield() }
    }

    @Test("A step of a delegate's launch in a task uses the main actor when the task is suspended")
    func hop() async {
      Badge.shared.number = 0
      app.text = manifest(["Hop"])
      let phone = Phone(app)
      #expect(phone.launch())
      while Badge.shared.number != 10 { await Task.yield() }
      #expect(app.failures.isEmpty)
    }
  }
}
