public import AppBoot
import AppBootSystem

/// What is known of the running app: the state of the launch's own store, which `appboot status` prints.
public struct LaunchState: Sendable, Hashable {
  /// Where the process stands.
  public internal(set) var phase = LaunchPhase.notLaunched
  /// The scenes that are connected.
  public internal(set) var scenes: [SceneID: SceneState] = [:]
  /// The names of the screens on the process's own window, the lowest first.
  public internal(set) var screens: [String] = []
  /// The device's token for remote notifications, as hexadecimal digits.
  public internal(set) var token: String?
  /// What failed last.
  public internal(set) var lastFailure: LaunchFailure?
  /// How many events have been told.
  public internal(set) var events = 0

  /// The state before anything has happened.
  public init() {}

  /// What is known of one scene.
  public struct SceneState: Sendable, Hashable {
    /// Where the scene stands.
    public internal(set) var phase = ScenePhase.connecting
    /// The names of its screens, the lowest first.
    public internal(set) var screens: [String] = []
  }
}

/// Who failed and why.
public struct LaunchFailure: Sendable, Hashable {
  /// The step's id, the listener's name or the part's path.
  public let source: String
  /// What was said.
  public let message: String

  /// Names a failure.
  public init(source: String, message: String) {
    self.source = source
    self.message = message
  }
}

/// What changes a ``LaunchState``.
public enum LaunchAction: Sendable {
  /// An event is about to be told.
  case lifecycle(LifecycleEvent)
  /// Something happened in a run of commands; the step's id, where it is about one.
  case startup(StartupEvent, step: String?)
  /// The commands of the launch have run.
  case launched(inBackground: Bool)
  /// Somebody failed.
  case failed(LaunchFailure)
  /// A window shows other screens; the scene, or `nil` for the process's own window.
  case screens([String], scene: SceneID?)
}

extension Reducer where State == LaunchState, Action == LaunchAction {
  /// How events change what is known of the app.
  public static var launch: Reducer {
    Reducer { state, action in
      switch action {
      case .lifecycle(let event): state.apply(event)
      case .startup(let event, let step): state.apply(event, step: step)
      case .launched(let inBackground):
        if state.phase == .launching { state.phase = inBackground ? .background : .inactive }
      case .failed(let failure): state.lastFailure = failure
      case .screens(let names, nil): state.screens = names
      case .screens(let names, let scene?): state.scenes[scene]?.screens = names
      }
    }
  }
}

extension LaunchState {
  fileprivate mutating func apply(_ event: LifecycleEvent) {
    events += 1
    phase = phase.after(event)
    switch event {
    case .didRegisterForRemoteNotifications(let token): self.token = Hexadecimal.text(of: token)
    case .didFailToRegisterForRemoteNotifications(let error):
      token = nil
      lastFailure = LaunchFailure(source: event.name, message: error)
    case .sceneWillConnect(let scene, _): scenes[scene] = SceneState()
    case .sceneDidDisconnect(let scene): scenes[scene] = nil
    case .sceneWillEnterForeground(let scene), .sceneDidBecomeActive(let scene),
      .sceneWillResignActive(let scene), .sceneDidEnterBackground(let scene):
      if let known = scenes[scene]?.phase { scenes[scene]?.phase = known.after(event) }
    case .didFinishLaunching, .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
      .willTerminate, .didReceiveReload, .didShowFirstScreen, .didReceiveRemoteNotification,
      .willPresentNotification, .didReceiveNotificationResponse, .openURL, .continueActivity,
      .performQuickAction, .significantTimeChange, .didReceiveMemoryWarning, .custom:
      break
    }
  }

  fileprivate mutating func apply(_ event: StartupEvent, step: String?) {
    guard case .ended(_, let end) = event.kind, let failure = end.failure else { return }
    lastFailure = LaunchFailure(source: step ?? "launch", message: failure.description)
  }
}

extension Store where State == LaunchState, Action == LaunchAction {
  /// A store of what is known of the app.
  public static func launch() -> Store { Store(LaunchState(), reducer: .launch) }
}

/// Tells a store of what happens in a run of commands.
///
/// The store's subscribers hear of it as observers do: they return soon, and do not call back into the launch.
public struct LaunchStateObserver: StartupObserver {
  private let store: Store<LaunchState, LaunchAction>

  /// Tells this store.
  public init(_ store: Store<LaunchState, LaunchAction>) { self.store = store }

  /// Dispatches what changes the state: the ends of steps that failed.
  public func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    guard case .ended(let step, let state) = event.kind, state.isFailure else { return }
    store.dispatch(.startup(event, step: outline[step].id))
  }
}

extension LaunchState {
  /// The token's first eight digits and its length in bytes: enough to tell two apart, too little to send to one.
  public var shortToken: String? {
    token.map(EmittedEvent.shortened)
  }

  /// What was said of a failure is cut to so many bytes in the JSON, which has to fit on a line of the control socket.
  private static let longestMessage = 64 << 10

  /// The state as JSON: `phase`, `scenes`, `screens`, `token` (shortened), `lastFailure`, `events`.
  public func json(pretty: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.object { writer in
      writer.member("phase", phase.rawValue)
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
