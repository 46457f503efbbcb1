import AppBoot
import AppBootSystem

/// A parser that creates an event from its name, its scene, and the texts of its payload and URL.
struct LifecycleEventReader {
  let name: String
  let payload: String?
  let url: String?
  let scene: SceneID?

  func read(_ declared: [DeclaredEvent]) throws(LifecycleEventError) -> LifecycleEvent {
    if let bytes = scene?.name.utf8.count, bytes == 0 || bytes > SceneID.longestName {
      throw .invalidScene(bytes: bytes, event: name)
    }
    if let event = try plain() { return event }
    if let event = try sceneState() { return event }
    switch name {
    case LifecycleEventName.didFinishLaunching:
      try refuse(.scene)
      return .didFinishLaunching(try options())
    case LifecycleEventName.sceneWillConnect:
      return .sceneWillConnect(try require(scene, .scene), try options())
    case LifecycleEventName.didShowFirstScreen:
      try refuse(.url, .scene)
      return .didShowFirstScreen(screen: try payload.map(text))
    case LifecycleEventName.didRegisterForRemoteNotifications: return try registration()
    case LifecycleEventName.didFailToRegisterForRemoteNotifications:
      try refuse(.url, .scene)
      return .didFailToRegisterForRemoteNotifications(error: try text(require(payload, .payload)))
    case LifecycleEventName.didReceiveRemoteNotification:
      return .didReceiveRemoteNotification(payload: try notification())
    case LifecycleEventName.willPresentNotification:
      return .willPresentNotification(payload: try notification())
    case LifecycleEventName.didReceiveNotificationResponse: return try response()
    case LifecycleEventName.openURL:
      try refuse(.payload)
      return .openURL(try checked(require(url, .url)), scene: scene)
    case LifecycleEventName.continueActivity: return try activity()
    case LifecycleEventName.performQuickAction: return try quickAction()
    default: return try custom(declared)
    }
  }

  // MARK: - Events without a payload

  private func plain() throws(LifecycleEventError) -> LifecycleEvent? {
    let events: [LifecycleEvent] = [
      .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .significantTimeChange, .didReceiveMemoryWarning,
    ]
    guard let event = events.first(where: { $0.name == name }) else { return nil }
    try refuse(.payload, .url, .scene)
    return event
  }

  private func sceneState() throws(LifecycleEventError) -> LifecycleEvent? {
    let events: [(SceneID) -> LifecycleEvent] = [
      LifecycleEvent.sceneDidDisconnect, LifecycleEvent.sceneWillEnterForeground,
      LifecycleEvent.sceneDidBecomeActive, LifecycleEvent.sceneWillResignActive,
      LifecycleEvent.sceneDidEnterBackground,
    ]
    guard let event = events.first(where: { $0("").name == name }) else { return nil }
    try refuse(.payload, .url)
    return event(try require(scene, .scene))
  }

  // MARK: - Events with a payload

  private func options() throws(LifecycleEventError) -> LaunchOptions {
    let url = try self.url.map(checked)
    guard let payload else { return LaunchOptions(url: url) }
    guard let named = try json(payload)["reason"] else { return LaunchOptions(url: url, payload: payload) }
    guard let reason = named.string.flatMap(LaunchReason.init) else {
      let names = LaunchReason.allCases.map(\.rawValue).joined(separator: ", ")
      throw mismatch("an object whose \"reason\" is one of \(names)")
    }
    let isAlone = try json(payload).members.count == 1
    return LaunchOptions(reason: reason, url: url, payload: isAlone ? nil : payload)
  }

  private func registration() throws(LifecycleEventError) -> LifecycleEvent {
    try refuse(.url, .scene)
    guard let token = Hexadecimal.bytes(of: try text(require(payload, .payload))) else {
      throw mismatch("the hexadecimal digits of the token, two per byte")
    }
    return .didRegisterForRemoteNotifications(token: token)
  }

  private func notification() throws(LifecycleEventError) -> String {
    try refuse(.url, .scene)
    return try object().text
  }

  private func response() throws(LifecycleEventError) -> LifecycleEvent {
    try refuse(.url)
    let object = try object()
    let action = object["action"]
    let notification = object["notification"]
    guard action?.kind ?? .string == .string, notification?.kind ?? .object == .object else {
      throw mismatch("an object with \"action\", a string, and \"notification\", an object")
    }
    let response = NotificationResponse(action: action?.string, payload: notification?.text ?? "{}")
    return .didReceiveNotificationResponse(response, scene: scene)
  }

  private func activity() throws(LifecycleEventError) -> LifecycleEvent {
    if payload == nil, url == nil { throw .missing(.url, event: name) }
    let type = payload == nil ? UserActivity.browsingWeb : try type()
    return .continueActivity(UserActivity(type: type, url: try url.map(checked)), scene: scene)
  }

  private func quickAction() throws(LifecycleEventError) -> LifecycleEvent {
    try refuse(.url)
    _ = try require(payload, .payload)
    return .performQuickAction(try type(), scene: scene)
  }

  private func custom(_ declared: [DeclaredEvent]) throws(LifecycleEventError) -> LifecycleEvent {
    guard let event = declared.first(where: { $0.name == name }) else {
      let known = LifecycleEventName.all + declared.map(\.name)
      throw .unknownEvent(name, suggestion: ClosestName.to(name, among: known), known: known)
    }
    try refuse(.url)
    switch event.owner {
    case .process:
      try refuse(.scene)
      return .custom(name: name, payload: payload)
    case .scene: return .custom(name: name, payload: payload, scene: try require(scene, .scene))
    }
  }
}

// MARK: - Parts

extension LifecycleEventReader {
  private func has(_ part: LifecycleEventError.Part) -> Bool {
    switch part {
    case .payload: payload != nil
    case .url: url != nil
    case .scene: scene != nil
    }
  }

  private func refuse(_ parts: LifecycleEventError.Part...) throws(LifecycleEventError) {
    for part in parts where has(part) { throw .unexpected(part, event: name) }
  }

  private func require<Value>(
    _ value: Value?, _ part: LifecycleEventError.Part
  ) throws(LifecycleEventError) -> Value {
    guard let value else { throw .missing(part, event: name) }
    return value
  }

  private func mismatch(_ expected: String) -> LifecycleEventError {
    .payloadMismatch(event: name, expected: expected)
  }

  private func checked(_ url: String) throws(LifecycleEventError) -> String {
    if let problem = URLText.problem(with: url) { throw .invalidURL(url, event: name, problem: problem) }
    return url
  }

  private func json(_ text: String) throws(LifecycleEventError) -> JSONValue {
    do throws(JSONError) {
      return try JSONDocument(parsing: SourceText(name: "payload", text: text)).root
    } catch {
      throw .payloadNotJSON(event: name, reason: error.diagnostics.first?.message ?? "it cannot be read")
    }
  }

  /// Returns the text of a payload, which is plain text or a JSON string.
  private func text(_ payload: String) throws(LifecycleEventError) -> String {
    guard payload.hasPrefix("\"") else { return payload }
    guard let text = try json(payload).string else { throw mismatch("text") }
    return text
  }

  private func object() throws(LifecycleEventError) -> JSONValue {
    let object = try json(payload ?? "{}")
    guard object.kind == .object else { throw mismatch("a JSON object") }
    return object
  }

  private func type() throws(LifecycleEventError) -> String {
    guard let type = try object()["type"]?.string else { throw mismatch("an object with \"type\", a string") }
    return type
  }
}

extension LifecycleEvent {
  /// Creates the event that a command emitted; returns `nil` if the payload or scene is not valid for the event's name.
  ///
  /// The event belongs to the command's scene if events with its name can belong to a scene. For an event that takes a
  /// URL, the payload is the URL.
  init?(_ emitted: EmittedEvent, scene: SceneID?, _ sceneEvents: [DeclaredEvent]) {
    let (name, payload) = (emitted.name, emitted.handled ?? emitted.payload)
    let scenes = scene == nil ? [nil] : [scene, nil]
    let declared = sceneEvents + [DeclaredEvent(name)]
    let candidates = scenes.lazy.compactMap { scene in
      (try? LifecycleEvent(name: name, payload: payload, scene: scene, declared: declared))
        ?? (try? LifecycleEvent(name: name, url: payload, scene: scene, declared: declared))
    }
    guard let event = candidates.first else { return nil }
    self = event
  }
}
