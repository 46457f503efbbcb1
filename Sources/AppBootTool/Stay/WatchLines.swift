import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootRecords
import AppBootSystem

/// A namespace for the lines that only clients receive which watch a launch or an app. The others are events of
/// `run --format jsonl`.
enum WatchLines {
  /// Returns the first line: the state at the beginning of the stream.
  ///
  /// - Parameters:
  ///   - time: The nanoseconds since the launch began.
  ///   - status: The JSON of the app's status; `nil` for a launch without an app.
  ///   - expected: The recorded durations of the steps in nanoseconds, by step id.
  static func snapshot(
    of record: LaunchRecord, at time: Int64, status: String?, expected: [String: Int64]
  ) -> String {
    line("snapshot", at: time) { writer in
      writer.member("format", "appboot-events")
      writer.member("version", LaunchRecord.formatVersion)
      if let status { writer.member("status", json: status) }
      writer.member("launch", json: record.json(pretty: false))
      writer.object("expected") { writer in
        for (id, time) in expected.sorted(by: { $0.key < $1.key }) { writer.member(id, time) }
      }
    }
  }

  /// Returns the line with the state of all services, their memory and their CPU time.
  static func measured(_ services: [ServiceStatus], at time: Int64) -> String {
    line("measured", at: time) { $0.member(services: services) }
  }

  /// Returns the last line of an app that ended.
  static func end(at time: Int64) -> String { line("appEnded", at: time) { _ in } }

  private static func line(_ kind: String, at time: Int64, _ members: (inout JSONWriter) -> Void) -> String {
    JSONWriter.object { writer in
      writer.member("kind", kind)
      writer.member("at", time)
      members(&writer)
    }
  }
}

extension AppRun {
  /// Begins the stream of a client that watches the app: with the record so far, whose later events follow.
  @Sendable func beginWatching(_ begin: (@escaping @Sendable () -> String) -> Void) {
    let manifest = launch.request.manifest
    func start(with record: LaunchRecord) {
      let time = record.startedAt.isEmpty ? 0 : session.time
      begin { [self] in
        WatchLines.snapshot(
          of: record, at: time, status: status(isAnswer: true).json,
          expected: RecentDurations.medians(in: store, of: manifest))
      }
    }
    if let record = session.record { return start(with: record) }
    supervisor.withRunner { runner in
      // The launch may have ended meanwhile.
      if runner == nil, let record = session.record { return start(with: record) }
      (runner ?? LaunchRunner(plan)).withRecord(start)
    }
  }

  /// Returns the line about the services; `nil` for an app without services.
  @Sendable func measurement() -> String? {
    guard services != nil else { return nil }
    return WatchLines.measured(serviceStatuses(measuresMemory: true), at: session.time)
  }

  /// Sends the line about the services to the clients that watch the app.
  func publishMeasurement() {
    guard let server = audience.withLock(\.self), server.isWatched else { return }
    measurement().map(server.publish)
  }
}
