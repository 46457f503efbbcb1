import AppBootSystem

/// How to start this executable once more with other arguments.
///
/// An app's executable may take arguments of its own before the tool's; they are kept. Where the tool was not given the
/// end of the process's arguments, there is no way to tell how to reach it, and launches stay in this process.
struct Relaunch {
  /// How often a check may start a check: an executable that does not pass its arguments on would never end.
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

  /// The executable itself, also where it was started by its name alone or has been replaced meanwhile.
  private static func program(_ name: String) -> String? {
    #if os(Linux)
    let itself = "/proc/self/exe"
    if FileSystem.exists(itself) { return itself }
    #endif
    #if os(Linux) || os(macOS)
    // A name without a slash is looked up in PATH once more.
    return name
    #else
    return nil
    #endif
  }

  func command(_ arguments: [String]) -> [String] { start + arguments }
}
