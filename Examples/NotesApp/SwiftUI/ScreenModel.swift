import AppBoot
import Observation

/// A window for the screens of one scene. The views of SwiftUI observe it.
@Observable @MainActor
final class ScreenModel: AppWindow {
  /// The visible screen; `nil` before the first one.
  private(set) var screen: AppScreen?
  /// The theme and the accent colour; `nil` before a command sets them.
  private(set) var appearance: WindowAppearance?

  nonisolated func show(_ screen: AppScreen) { Task { @MainActor in self.screen = screen } }
  nonisolated func apply(_ appearance: WindowAppearance) {
    Task { @MainActor in self.appearance = appearance }
  }
}
