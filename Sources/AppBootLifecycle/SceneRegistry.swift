import AppBoot

/// The scenes of a host by name: connected scenes, and disconnected ones whose last events are not handled yet.
///
/// A scene that disconnects and connects again has several sessions under one name. The later session begins when the
/// earlier one has ended.
struct SceneRegistry: Sendable {
  private var connected: [SceneID: SceneSession] = [:]
  /// The sessions that are disconnected but still have events to handle, by name; the oldest first.
  private var leaving: [SceneID: [SceneSession]] = [:]
  private var hasLaunched = false

  /// The current session for each name, sorted by name.
  var all: [SceneSession] { Set(connected.keys).union(leaving.keys).sorted().compactMap { self[$0] } }

  /// Returns the current session of a name, which is the oldest one that has not ended; `nil` if there is none.
  subscript(id: SceneID) -> SceneSession? { leaving[id]?.first ?? connected[id] }

  /// The sorted names of the connected scenes.
  var names: [SceneID] { connected.keys.sorted() }

  /// Returns the session that receives new events for a name; `nil` if no scene with this name is connected.
  func connected(_ id: SceneID) -> SceneSession? { connected[id] }

  /// Adds a session. Returns `false` if a scene with its name is already connected.
  mutating func connect(_ session: SceneSession) -> Bool {
    guard connected[session.id] == nil else { return false }
    connected[session.id] = session
    return true
  }

  /// Disconnects a scene and returns its session, which still has events to handle; `nil` if no scene with this name is
  /// connected.
  mutating func disconnect(_ id: SceneID) -> SceneSession? {
    guard let session = connected.removeValue(forKey: id) else { return nil }
    leaving[id, default: []].append(session)
    return session
  }

  /// Removes a session that has handled its last event.
  mutating func end(_ session: SceneSession) {
    leaving[session.id]?.removeAll { $0 === session }
    if leaving[session.id]?.isEmpty == true { leaving[session.id] = nil }
  }

  /// Records that the launch has finished, so that ``begun(_:)`` returns sessions.
  mutating func launch() { hasLaunched = true }

  /// Returns the current session of a name; `nil` if there is none, or if the launch has not finished.
  func begun(_ id: SceneID) -> SceneSession? { hasLaunched ? self[id] : nil }
}
