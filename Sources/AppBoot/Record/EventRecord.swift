/// A record of the `on` handlers that ran for an event after the launch. It is a part of the launch's record.
package struct EventRecord: Sendable {
  /// The event's name.
  package let event: String
  /// The scene of the event; `nil` for an event of the process.
  package let scene: String?
  /// The nanoseconds from the start of the launch to the event.
  package let time: Int64
  /// The record of the handlers' steps. Its times are nanoseconds since the handlers began.
  package var record: StartupRecord

  /// Creates the record of an event.
  package init(event: String, scene: String? = nil, time: Int64, record: StartupRecord) {
    self.event = event
    self.scene = scene
    self.time = time
    self.record = record
  }
}

extension StartupRecord {
  /// True if the launch and all event handlers after it succeeded.
  package var succeededWithEvents: Bool { succeeded && events.allSatisfy(\.record.succeeded) }
}
