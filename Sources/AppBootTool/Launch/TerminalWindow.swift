import AppBoot
import AppBootLifecycle
import AppBootReports
import AppBootSystem

/// The window of the command line. It draws screens on standard output: in a box on a terminal, otherwise as plain
/// text.
final class TerminalWindow: AppWindow {
  private let output: StandardOutput
  private let isTerminal: Bool
  private let drawing: ScreenDrawing
  private let live: LiveLine?
  private let state = Lock(State())
  /// True if the window draws screens.
  private let isVisible: Bool

  private struct State {
    var appearance: WindowAppearance?
    var secrets: Secrets?
    /// The item that was drawn last; `nil` before the first one.
    var visible: Navigation.Item?
  }

  init(_ tool: ToolContext, live: LiveLine?, isVisible: Bool) {
    output = tool.output
    isTerminal = isVisible && tool.isTerminal
    drawing = ScreenDrawing(style: tool.outputStyle, isBoxed: isTerminal)
    self.live = live
    self.isVisible = isVisible
  }

  /// Makes the window show `***` in place of these secrets.
  func hide(_ secrets: Secrets) { state.withLock { $0.secrets = secrets } }

  func apply(_ appearance: WindowAppearance) { state.withLock { $0.appearance = appearance } }

  /// Draws the screen on top, under the path to it, unless it is drawn already.
  func show(_ navigation: Navigation) {
    let isNew = state.withLock { state in
      defer { state.visible = navigation.visible }
      return state.visible != navigation.visible
    }
    if isNew { draw(navigation) }
  }

  func show(_ screen: AppScreen) { draw(Navigation(screen)) }

  private func draw(_ navigation: Navigation) {
    guard isVisible else { return }
    let (appearance, secrets) = state.withLock { ($0.appearance, $0.secrets) }
    let text = drawing.text(of: secrets.map(navigation.masked) ?? navigation, appearance)
    live.interrupting {
      output.write(text)
      // The tool reports an error at its end. That standard output is full is no failure of the step.
      try? output.flush()
    }
  }

  func systemTheme() -> AppTheme? {
    guard isTerminal, let isDark = Terminal.backgroundIsDark() else { return nil }
    return isDark ? .dark : .light
  }
}

extension Navigation {
  /// Returns the navigation with `***` in place of each secret.
  fileprivate func masked(by secrets: Secrets) -> Navigation {
    Navigation(
      stacks: stacks.map { stack in
        stack.map { item in
          let (title, text) = (secrets.masking(item.screen.title), secrets.masking(item.screen.text))
          return Item(id: item.id, screen: item.screen.replacing(title: title, text: text))
        }
      })
  }
}
