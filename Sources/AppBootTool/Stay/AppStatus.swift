import AppBoot
import AppBootCommands
import AppBootLifecycle

/// The status of an app that stays, as `status` shows it while the app runs and after its end.
struct AppStatus: Sendable {
  let name: String
  let process: Int32
  let startedAt: String
  let state: LaunchState
  let listeners: [String]
  /// The events that the manifest has handlers for.
  let handlers: [String]
  /// The reason of safe mode, or `off`.
  let safeMode: String
  var services: [ServiceSupervisor.Status] = []
  /// The event whose handlers run now.
  var currentEvent: String?
  /// The time of the app's end; `nil` while it runs.
  var endedAt: String?

  /// The status as one line of JSON, without a line feed.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("running", endedAt == nil)
      writer.member("name", name)
      writer.member("process", Int(process))
      writer.member("startedAt", startedAt)
      if let endedAt { writer.member("endedAt", endedAt) }
      writer.key("state")
      writer.raw(state.json().utf8)
      writer.member("listeners", listeners)
      writer.member("handlers", handlers)
      writer.member("safeMode", safeMode)
      if !services.isEmpty {
        writer.key("services")
        writer.array { writer in
          for service in services {
            writer.object { writer in
              writer.member("id", service.id)
              writer.member("state", service.state)
              if let pid = service.pid { writer.member("pid", Int(pid)) }
              if let uptime = service.uptime { writer.member("uptime", uptime) }
              writer.member("restarts", service.restarts)
            }
          }
        }
      }
      if let currentEvent { writer.member("handling", currentEvent) }
    }
    return writer.text
  }
}
