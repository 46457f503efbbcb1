public import AppBoot
public import AppBootLifecycle
import Synchronization

/// The orientations that the screens may have. The launch sets them, and the system asks for them.
public final class OrientationLock {
  private let allowed = Mutex(InterfaceOrientations.all)

  /// Creates a lock that allows all orientations.
  public init() {}

  func allow(_ orientations: InterfaceOrientations) { allowed.withLock { $0 = orientations } }
}

extension OrientationLock: LifecycleResponder {
  /// Declines all events: the system only asks for orientations.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) { reply.decline() }

  /// Returns the orientations that the launch allowed.
  public func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations {
    allowed.withLock { $0 }
  }
}

/// Sets the orientations that the screens allow.
public struct LockOrientation: Command {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(abstract: "Sets the orientations that the screens allow.")

  /// The orientations.
  @Parameter("The orientations that screens may have: portrait, landscape.") public var orientations: [String]

  private let lock: OrientationLock

  /// Creates the command without orientations.
  public init(_ lock: OrientationLock) { self.lock = lock }

  struct Unknown: Error, CustomStringConvertible {
    let name: String
    var description: String { "there is no orientation \"\(name)\": it is portrait or landscape" }
  }

  /// Allows the orientations.
  ///
  /// - Throws: An error for an unknown name.
  public func execute(in context: LaunchContext) throws {
    let allowed = try orientations.map { name in
      switch name {
      case "portrait": InterfaceOrientations.portrait
      case "landscape": InterfaceOrientations.landscape
      default: throw Unknown(name: name)
      }
    }
    lock.allow(InterfaceOrientations(allowed))
    context.note(orientations.joined(separator: ", "))
  }
}
