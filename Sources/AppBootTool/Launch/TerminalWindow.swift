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
    let frame = Frame(ascii: style.usesASCII)
    let colors = ScreenColors(appearance, usesColor: style.usesColor)
    let title = style.fit(style.visible(screen.title), to: inside - 2)
    let rest = max(0, inside - 1 - DisplayWidth.of(title))
    let rule = String(repeating: frame.horizontal, count: rest)
    var rows = [
      colors.border("\(frame.topLeft)\(frame.horizontal) ") + colors.title(title)
        + colors.border(" \(rule)\(frame.topRight)")
    ]
    let lines = screen.text.isEmpty ? [] : [""] + style.wrap(screen.text, to: inside) + [""]
    let edge = colors.border(frame.vertical)
    rows += lines.map { edge + colors.ground(" \(DisplayWidth.pad($0, to: inside)) ") + edge }
    let bottom = String(repeating: frame.horizontal, count: width - 2)
    rows.append(colors.border("\(frame.bottomLeft)\(bottom)\(frame.bottomRight)"))
    return rows.joined(separator: "\n") + "\n\n"
  }

  /// The characters that draw the frame of a box.
  private struct Frame {
    let horizontal, vertical, topLeft, topRight, bottomLeft, bottomRight: String

    init(ascii: Bool) {
      let parts = ascii ? ["-", "|", "+", "+", "+", "+"] : ["─", "│", "╭", "╮", "╰", "╯"]
      (horizontal, vertical) = (parts[0], parts[1])
      (topLeft, topRight, bottomLeft, bottomRight) = (parts[2], parts[3], parts[4], parts[5])
    }
  }
}

/// The colours of a screen: the accent colour for the frame and the title, and the theme's background.
struct ScreenColors {
  private let accent: String?
  private let theme: String?

  init(_ appearance: WindowAppearance?, usesColor: Bool) {
    guard usesColor, let appearance else {
      (accent, theme) = (usesColor ? "36" : nil, nil)
      return
    }
    let depth = ProcessEnvironment.value(of: "COLORTERM")
    let isExact = depth == "truecolor" || depth == "24bit"
    let (ground, ink): (AppColor, AppColor) =
      switch appearance.theme {
      case .dark: (AppColor(red: 28, green: 28, blue: 28), AppColor(red: 228, green: 228, blue: 228))
      case .light: (AppColor(red: 255, green: 255, blue: 255), AppColor(red: 28, green: 28, blue: 28))
      }
    accent = "38;" + Self.parameters(appearance.accent, isExact: isExact)
    theme = "48;\(Self.parameters(ground, isExact: isExact));38;\(Self.parameters(ink, isExact: isExact))"
  }

  func border(_ text: String) -> String { paint(text, accent) }
  func title(_ text: String) -> String { paint(text, accent.map { "1;\($0)" }) }
  func ground(_ text: String) -> String { paint(text, theme) }

  private func paint(_ text: String, _ parameters: String?) -> String {
    parameters.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
  }

  /// Returns the parameters that follow `38;` or `48;`: the exact colour (ISO 8613-6), or the nearest of xterm's 256
  /// colours.
  private static func parameters(_ color: AppColor, isExact: Bool) -> String {
    isExact ? "2;\(color.red);\(color.green);\(color.blue)" : "5;\(paletteIndex(of: color))"
  }

  /// Returns the index of the nearest colour in xterm's 6×6×6 cube (16 to 231) or among its 24 greys (232 to 255).
  static func paletteIndex(of color: AppColor) -> Int {
    let levels = [0, 95, 135, 175, 215, 255]
    let parts = [Int(color.red), Int(color.green), Int(color.blue)]
    let cube = parts.map { part in levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0
    }
    let grey = max(0, min(23, (parts.reduce(0, +) / 3 - 3) / 10))
    let distance = { (candidate: [Int]) in
      zip(candidate, parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let isGreyCloser = distance([Int](repeating: 8 + 10 * grey, count: 3)) < distance(cube.map { levels[$0] })
    return isGreyCloser ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
  }
}
