import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootReports

extension ServiceState {
  /// Returns a sentence about a service or a step, for example `db has ended: exited with code 1`.
  static func sentence(_ id: String, _ state: String, end: String? = nil) -> String {
    "\(id) \(state == Self.ended.rawValue ? "has" : "is") \(state)" + (end.map { ": \($0)" } ?? "")
  }
}

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
  /// The name of the signal that ended the app at once; `nil` if none did.
  var endedBy: String?

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
      if let endedBy { writer.member("endedBy", endedBy) }
      writer.member("state", json: state.json(phase: phase))
      writer.member("listeners", listeners)
      writer.member("handlers", handlers)
      writer.member("safeMode", safeMode)
      if !services.isEmpty { writer.member(services: services) }
      if let currentEvent { writer.member("handling", currentEvent) }
    }
  }
}

extension JSONWriter {
  /// Writes the states of services as the member `services`.
  mutating func member(services: [ServiceStatus]) {
    array("services") { writer in
      for service in services {
        writer.object { writer in
          writer.member("id", service.id)
          service.write(to: &writer)
        }
      }
    }
  }
}

/// A writer of a status as text. The status may come from another version of the tool.
struct StatusText {
  let status: JSONValue
  let style: TextStyle
  /// False to leave out what changes all the time: the times and the memory of services.
  var showsMeasurements = true
  /// True if the app no longer runs, so that the status is its last one.
  var isLast = false
  /// The mode of the next launch; `nil` while the app runs.
  var next: String?
  /// The records of the events whose handlers were running when the app crashed or ended.
  var interrupted: [EventRecord] = []

  /// The status as text, with one fact on each line.
  var text: String {
    // The phase of an app that has ended is always the same.
    var rows = status["endedAt"] == nil ? [("phase", text("phase") ?? "unknown")] : []
    rows += services.map { ($0.id, $0.state) }
    if let screens = names(state?["screens"]) { rows.append(("screens", screens)) }
    if let scenes { rows.append(("scenes", scenes)) }
    if !isLast, let running = status["handling"]?.string { rows.append(("handling", running)) }
    let receivers = ["handlers", "listeners"].compactMap { key in
      names(status[key], by: ", ").map { (key, $0) }
    }
    rows += receivers
    if let token = text("token") { rows.append(("token", token)) }
    if let failure = state?["lastFailure"] {
      let (source, message) = (failure["source"]?.string ?? "", failure["message"]?.string ?? "")
      rows.append(("last failure", "\(source): \(message)"))
    }
    if !receivers.isEmpty, let count = try? state?["events"]?.integer(as: Int.self) {
      rows.append(("events", "\(count)"))
    }
    if let safeMode = status["safeMode"]?.string, safeMode != "off" { rows.append(("safe mode", safeMode)) }
    if !interrupted.isEmpty {
      let title = status["endedAt"] == nil ? "crashed in" : "ended in"
      rows.append((title, interrupted.map(\.name).joined(separator: "; ")))
    }
    if let next { rows.append(("next launch", next)) }
    return header
      + TextTable([.leading(least: 12), .leading()], style: style, indent: 2)
      .text(rows.map { [$0, $1].map(style.visible) })
  }

  /// The ids of the services, and their states in words.
  var services: [(id: String, state: String)] {
    (status["services"]?.elements ?? []).map { ($0["id"]?.string ?? "service", words(for: $0)) }
  }

  /// Returns the state of a service, for example `ready for 3 s, process 42, 1 restart, 18.2 MiB; healthy: 12 jobs`.
  private func words(for service: JSONValue) -> String {
    func number(_ key: String) -> Int64? { (try? service[key]?.integer(as: Int64.self)).flatMap(\.self) }
    var words = service["state"]?.string ?? "unknown"
    if let end = service["end"]?.string { words += " (\(end))" }
    if service["abandoned"]?.bool == true { words += " (ignores its cancellation)" }
    if showsMeasurements, let time = number("inState") ?? number("uptime") {
      words += " for \(style.time(time))"
    }
    if let pid = number("pid") { words += ", process \(pid)" }
    if let ports = PortNumbers.words(ports(of: service)) { words += ", \(ports)" }
    if let restarts = number("restarts"), restarts > 0 {
      words += ", \(restarts) \(restarts == 1 ? "restart" : "restarts")"
    }
    if showsMeasurements, let memory = number("memory") { words += ", \(ByteSize(bytes: memory).brief)" }
    guard let health = service["health"]?.string else { return words }
    return words + "; \(health)" + (service["statusText"]?.string.map { ": \($0)" } ?? "")
  }

  private func ports(of service: JSONValue) -> [(name: String, number: Int)] {
    func number(_ value: JSONValue?) -> Int? { (try? value?.integer(as: Int.self)).flatMap(\.self) }
    let unnamed = number(service["port"]).map { [(name: "", number: $0)] } ?? []
    return unnamed
      + (service["ports"]?.members.compactMap { port in
        number(port.value).map { (name: port.key.string, number: $0) }
      } ?? [])
  }

  private var state: JSONValue? { status["state"] }

  private var header: String {
    let name = style.paint(style.visible(status["name"]?.string ?? "app"), .heading)
    let process =
      (try? status["process"]?.integer(as: Int.self)).flatMap { $0 }.map { ", process \($0)" } ?? ""
    let since = status["startedAt"]?.string.map { ", since \($0)" } ?? ""
    if let end = status["endedAt"]?.string {
      let cause = status["endedBy"]?.string.map { "was ended at once by \($0)" } ?? "ended"
      return "\(name) is not running; it \(cause) at \(end)\n"
    }
    return isLast
      ? "\(name) is not running; it crashed or was killed; last status\(process)\(since)\n"
      : "\(name) is running\(process)\(since)\n"
  }

  private var scenes: String? {
    guard let scenes = state?["scenes"]?.members, !scenes.isEmpty else { return nil }
    return scenes.map { member in
      let screens = names(member.value["screens"]).map { ", \($0)" } ?? ""
      return "\(member.key.string): \(member.value["phase"]?.string ?? "unknown")\(screens)"
    }.joined(separator: "; ")
  }

  private func text(_ key: String) -> String? { state?[key]?.string }

  private func names(_ value: JSONValue?, by separator: String = " > ") -> String? {
    let names = value?.elements.compactMap(\.string) ?? []
    return names.isEmpty ? nil : names.joined(separator: separator)
  }
}
