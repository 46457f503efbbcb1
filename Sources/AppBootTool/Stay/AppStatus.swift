import AppBoot
import AppBootCommands
import AppBootLifecycle

/// The status of an app that stays. The subcommand `status` shows it while the app runs and after its end.
struct AppStatus: Sendable {
  let name: String
  /// The path of the manifest with which the app was started; `nil` if it has no path.
  let manifest: String?
  let process: Int32
  let startedAt: String
  let state: LaunchState
  let listeners: [String]
  /// The names of the events for which the manifest has handlers, sorted.
  let handlers: [String]
  /// The reason for safe mode, or `off`.
  let safeMode: String
  var services: [ServiceStatus] = []
  /// The name of the event whose handlers run now; `nil` if no handlers run.
  var currentEvent: String?
  /// The time at which the app ended; `nil` while it runs.
  var endedAt: String?

  /// The phase of the app.
  ///
  /// It is `degraded` instead of `active` while a service whose `onExit` is `fail` is not ready.
  var phase: String {
    state.phase == .active && services.contains(where: \.isMissed) ? "degraded" : state.phase.rawValue
  }

  /// The status as one line of JSON, without a line feed.
  var json: String {
    JSONWriter.object { writer in
      writer.member("running", endedAt == nil)
      writer.member("name", name)
      if let manifest { writer.member("manifest", manifest) }
      writer.member("process", Int(process))
      writer.member("startedAt", startedAt)
      if let endedAt { writer.member("endedAt", endedAt) }
      writer.member("state", json: state.json(phase: phase))
      writer.member("listeners", listeners)
      writer.member("handlers", handlers)
      writer.member("safeMode", safeMode)
      if !services.isEmpty {
        writer.key("services")
        writer.array { writer in
          for service in services {
            writer.object { writer in
              writer.member("id", service.id)
              service.write(to: &writer)
            }
          }
        }
      }
      if let currentEvent { writer.member("handling", currentEvent) }
    }
  }
}
