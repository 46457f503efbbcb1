import AppBoot
import AppBootReports
import AppBootSystem

/// The window of the command line: it draws screens on standard output, in a box on a terminal, plain otherwise.
final class TerminalWindow: AppWindow {
  private let output: StandardOutput
  private let isTerminal: Bool
  private let drawing: ScreenDrawing
  private let live: LiveLine?
  private let appearance = Lock<WindowAppearance?>(nil)
  /// True if the window draws screens.
  private let isVisible: Bool

  init(_ tool: ToolContext, color: ColorChoice, live: LiveLine?, isVisible: Bool) {
    output = tool.output
    isTerminal = isVisible && tool.isTerminal
    drawing = ScreenDrawing(style: tool.outputStyle(color), isBoxed: isTerminal)
    self.live = live
    self.isVisible = isVisible
  }

  func apply(_ appearance: WindowAppearance) { self.appearance.withLock { $0 = appearance } }

  func show(_ screen: AppScreen) throws {
    guard isVisible else { return }
    let text = drawing.text(of: screen, appearance.withLock { $0 })
    let show = { [output] in
      output.write(text)
      try output.flush()
    }
    if let live { try live.interrupting(show) } else { try show() }
  }

  func systemTheme() -> AppTheme? {
    guard isTerminal, let isDark = Terminal.backgroundIsDark() else { return nil }
    return isDark ? .dark : .light
  }
}
