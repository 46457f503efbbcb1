package import AppBoot
import AppBootSystem

/// The state of an app from its launch to its end. ``LifecycleHost`` updates it, and `appboot status` prints it.
public struct LaunchState: Sendable, Hashable {
  /// The phase of the process.
  public internal(set) var phase = LaunchPhase.notLaunched
  /// The connected scenes.
  public internal(set) var scenes: [SceneID: SceneState] = [:]
  /// The names of the screens on the process's window, from bottom to top.
  public internal(set) var screens: [String] = []
  /// The token for remote notifications as hexadecimal digits; `nil` if the device is not registered.
  public internal(set) var token: String?
  /// The most recent failure; `nil` if there was none.
  public internal(set) var lastFailure: Failure?
  /// The number of events that the host has begun to handle.
  public internal(set) var events = 0

  /// Creates the state of an app before its first event.
  public init() {}

  /// The state of one scene.
  public struct SceneState: Sendable, Hashable {
    /// The phase of the scene.
    public internal(set) var phase = SceneSession.Phase.connecting
    /// The names of the scene's screens, from bottom to top.
    public internal(set) var screens: [String] = []
  }
}

extension LaunchState {
  /// A failure of a step, a listener or a responder's part.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The step's id, the listener's name or the part's path.
    public let source: String
    /// The error message.
    public let message: String

    package init(source: String, message: String) {
      self.source = source
      self.message = message
    }

    /// The source and the message.
    public var description: String { "\(source): \(message)" }
  }
}

/// An action that changes a ``LaunchState``.
package enum LaunchAction: Sendable {
  /// The host is about to handle an event.
  case lifecycle(LifecycleEvent)
  /// The commands of the launch have finished. `inBackground` is true if the app was launched without being visible.
  case launched(inBackground: Bool)
  /// A step, a listener or a responder's part failed.
  case failed(LaunchState.Failure)
  /// The screens of a window changed. `scene` is `nil` for the window of the process.
  case screens([String], scene: SceneID?)
}

extension LaunchState {
  fileprivate mutating func apply(_ event: LifecycleEvent) {
    events += 1
    phase = phase.after(event)
    switch event {
    case .didRegisterForRemoteNotifications(let token): self.token = Hexadecimal.text(of: token)
    case .didFailToRegisterForRemoteNotifications(let error):
      token = nil
      lastFailure = Failure(source: event.name, message: error)
    case .sceneWillConnect(let connection): scenes[connection.scene] = SceneState()
    case .sceneDidDisconnect(let scene): scenes[scene] = nil
    default:
      if let scene = event.scene, let known = scenes[scene]?.phase {
        scenes[scene]?.phase = known.after(event)
      }
    }
  }
}

extension LifecycleStore where State == LaunchState, Action == LaunchAction {
  /// Creates the store of a host. Its state is the state before the first event.
  package static func launch() -> LifecycleStore {
    let reducer = Reducer { state, action in
      switch action {
      case .lifecycle(let event): state.apply(event)
      case .launched(let inBackground):
        if state.phase == .launching { state.phase = inBackground ? .background : .inactive }
      case .failed(let failure): state.lastFailure = failure
      case .screens(let names, nil): state.screens = names
      case .screens(let names, let scene?): state.scenes[scene]?.screens = names
      }
    }
    return LifecycleStore(LaunchState(), reducer: reducer)
  }
}

/// An observer that dispatches the failures of steps to a store.
///
/// The store's subscribers are called as observers are: they must return quickly and must not call back into the
/// launch.
package struct LaunchStateObserver: RecordObserver {
  private let store: LifecycleStore<LaunchState, LaunchAction>

  /// Creates an observer that dispatches to a store.
  package init(_ store: LifecycleStore<LaunchState, LaunchAction>) { self.store = store }

  /// False: the observer uses only the ends of steps.
  package var usesOutput: Bool { false }

  /// Dispatches the event if it is the end of a failed step. Ignores all other events.
  package func observe(_ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64) {
    guard case .ended(let step, let end) = event.kind, let failure = end.failure else { return }
    store.dispatch(
      .failed(LaunchState.Failure(source: record.outline[step].id, message: failure.description)))
  }
}

extension LaunchState {
  /// The first eight digits of the token, and its length in bytes; `nil` without a token.
  ///
  /// The digits distinguish two devices, but do not suffice to send a notification to one.
  package var shortToken: String? {
    token.map(EmittedEvent.shortened)
  }

  /// The maximum length in bytes of an error message in the JSON. A longer message is truncated, so that it fits in a
  /// line of the control socket.
  private static let longestMessage = 64 << 10

  /// Returns the state as JSON: `phase`, `screens`, `scenes`, `token` (shortened), `lastFailure`, `events`.
  ///
  /// - Parameter name: The name to write as the phase; `nil` for the name of ``phase``.
  package func json(pretty: Bool = false, phase name: String? = nil) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.object { writer in
      writer.member("phase", name ?? phase.rawValue)
      writer.member("screens", screens)
      writer.key("scenes")
      writer.object { writer in
        for (id, scene) in scenes.sorted(by: { $0.key < $1.key }) {
          writer.key(id.name)
          writer.object { writer in
            writer.member("phase", scene.phase.rawValue)
            writer.member("screens", scene.screens)
          }
        }
      }
      if let shortToken { writer.member("token", shortToken) }
      if let lastFailure {
        writer.key("lastFailure")
        writer.object { writer in
          writer.member("source", lastFailure.source)
          writer.member("message", lastFailure.message.cut(to: Self.longestMessage))
        }
      }
      writer.member("events", events)
    }
    return writer.text
  }
}

extension LifecycleResponse.Problem {
  /// The action that stores the problem as the app's last failure.
  var action: LaunchAction { .failed(LaunchState.Failure(source: part, message: description)) }
}

/// A phase in the life of the process.
///
///     notLaunched → launching → inactive ⇄ active
///                               inactive ⇄ background       any → terminating
///
/// Platforms sometimes omit an event. An event therefore leads to its phase from any other phase. The exceptions are
/// `launching`, which only follows `notLaunched`, and `terminating`, which is final.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LaunchPhase: String, Sendable, Hashable, CaseIterable {
  /// The app has not been launched yet.
  case notLaunched
  /// The manifest's `commands` are running.
  case launching
  /// The app is in the foreground, but receives no input.
  case inactive
  /// The app is in the foreground, and receives input.
  case active
  /// The app is in the background.
  case background
  /// The app is about to exit.
  case terminating

  /// Returns the phase that follows this phase when an event arrives.
  package func after(_ event: LifecycleEvent) -> LaunchPhase {
    guard self != .terminating else { return self }
    switch event {
    case .didFinishLaunching: return self == .notLaunched ? .launching : self
    case .willEnterForeground, .willResignActive: return .inactive
    case .didBecomeActive: return .active
    case .didEnterBackground: return .background
    case .willTerminate: return .terminating
    default: return self
    }
  }
}
