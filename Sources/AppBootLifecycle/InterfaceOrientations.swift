import AppBoot

/// The orientations in which a scene can show its interface.
public struct InterfaceOrientations: OptionSet, Sendable, Hashable {
  /// The bits of the orientations.
  public let rawValue: UInt8

  /// Creates orientations from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Upright.
  public static let portrait = InterfaceOrientations(rawValue: 1)
  /// Upside down.
  public static let portraitUpsideDown = InterfaceOrientations(rawValue: 2)
  /// The device is turned to the right.
  public static let landscapeLeft = InterfaceOrientations(rawValue: 4)
  /// The device is turned to the left.
  public static let landscapeRight = InterfaceOrientations(rawValue: 8)
  /// Both landscape orientations.
  public static let landscape: InterfaceOrientations = [.landscapeLeft, .landscapeRight]
  /// All orientations except upside down.
  public static let allButUpsideDown: InterfaceOrientations = [.portrait, .landscape]
  /// All orientations.
  public static let all: InterfaceOrientations = [.portrait, .portraitUpsideDown, .landscape]
}

extension LifecycleHost {
  /// Returns the orientations that every responder supports; `nil` if they have none in common.
  ///
  /// The host asks the responders at once, also while it handles an event.
  ///
  /// - Parameter scene: The scene whose window would rotate; `nil` for the window of the process.
  public func supportedInterfaceOrientations(scene: SceneID? = nil) -> InterfaceOrientations? {
    let common = CompositeResponder(parts: configuration.responders).supportedInterfaceOrientations(
      scene: scene)
    return common.isEmpty ? nil : common
  }
}
