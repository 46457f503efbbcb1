#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootBase
import AppBootLifecycle

/// A thread-safe table of the windows of the connected scenes.
final class SceneWindows: Sendable {
  private let windows = Lock<[SceneID: any AppWindow]>([:])

  /// Creates an empty table.
  init() {}

  /// The window of a scene; `nil` if the scene has none.
  subscript(scene: SceneID) -> (any AppWindow)? {
    get { windows.withLock { $0[scene] } }
    set { windows.withLock { $0[scene] = newValue } }
  }
}
#endif
