import AppBoot
import AppBootCommands
import AppBootLifecycle

/// The status of an app that stays, as `status` shows it while the app runs and after its end.
struct AppStatus: Sendable {
  let name: String
  /// The path of the manifest, as the app was started with it.
  let manifest: String?
  let process: Int32
  let startedAt: String
  let state: LaunchState
  let listeners: [String]
  /// The events that the manifest has handlers for.
  let handlers: [String]
  /// The reason of safe mode, or `off`.
  let safeMode: String
  var services: [ServiceStatus] = []
  /// The event whose handlers run now.
  var currentEvent: String?
  /// The time of the app's end; `nil` while it runs.
  var endedAt: String?

  /// The phase; `degraded` in place of `active` while a service whose `onExit` is `fail` is not ready.
  var phase: String {
    state.phase == .active && services.contains(where: \.isMissed) ? "degraded" : state.phase.rawValue
  }

  /// The status as one line of JSON, without a line feed.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("running", endedAt == nil)
      writer.member("name", name)
      if let manifest { writer.member("manifest", manifest) }
      writer.member("process", Int(process))
      writer.member("startedAt", startedAt)
      if let endedAt { writer.member("endedAt", endedAt) }
      writer.key("state")
      writer.raw(state.json(phase: phase).utf8)
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
    return writer.text
  }
}
