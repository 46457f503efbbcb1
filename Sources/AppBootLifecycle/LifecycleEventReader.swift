import AppBoot
import AppBootSystem

/// A parser that creates an event from its name, its scene, and the texts of its payload and URL.
struct LifecycleEventReader {
  let name: String
  let payload: String?
  let url: String?
  let scene: SceneID?

  func read(_ declared: [EventName]) throws(LifecycleEventError) -> LifecycleEvent {
    if let bytes = scene?.name.utf8.count, bytes == 0 || bytes > SceneID.longestName {
      throw .invalidScene(bytes: bytes, event: name)
    }
    if let event = LifecycleEvent.withoutData(of: scene ?? "").first(where: { $0.name == name }) {
      try refuse(.payload, .url)
      if event.scene == nil { try refuse(.scene) } else { _ = try require(scene, .scene) }
      return event
    }
    switch name {
    case EventName.willFinishLaunching.name:
      try refuse(.scene)
      return .willFinishLaunching(try options())
    case EventName.didFinishLaunching.name:
      try refuse(.scene)
      return .didFinishLaunching(try options())
    case EventName.sceneWillConnect.name:
      return .sceneWillConnect(SceneConnection(try require(scene, .scene), options: try options()))
    case EventName.didShowFirstScreen.name:
      try refuse(.url, .scene)
      return .didShowFirstScreen(screen: try payload.map(text))
    case EventName.didRegisterForRemoteNotifications.name: return try registration()
    case EventName.didFailToRegisterForRemoteNotifications.name:
      try refuse(.url, .scene)
      return .didFailToRegisterForRemoteNotifications(error: try text(require(payload, .payload)))
    case EventName.didReceiveRemoteNotification.name:
      return .didReceiveRemoteNotification(payload: try notification())
    case EventName.willPresentNotification.name:
      return .willPresentNotification(payload: try notification())
    case EventName.didReceiveNotificationResponse.name: return try response()
    case EventName.openURL.name: return .openURL(try request())
    case EventName.continueActivity.name: return try activity()
    case EventName.performQuickAction.name: return try quickAction()
    case EventName.handleEventsForBackgroundURLSession.name:
      return .handleEventsForBackgroundURLSession(try identifier())
    case EventName.performBackgroundTask.name: return .performBackgroundTask(try identifier())
    case EventName.userDidAcceptCloudKitShare.name: return try share()
    case EventName.openNotificationSettings.name:
      let notification = try notification()
      return .openNotificationSettings(payload: payload == nil ? nil : notification)
    case EventName.didDiscardSceneSessions.name: return try discardedScenes()
    case EventName.serviceReady.name: return .serviceReady(try serviceChange())
    case EventName.serviceFailed.name: return .serviceFailed(try serviceChange())
    case EventName.serviceRestarted.name: return .serviceRestarted(try serviceChange())
    case EventName.serviceStopped.name: return .serviceStopped(try serviceChange())
    default: return try custom(declared)
    }
  }

  // MARK: - Events with a payload

  private func options() throws(LifecycleEventError) -> LaunchOptions {
    let url = try self.url.map(checked)
    guard let payload else { return LaunchOptions(url: url) }
    let object = try json(payload)
    guard let named = object["reason"] else { return LaunchOptions(url: url, payload: payload) }
    guard let reason = named.string.flatMap(LaunchReason.init) else {
      let names = LaunchReason.allCases.map(\.rawValue).joined(separator: ", ")
      throw mismatch("an object whose \"reason\" is one of \(names)")
    }
    return LaunchOptions(reason: reason, url: url, payload: object.members.count == 1 ? nil : payload)
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
    let object = try object(of: "action", "text", "identifier", "category", "thread", "notification")
    let response = NotificationResponse(
      action: try text("action", in: object), text: try text("text", in: object),
      identifier: try text("identifier", in: object), category: try text("category", in: object),
      thread: try text("thread", in: object), payload: try inner("notification", in: object) ?? "{}",
      scene: scene)
    return .didReceiveNotificationResponse(response)
  }

  private func activity() throws(LifecycleEventError) -> LifecycleEvent {
    if payload == nil, url == nil { throw .missing(.url, event: name) }
    var activity = UserActivity(url: try url.map(checked), scene: scene)
    if payload != nil {
      let object = try object(of: "type", "title", "userInfo")
      activity.type = try type(in: object)
      activity.title = try text("title", in: object)
      activity.userInfo = try inner("userInfo", in: object)
    }
    return .continueActivity(activity)
  }

  private func quickAction() throws(LifecycleEventError) -> LifecycleEvent {
    try refuse(.url)
    _ = try require(payload, .payload)
    let object = try object(of: "type", "userInfo")
    return .performQuickAction(
      QuickAction(try type(in: object), userInfo: try inner("userInfo", in: object), scene: scene))
  }

  private func request() throws(LifecycleEventError) -> OpenURLRequest {
    let url = try checked(require(url, .url))
    let object = try object(of: "sourceApplication", "opensInPlace", "annotation")
    return OpenURLRequest(
      url, sourceApplication: try text("sourceApplication", in: object),
      opensInPlace: try member("opensInPlace", "true or false", in: object, \.bool) ?? false,
      annotation: object["annotation"]?.text, scene: scene)
  }

  private func identifier() throws(LifecycleEventError) -> String {
    try refuse(.url, .scene)
    return try text(require(payload, .payload))
  }

  private func share() throws(LifecycleEventError) -> LifecycleEvent {
    let url = try checked(require(url, .url))
    return .userDidAcceptCloudKitShare(
      CloudKitShare(url: url, container: try text("container", in: object(of: "container")), scene: scene))
  }

  private func discardedScenes() throws(LifecycleEventError) -> LifecycleEvent {
    try refuse(.url, .scene)
    _ = try require(payload, .payload)
    let names = try object(of: "scenes")["scenes"]?.elements.map(\.string) ?? []
    let scenes = names.compactMap(\.self).map { SceneID($0) }
    guard !scenes.isEmpty, scenes.count == names.count else {
      throw mismatch("an object with \"scenes\", a list of names")
    }
    return .didDiscardSceneSessions(scenes)
  }

  private func serviceChange() throws(LifecycleEventError) -> ServiceChange {
    try refuse(.url, .scene)
    _ = try require(payload, .payload)
    let object = try object(of: "id", "reason", "exitCode", "restarts")
    guard let id = object["id"]?.string else { throw mismatch("an object with \"id\", a string") }
    let number: (JSONValue) -> Int? = { try? $0.integer(as: Int.self) }
    return ServiceChange(
      id: id, reason: try text("reason", in: object),
      exitCode: try member("exitCode", "a number", in: object, number),
      restarts: try member("restarts", "a number", in: object, number) ?? 0)
  }

  private func custom(_ declared: [EventName]) throws(LifecycleEventError) -> LifecycleEvent {
    guard let event = declared.first(where: { $0.name == name }) else {
      let known = EventName.standardNames + declared.map(\.name)
      throw .unknownEvent(name, suggestion: ClosestName.to(name, among: known), known: known)
    }
    try refuse(.url)
    switch event.owner {
    case .process:
      try refuse(.scene)
      return .custom(CustomEvent(name, payload: payload))
    case .scene: return .custom(CustomEvent(name, payload: payload, scene: try require(scene, .scene)))
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

  /// Returns the payload's object, which has no other members than those of the event.
  private func object(of members: String...) throws(LifecycleEventError) -> JSONValue {
    let object = try object()
    guard let unknown = object.members.map(\.key.string).first(where: { !members.contains($0) }) else {
      return object
    }
    let help =
      ClosestName.to(unknown, among: members).map { "did you mean \"\($0)\"?" }
      ?? "it can have \(members.quotedList)"
    throw mismatch("an object without \"\(unknown.excerpt)\": \(help)")
  }

  /// Returns a value of the payload's object; `nil` if it is absent or `null`.
  private func member<Value>(
    _ key: String, _ kind: String, in object: JSONValue, _ read: (JSONValue) -> Value?
  ) throws(LifecycleEventError) -> Value? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let member = read(value) else { throw mismatch("an object whose \"\(key)\" is \(kind)") }
    return member
  }

  private func text(_ key: String, in object: JSONValue) throws(LifecycleEventError) -> String? {
    try member(key, "a string", in: object, \.string)
  }

  /// Returns the text of an object in the payload's object.
  private func inner(_ key: String, in object: JSONValue) throws(LifecycleEventError) -> String? {
    try member(key, "an object", in: object) { $0.kind == .object ? $0.text : nil }
  }

  private func type(in object: JSONValue) throws(LifecycleEventError) -> String {
    guard let type = object["type"]?.string else { throw mismatch("an object with \"type\", a string") }
    return type
  }
}

extension LifecycleEvent {
  /// Creates the event that a command emitted; returns `nil` if the payload or scene is not valid for the event's name.
  ///
  /// The event belongs to the command's scene if events with its name can belong to a scene. For an event that takes a
  /// URL, the payload is the URL.
  init?(_ emitted: EmittedEvent, scene: SceneID?, _ sceneEvents: [EventName]) {
    let (name, payload) = (emitted.name, emitted.revealed)
    let scenes = scene == nil ? [nil] : [scene, nil]
    let declared = sceneEvents + [EventName(name)]
    let candidates = scenes.lazy.compactMap { scene in
      (try? LifecycleEvent(name: name, payload: payload, scene: scene, declared: declared))
        ?? (try? LifecycleEvent(name: name, url: payload, scene: scene, declared: declared))
    }
    guard let event = candidates.first else { return nil }
    self = event
  }
}

extension EmittedEvent {
  /// The payload for the event's handlers, also if it is a secret.
  var revealed: String? { handled?.reveal() ?? payload }
}

/// An error in the name, the payload, the URL or the scene of an event.
package enum LifecycleEventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A part of an event that can be missing or unexpected. The command line has an option of the same name.
  package enum Part: String, Sendable, Hashable, CaseIterable {
    /// The payload, which is the option `--payload`.
    case payload
    /// The URL, which is the option `--url`.
    case url
    /// The scene, which is the option `--scene`.
    case scene
  }

  /// The name of the event is unknown.
  case unknownEvent(String, suggestion: String?, known: [String])
  /// The event requires this part.
  case missing(Part, event: String)
  /// The event does not accept this part.
  case unexpected(Part, event: String)
  /// The payload is not JSON. `reason` is the first syntax error.
  case payloadNotJSON(event: String, reason: String)
  /// The payload does not have the form that the event requires. `expected` describes the form.
  case payloadMismatch(event: String, expected: String)
  /// The URL is empty, has spaces or control characters, or has no scheme. `problem` says which of these applies.
  case invalidURL(String, event: String, problem: String)
  /// The scene's name is empty, or longer than ``SceneID/longestName`` bytes. `bytes` is its length.
  case invalidScene(bytes: Int, event: String)

  /// The error message: the cause and the fix.
  package var description: String {
    switch self {
    case .unknownEvent(let name, let suggestion, let known):
      "unknown event \"\(name)\": "
        + (suggestion.map { "did you mean \"\($0)\"?" } ?? "the events are \(known.joined(separator: ", "))")
    case .missing(let part, let event): "\(event) needs a \(part.rawValue): give it with --\(part.rawValue)"
    case .unexpected(let part, let event):
      "\(event) takes no \(part.rawValue): remove --\(part.rawValue)"
    case .payloadNotJSON(let event, let reason): "the payload of \(event) is not JSON: \(reason)"
    case .payloadMismatch(let event, let expected): "the payload of \(event) must be \(expected)"
    case .invalidURL(let url, let event, let problem):
      "\"\(url)\" is not a valid URL for \(event): it \(problem)"
    case .invalidScene(let bytes, let event):
      "the scene's name for \(event) has \(bytes) bytes: it must have 1 to \(SceneID.longestName)"
    }
  }
}

/// A check whether a text has the form of a URL. The app that opens the URL makes all further checks.
package enum URLText {
  /// Returns the scheme in lower case; `nil` if the text has no scheme (RFC 3986, 3.1).
  package static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let scheme = text[..<colon]
    func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || $0.isASCII && $0.isNumber || "+-.".contains($0) })
    else { return nil }
    return scheme.lowercased()
  }

  /// Returns the mistake in a URL in words, for example `is empty`; `nil` if there is no mistake.
  package static func problem(with text: String) -> String? {
    if text.isEmpty { return "is empty" }
    if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) { return "has spaces or control characters" }
    return scheme(of: text) == nil ? "has no scheme, as \"notes://note/42\" has" : nil
  }
}
