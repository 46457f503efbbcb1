package import AppBoot

/// The record of a running launch, to which a reader of its events adds them.
package struct FollowedLaunch: Sendable {
  /// The record so far.
  package private(set) var record: LaunchRecord
  private let steps: RecordedSteps

  /// Reads the record so far from its JSON.
  ///
  /// - Throws: ``RecordError``.
  package init(json source: SourceText) throws(RecordError) {
    let reader = try RecordReader(source)
    (record, steps) = (reader.record, reader.steps)
  }

  /// Adds the event of a line of the stream. Kinds that are not of a launch are ignored.
  ///
  /// After the end of the launch, only a service that fails changes its record: other events are of event handlers.
  package mutating func apply(_ line: JSONValue) {
    guard let object = try? RecordObject(line), let event = try? LaunchEvent(reading: object, of: steps)
    else { return }
    if record.outcome != .running {
      guard case .ended(let step, let state) = event.kind, state.failure != nil,
        record[step].state == .succeeded
      else { return }
    }
    if case .launchStarted = event.kind, let start = line["startedAt"]?.string {
      record.startedAt = start
    }
    record.apply(event)
  }
}
