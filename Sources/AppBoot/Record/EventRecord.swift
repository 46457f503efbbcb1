/// The record of the `on` handlers that ran for an event after the launch; a part of the launch's record.
public struct EventRecord: Sendable {
  /// The event's name.
  public let event: String
  /// The scene of the event; `nil` for an event of the process.
  public let scene: String?
  /// The time of the event, in nanoseconds since the launch began.
  public let time: Int64
  /// The record of its commands; times are nanoseconds since the handlers began.
  public internal(set) var record: StartupRecord

  /// Creates the record of an event.
  public init(event: String, scene: String? = nil, time: Int64, record: StartupRecord) {
    self.event = event
    self.scene = scene
    self.time = time
    self.record = record
  }
}

extension StartupRecord {
  /// True if the launch succeeded and all event handlers that ran after it succeeded.
  public var succeededWithEvents: Bool { succeeded && events.allSatisfy(\.record.succeeded) }
}
