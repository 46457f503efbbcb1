/// What a list of the manifest's `on` did after the launch, as a part of the launch's record.
public struct EventRecord: Sendable {
  /// The event's name.
  public let event: String
  /// The scene that the event was for; `nil` for one of the process.
  public let scene: String?
  /// When it came, in nanoseconds since the launch began.
  public let time: Int64
  /// What its commands did; times are nanoseconds since the event's own run began.
  public internal(set) var record: StartupRecord

  /// Describes what an event's commands did.
  public init(event: String, scene: String? = nil, time: Int64, record: StartupRecord) {
    self.event = event
    self.scene = scene
    self.time = time
    self.record = record
  }
}

extension StartupRecord {
  /// Whether the launch booted, and every list of an event that ran after it succeeded too.
  public var succeededWithEvents: Bool { succeeded && events.allSatisfy(\.record.succeeded) }
}
