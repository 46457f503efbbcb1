import AppBootSystem

/// The command that starts this executable again with other arguments of the tool.
///
/// An app's executable can have its own arguments before the tool's; the command repeats them. If the tool's arguments
/// are not the last ones of the process, the executable cannot be started again, and launches run in this process.
struct Relaunch {
  /// The deepest nesting of checks: an executable that ignores its arguments would start checks forever.
  private static let deepest = 3
  private static let depthVariable = "APPBOOT_CHECK_DEPTH"

  private let start: [String]
  let environment: [String: String]

  init?(arguments: [String]) throws(UsageError) {
    let all = CommandLine.arguments
    guard all.count > arguments.count, all.suffix(arguments.count) == arguments[...] else { return nil }
    guard let program = Self.program(all[0]) else { return nil }
    let depth = ProcessEnvironment.value(of: Self.depthVariable).flatMap { Int($0) } ?? 0
    guard depth < Self.deepest else { throw .endlessCheck }
    start = [program] + all[1..<(all.count - arguments.count)]
    environment = [Self.depthVariable: String(depth + 1)]
  }

  /// Returns the executable itself, also if it was started by its name alone or was replaced since.
  private static func program(_ name: String) -> String? {
    #if os(Linux)
    let itself = "/proc/self/exe"
    if FileSystem.exists(itself) { return itself }
    #endif
    #if os(Linux) || os(macOS)
    // A name without a slash is looked up in PATH again.
    return name
    #else
    return nil
    #endif
  }

  func command(_ arguments: [String]) -> [String] { start + arguments }
}
