public import AppBootLifecycle
public import AppBoot

/// A command that sets the theme and the accent colour of the window, and provides them to later commands.
public struct Appearance: Command {
  /// A theme setting: light, dark, or the system's setting.
  public enum Theme: String, Hashable, CaseIterable, ParameterValue {
    /// Dark text on a light ground.
    case light
    /// Light text on a dark ground.
    case dark
    /// The system's setting, or light if the system has none.
    case auto
  }

  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "Appearance"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Decides theme and accent, and sets them on the window.",
    discussion: """
      The theme "auto" is the system's setting on iOS, and follows it afterwards. In a terminal it follows \
      the variable COLORFGBG. Without that variable, in a pipe or without a window it is light.

      Later commands read the result from the context as "appearance", and screens as the placeholders \
      {context.theme} and {context.accent}.
      """,
    example: """
      { "command": "Appearance", "with": { "theme": "auto", "accent": "#0A84FF" } }
      """,
    lane: .main,
    provides: .appearance)

  /// The theme: light, dark, or the system's setting.
  @Parameter("light, dark, or auto: the system's setting, or light if it has none.")
  public var theme = Theme.auto

  /// The colour of headings and of controls.
  @Parameter("The colour of headings and controls, #RRGGBB.")
  public var accent = AppColor(red: 0x0A, green: 0x84, blue: 0xFF)

  /// Creates the command with its defaults.
  public init() {}

  /// Creates a command that sets a theme and an accent colour.
  public init(theme: Theme, accent: AppColor = AppColor(red: 0x0A, green: 0x84, blue: 0xFF)) {
    (self.theme, self.accent) = (theme, accent)
  }

  /// Applies the theme and the accent colour to the window, and provides them as the context value "appearance".
  public func execute(in context: LaunchContext) {
    let appearance = WindowAppearance(
      theme: decidedTheme(in: context), accent: accent, followsSystem: theme == .auto)
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
