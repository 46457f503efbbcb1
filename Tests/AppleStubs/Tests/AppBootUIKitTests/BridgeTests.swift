import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing

@testable import AppBootUIKit

/// The tests of the bridge. They run one after the other, because UIKit has one application.
@Suite(.serialized) @MainActor
enum BridgeTests {}

/// A command that shows a screen whose name is the request: the reason, the URL and the payload.
struct ShowRequest: Command {
  static let options = CommandOptions(lane: .main)
  init() {}
  func execute(in context: LaunchContext) throws {
    let launch = context.launch
    let parts = [launch.reason.rawValue, launch.url, launch.payload].compactMap(\.self)
    try context.window?.show(AppScreen(name: parts.joined(separator: " "), title: "", text: ""))
    if context.window != nil { try context.emit("didShowFirstScreen", payload: parts[0]) }
  }
}

/// A command that calls a function of the test's app on the main thread.
struct DuringLaunch: Command {
  static let options = CommandOptions(lane: .main)
  init() {}
  func execute(in context: LaunchContext) throws {
    MainActor.assumeIsolated { (AppBootAppDelegate.current as? TestAppDelegate)?.duringLaunch() }
  }
}

/// A command that logs whether it was cancelled while it ran.
struct Work: Command {
  static let options = CommandOptions(lane: .main)
  private static let log = Lock<(ends: [String], hook: (@Sendable () -> Void)?)>(([], nil))
  static var ends: [String] { log.withLock(\.ends) }
  init() {}

  /// Sets a function that the command calls once while it runs.
  static func whenRunning(_ hook: @escaping @Sendable () -> Void) { log.withLock { $0.hook = hook } }

  func execute(in context: LaunchContext) throws {
    let hook = Self.log.withLock { log in
      defer { log.hook = nil }
      return log.hook
    }
    hook?()
    Self.log.withLock { $0.ends.append(context.isCancelled ? "cancelled" : "ran") }
  }
}

/// A command that fails.
struct Fail: Command {
  struct Mishap: Error, CustomStringConvertible { let description = "out of paper" }
  init() {}
  func execute(in context: LaunchContext) throws { throw Mishap() }
}

/// Returns a manifest with commands for the launch, and the commands of other events.
func manifest(_ commands: [String] = [], on events: [String: String] = [:]) -> String {
  let handlers = events.sorted { $0.key < $1.key }.map { #""\#($0.key)":["\#($0.value)"]"# }
  let names = commands.map { "\"\($0)\"" }
  return
    #"{"version":1,"commands":[\#(names.joined(separator: ","))],"on":{\#(handlers.joined(separator: ","))}}"#
}
