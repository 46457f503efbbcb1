import AppBootSystem

/// A subcommand: its name, its help, its arguments and its implementation.
protocol Subcommand {
  /// The name on the command line.
  static var name: String { get }
  /// A one-sentence summary.
  static var abstract: String { get }
  /// Further paragraphs of the help; may be empty.
  static var discussion: String { get }
  /// The declarations of the positional arguments.
  static var operands: [Operand] { get }
  static var options: [any OptionDeclaration] { get }
  /// True if a command line may follow `--`.
  static var takesCommand: Bool { get }
  /// The exit codes that scripts can rely on, with what each means. The number of a signal is not used.
  static var exits: KeyValuePairs<ToolExit, String> { get }

  /// Runs the subcommand.
  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit
}

extension Subcommand {
  static var discussion: String { "" }
  static var operands: [Operand] { [] }
  static var options: [any OptionDeclaration] { [] }
  static var takesCommand: Bool { false }
  static var exits: KeyValuePairs<ToolExit, String> { [:] }
}

/// The declaration of a positional argument.
struct Operand: Sendable {
  let name: String
  let help: String
  /// True if the argument is required. The subcommand reports an error if it is missing.
  var isRequired = false
  /// True if the argument can be given several times.
  var isRepeated = false
  /// The kind of the argument's value, for completions.
  var value = ValueKind.file("FILE")

  /// The declaration of the steps to run.
  static let steps = Operand(
    name: "STEP", help: "A step; selects it and all steps that it needs, like --to; repeatable.",
    isRepeated: true, value: .step("STEP"))

  /// The declaration of the manifest's path, which most subcommands take.
  static var manifest: Operand {
    Operand(
      name: "MANIFEST",
      help:
        "The manifest, or its directory; - reads standard input. Default: commands.json or commands.jsonc, here or "
        + "in the nearest directory above.")
  }
}

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
