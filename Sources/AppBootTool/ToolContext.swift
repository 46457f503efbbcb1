import AppBoot
import AppBootLifecycle
import AppBootReports
import AppBootSystem

/// What every subcommand works with: the names, the commands, and where to write.
struct ToolContext: Sendable {
  /// The executable's name in messages.
  let name: String
  let version: String
  let registry: CommandRegistry
  /// The app's own listeners, responders and windows; `nil` where it has none.
  var lifecycle: (@Sendable () -> LifecycleHost.Configuration)?
  /// What the tool was called with.
  var arguments: [String] = []
  /// Results.
  let output = StandardOutput(descriptor: 1)
  /// Messages.
  let errors = StandardOutput(descriptor: 2, limit: 0)

  /// How to write on standard output.
  func outputStyle(_ color: ColorChoice = .auto) -> TextStyle { style(of: 1, color) }

  /// How to write on standard error.
  func errorStyle(_ color: ColorChoice = .auto) -> TextStyle { style(of: 2, color) }

  /// Whether standard output is a terminal.
  var isTerminal: Bool { Terminal.isTerminal(output.descriptor) }

  private func style(of descriptor: Int32, _ color: ColorChoice) -> TextStyle {
    let isTerminal = Terminal.isTerminal(descriptor)
    let width = Terminal.width(of: descriptor) ?? (isTerminal ? 80 : nil)
    var style = TextStyle(
      width: width, usesColor: color.usesColor(isTerminal: isTerminal), usesASCII: !Terminal.isUTF8Locale)
    style.breaksWorkflowCommands = GitHubActions.isRunning
    return style
  }

  // MARK: - Messages

  /// Says on standard error what went wrong and what to do.
  func report(_ error: ToolError, color: ColorChoice = .auto) {
    let style = errorStyle(color)
    if let (diagnostics, source) = error.problems {
      errors.write(DiagnosticRenderer(style).text(diagnostics, in: source))
    }
    guard let message = error.message else { return }
    errors.write("\(name): \(style.paint("error:", .failure)) \(style.visible(message))\n")
    guard let help = error.help(tool: name) else { return }
    errors.write("\(style.paint("help:", .accent)) \(style.visible(help))\n")
  }

  /// Says on standard error what is not as it should be, though the tool goes on.
  func warn(_ message: String, color: ColorChoice = .auto) {
    let style = errorStyle(color)
    errors.write("\(name): \(style.paint("warning:", .warning)) \(style.visible(message))\n")
  }
}

extension DiagnosticRenderer {
  init(_ style: TextStyle) {
    // Beside the excerpt stand the line's number (8 columns) and, where it is cut, an ellipsis at each end.
    let frame = 8 + 2 * (style.usesASCII ? 3 : 1)
    self.init(
      usesColor: style.usesColor, usesASCII: style.usesASCII,
      excerptWidth: min(100, style.width.map { $0 - frame } ?? 100))
    breaksWorkflowCommands = style.breaksWorkflowCommands
  }
}

/// What `--color` says.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Whether to colour: the option, then `NO_COLOR` (no-color.org), `TERM=dumb`, then whether it is a terminal.
  func usesColor(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      guard isTerminal else { return false }
      if ProcessEnvironment.value(of: "NO_COLOR")?.isEmpty == false { return false }
      return Terminal.type != "dumb"
    }
  }
}
