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
  private let live: LiveText?
  private let state = Lock(State())
  /// True if the window draws screens.
  private let isVisible: Bool

  private struct State {
    var appearance: WindowAppearance?
    var secrets: Secrets?
    /// The item that was drawn last; `nil` before the first one.
    var visible: Navigation.Item?
  }

  init(_ tool: ToolContext, live: LiveText?, isVisible: Bool) {
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
    guard isTerminal, let isDark = Terminal.backgroundIsDark else { return nil }
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

/// A drawing of a screen with characters: a box in the accent colour, or an underlined title.
struct ScreenDrawing: Sendable {
  let style: TextStyle
  let isBoxed: Bool

  /// Returns the screen on top as text. Above it is the path of titles from the first screen, if there are more.
  ///
  /// In the path, `›` is before a pushed screen, and `+` before a presented one.
  func text(of navigation: Navigation, _ appearance: WindowAppearance?) -> String {
    guard let screen = navigation.visible?.screen else { return "" }
    let text = text(of: screen, appearance)
    guard navigation.screens.count > 1 else { return text }
    let arrow = style.usesASCII ? " > " : " › "
    let path = navigation.stacks.map { $0.map { style.visible($0.screen.title) }.joined(separator: arrow) }
    return style.fit(path.joined(separator: " + "), to: style.width ?? .max) + "\n" + text
  }

  /// Returns a screen as text. Each line ends with a line feed, and the last line is empty.
  func text(of screen: AppScreen, _ appearance: WindowAppearance?) -> String {
    isBoxed ? box(screen, appearance) : plain(screen)
  }

  private func plain(_ screen: AppScreen) -> String {
    let title = style.visible(screen.title)
    let width = style.width ?? .max
    let rule = String(repeating: "=", count: min(DisplayWidth.of(title), width))
    var text = "\(title)\n\(rule)\n"
    if !screen.text.isEmpty {
      text += "\n" + style.wrap(screen.text, to: width).joined(separator: "\n") + "\n"
    }
    return text + "\n"
  }

  private func box(_ screen: AppScreen, _ appearance: WindowAppearance?) -> String {
    let width = style.width ?? 80
    let inside = width - 4
    let (horizontal, vertical) = style.usesASCII ? ("-", "|") : ("─", "│")
    let (topLeft, topRight) = style.usesASCII ? ("+", "+") : ("╭", "╮")
    let (bottomLeft, bottomRight) = style.usesASCII ? ("+", "+") : ("╰", "╯")
    let colors = ScreenColors(appearance, usesColor: style.usesColor)
    let title = style.fit(style.visible(screen.title), to: inside - 2)
    let rest = max(0, inside - 1 - DisplayWidth.of(title))
    let rule = String(repeating: horizontal, count: rest)
    var rows = [
      colors.border("\(topLeft)\(horizontal) ") + colors.title(title)
        + colors.border(" \(rule)\(topRight)")
    ]
    let lines = screen.text.isEmpty ? [] : [""] + style.wrap(screen.text, to: inside) + [""]
    let edge = colors.border(vertical)
    rows += lines.map { edge + colors.ground(" \(DisplayWidth.pad($0, to: inside)) ") + edge }
    let bottom = String(repeating: horizontal, count: width - 2)
    rows.append(colors.border("\(bottomLeft)\(bottom)\(bottomRight)"))
    return rows.joined(separator: "\n") + "\n\n"
  }
}

/// The colours of a screen: the accent colour for the frame and the title, and the theme's background.
///
/// A terminal without true colours gets its cyan as the accent colour, and no background.
private struct ScreenColors {
  private let accent: String?
  private let theme: String?

  init(_ appearance: WindowAppearance?, usesColor: Bool) {
    let hasTrueColors = ["truecolor", "24bit"].contains(ProcessEnvironment.value(of: "COLORTERM"))
    guard usesColor, hasTrueColors, let appearance else {
      (accent, theme) = (usesColor ? "36" : nil, nil)
      return
    }
    accent = "38;2;\(appearance.accent.red);\(appearance.accent.green);\(appearance.accent.blue)"
    theme =
      switch appearance.theme {
      case .dark: "48;2;28;28;28;38;2;228;228;228"
      case .light: "48;2;255;255;255;38;2;28;28;28"
      }
  }

  func border(_ text: String) -> String { paint(text, accent) }
  func title(_ text: String) -> String { paint(text, accent.map { "1;\($0)" }) }
  func ground(_ text: String) -> String { paint(text, theme) }

  private func paint(_ text: String, _ parameters: String?) -> String {
    parameters.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
  }
}
