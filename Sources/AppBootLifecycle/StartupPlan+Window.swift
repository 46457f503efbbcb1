public import AppBoot

extension LaunchContext {
  /// The window that the app has set; `nil` if there is none.
  public var window: (any AppWindow)? { windowObject as? any AppWindow }
}

extension StartupCommandsBuilder {
  /// Sets the window on which screens are shown; `nil` for none.
  public func setWindow(_ window: (any AppWindow)?) -> Self { setWindowObject(window) }
}

extension StartupPlan {
  /// Sets the window on which screens are shown, for the launch and for event handlers; `nil` for none.
  public func setWindow(_ window: (any AppWindow)?) -> Self {
    var plan = self
    plan.environment.window = window
    plan.events = events.mapValues { $0.setWindow(window) }
    return plan
  }
}

extension ContextKey<WindowAppearance> {
  /// The theme and the accent colour that `Appearance` provides.
  public static var appearance: Self { Self("appearance") }
}

extension ContextKey<AppScreen> {
  /// The screen that `InitialScreen` provides.
  public static var screen: Self { Self("screen") }
}

extension AppTheme: ParameterValue {}

extension AppColor: ParameterValue {
  /// A string in the form `#RRGGBB`.
  public static var parameterType: ParameterType<AppColor> {
    let schema = ParameterSchema.pattern("^#[0-9A-Fa-f]{6}$", describedAs: "a colour such as \"#0A84FF\"")
    return ParameterType(
      schema, placeholder: AppColor(red: 0, green: 0, blue: 0), json: { $0.description.asJSON }
    ) { json, reader in
      guard let text = reader.text(json) else { return nil }
      return AppColor(text)
        ?? reader.reject(
          "\"\(text)\" is not a colour: write # and six hexadecimal digits, as in \"#0A84FF\"", json)
    }
  }
}
