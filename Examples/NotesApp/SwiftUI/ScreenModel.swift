import AppBoot
import AppBootLifecycle
import Observation

/// A window for the screens of one scene. The views of SwiftUI observe it.
@Observable @MainActor
final class ScreenModel: MainActorWindow {
  /// The visible screen; `nil` before the first one.
  private(set) var screen: AppScreen?
  /// The theme and the accent colour; `nil` before a command sets them.
  private(set) var appearance: WindowAppearance?

  func display(_ navigation: Navigation) { screen = navigation.visible?.screen }
  func display(_ appearance: WindowAppearance) { self.appearance = appearance }
}
