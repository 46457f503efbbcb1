import AppBoot
import AppBootLifecycle
import Testing

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
