import AppBoot

/// The scenes of a host by name: those that are connected, and those whose disconnection waits for its turn.
///
/// A name that goes and comes again has one session after the other: the later one begins when the earlier one has ended.
struct SceneRegistry: Sendable {
  private var connected: [SceneID: SceneSession] = [:]
  /// Earlier sessions of a name that have not ended, the oldest first.
  private var leaving: [SceneID: [SceneSession]] = [:]
  private var hasLaunched = false

  /// The session of each name whose turn it is, by name.
  var all: [SceneSession] { Set(connected.keys).union(leaving.keys).sorted().compactMap { self[$0] } }

  /// The session of that name whose turn it is.
  subscript(id: SceneID) -> SceneSession? { leaving[id]?.first ?? connected[id] }

  /// The names of the connected scenes, in order.
  var names: [SceneID] { connected.keys.sorted() }

  /// The session that takes new events of that name.
  func connected(_ id: SceneID) -> SceneSession? { connected[id] }

  /// Adds a session; `false` where one of that name is connected.
  mutating func connect(_ session: SceneSession) -> Bool {
    guard connected[session.id] == nil else { return false }
    connected[session.id] = session
    return true
  }

  /// Takes away the scene of that name, whose session still has its last events to handle.
  mutating func disconnect(_ id: SceneID) -> SceneSession? {
    guard let session = connected.removeValue(forKey: id) else { return nil }
    leaving[id, default: []].append(session)
    return session
  }

  /// Forgets a session that has handled its last event.
  mutating func end(_ session: SceneSession) {
    leaving[session.id]?.removeAll { $0 === session }
    if leaving[session.id]?.isEmpty == true { leaving[session.id] = nil }
  }

  /// Lets scenes begin.
  mutating func launch() { hasLaunched = true }

  /// The session of that name that may handle its events; none before the launch.
  func begun(_ id: SceneID) -> SceneSession? { hasLaunched ? self[id] : nil }
}
