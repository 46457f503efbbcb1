public import AppBoot

/// Decides theme and accent, sets them on the window, and provides them to the commands that come after.
public struct Appearance: Command {
  /// The name in a manifest; a constant, because the runtime is slow to derive it from the type.
  public static let name = "Appearance"

  /// What the command does, in one sentence.
  public static let abstract = "Decides theme and accent, and sets them on the window."

  /// What it goes by and what it leaves behind.
  public static let discussion = """
    With the theme "auto" it goes by what the window's system says: on iOS the system's setting; in a \
    terminal the variable COLORFGBG or else the background colour that the terminal itself answers with. \
    Where nobody says, as in a pipe or without a window, it is light; the terminal is not asked where \
    somebody has typed ahead, since that would get lost in its answer.

    Commands that come after find the decision in the context as "appearance", and screens as the \
    placeholders {context.theme} and {context.accent}.
    """

  /// The name of the context value that it provides.
  public static let provides = [ContextKey<WindowAppearance>.appearance.name]

  /// Light, dark, or what the system says.
  @Parameter("light, dark, or auto: what the system says, and light where it does not say.")
  public var theme: ThemeChoice = .auto

  /// The colour of headings and of what can be touched.
  @Parameter("The colour of headings and of what can be touched, #RRGGBB.")
  public var accent = AppColor(red: 0x0A, green: 0x84, blue: 0xFF)

  /// Creates the command with its defaults.
  public init() {}

  /// Decides, and sets what was decided.
  public func execute(in context: LaunchContext) {
    let appearance = WindowAppearance(theme: decidedTheme(in: context), accent: accent)
    context.window?.apply(appearance)
    context.provide(appearance, for: .appearance)
    context.note("\(appearance.theme.rawValue), \(accent)")
  }

  private func decidedTheme(in context: LaunchContext) -> AppTheme {
    switch theme {
    case .light: .light
    case .dark: .dark
    case .auto: context.measure("ask the system") { context.window?.systemTheme() } ?? .light
    }
  }
}

/// The theme that a manifest asks for.
public enum ThemeChoice: String, Sendable, Hashable, CaseIterable, Decodable {
  /// Dark text on a light ground.
  case light
  /// Light text on a dark ground.
  case dark
  /// What the system says.
  case auto
}
