public import AppBoot

/// The commands that come with AppBoot, for an app's registry.
///
/// ```swift
/// var registry = CommandRegistry()
/// registry.register(StockCommands.all)
/// ```
public enum StockCommands {
  /// Every stock command, in the catalogue's order.
  public static let all: [any Command.Type] = [
    InitializeThirdParties.self, Appearance.self, InitialScreen.self, RegisterRemoteNotifications.self,
    RunProcess.self, RunService.self, WaitFor.self, CheckEnvironment.self,
    SendHTTPRequest.self, Say.self,
  ]
}
