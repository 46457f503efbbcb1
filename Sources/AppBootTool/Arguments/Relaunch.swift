import AppBootSystem

/// A command that starts this executable again with other arguments of the tool.
///
/// An app's executable can have arguments of its own before those of the tool. The command repeats them. If the tool's
/// arguments are not the last ones of the process, the executable cannot be started again.
struct Relaunch {
  /// The maximum nesting of checks. An executable that ignores its arguments would otherwise start checks forever.
  private static let deepest = 3
  private static let depthVariable = "APPBOOT_CHECK_DEPTH"

  private let start: [String]
  let environment: [String: String]

  init?(arguments: [String]) throws(UsageError) {
    let all = CurrentProcess.arguments
    guard all.count > arguments.count, all.suffix(arguments.count) == arguments[...] else { return nil }
    guard let program = Self.program(all[0]) else { return nil }
    let depth = ProcessEnvironment.value(of: Self.depthVariable).flatMap { Int($0) } ?? 0
    guard depth < Self.deepest else { throw .endlessCheck }
    start = [program] + all[1..<(all.count - arguments.count)]
    environment = [Self.depthVariable: String(depth + 1)]
  }

  /// Returns the path of this executable; `nil` if it cannot be started again on this platform.
  ///
  /// - Parameter name: The first argument of the process. On Linux it is used only if `/proc` is missing.
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

  /// Returns the error about an executable that cannot be started again.
  ///
  /// - Parameter subject: The option or the subcommand that starts it.
  static func missing(for subject: String) -> ToolError {
    ToolError(
      "\(subject) needs an executable that can be started again",
      help: "pass the arguments of the process to CommandLineTool unchanged")
  }

  func command(_ arguments: [String]) -> [String] { start + arguments }

  /// Returns the command of another executable with the same arguments before those of the tool.
  func replacing(program: String) -> Relaunch { Relaunch([program] + start.dropFirst(), environment) }

  private init(_ start: [String], _ environment: [String: String]) {
    self.start = start
    self.environment = environment
  }
}
