public import AppBoot

/// The commands that come with AppBoot, for an app's registry.
///
/// ```swift
/// var registry = CommandRegistry()
/// registry.register(StockCommands.all)
/// ```
public enum StockCommands {
  /// Every stock command, in the order in which the catalogue shows them.
  public static let all: [any Command.Type] = [
    InitializeThirdParties.self, Appearance.self, InitialScreen.self, RegisterRemoteNotifications.self,
    RunProcess.self,
  ]
}
