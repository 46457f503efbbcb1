import AppBoot
import AppBootLifecycle
import AppBootReports
import AppBootSystem

/// What is known of an app that stays, as JSON: what `status` asks for, and what is left when it has ended.
struct AppStatus: Sendable {
  let name: String
  let process: Int32
  let startedAt: String
  let state: LaunchState
  let listeners: [String]
  /// The events that the manifest has lists for.
  let lists: [String]
  /// Why the launch was careful, or `off`.
  let safeMode: String
  /// The event whose list runs now; `nil` between lists.
  var running: String?
  /// When the app ended; `nil` while it runs.
  var endedAt: String?

  /// One line, without its line feed.
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
      writer.member("lists", lists)
      writer.member("safeMode", safeMode)
      if let running { writer.member("runs", running) }
    }
    return writer.text
  }
}

/// A status as text for people; it may come from another version of the tool.
struct StatusText {
  let status: JSONValue
  let style: TextStyle
  /// Whether nothing runs any more, and this is what was known last.
  var isLast = false
  /// What the next launch will be like; `nil` while the app runs.
  var next: String?
  /// The lists of events that ran when the app died.
  var interrupted: [EventRecord] = []

  /// What is known, a line each.
  var text: String {
    var rows = [("phase", text("phase") ?? "unknown")]
    rows.append(("screens", names(state?["screens"]) ?? "none"))
    rows.append(("scenes", scenes ?? "none"))
    if !isLast, let running = status["runs"]?.string { rows.append(("runs", running)) }
    rows.append(("lists", names(status["lists"], by: ", ") ?? "none"))
    rows.append(("listeners", names(status["listeners"], by: ", ") ?? "none"))
    if let token = text("token") { rows.append(("token", token)) }
    if let failure = state?["lastFailure"] {
      let (source, message) = (failure["source"]?.string ?? "", failure["message"]?.string ?? "")
      rows.append(("last failure", "\(source): \(message)"))
    }
    if let count = try? state?["events"]?.integer(as: Int.self) { rows.append(("events", "\(count)")) }
    if let safeMode = status["safeMode"]?.string { rows.append(("safe mode", safeMode)) }
    if !interrupted.isEmpty {
      rows.append(("died in", interrupted.map(words(for:)).joined(separator: "; ")))
    }
    if let next { rows.append(("next launch", next)) }
    return header + rows.map { "  \(DisplayWidth.pad($0.0, to: 14))\(style.visible($0.1))\n" }.joined()
  }

  /// `openURL in main (Route)`: the event and the steps that ran.
  private func words(for list: EventRecord) -> String {
    let steps = list.runningSteps
    return steps.isEmpty ? list.name : "\(list.name) (\(steps.joined(separator: ", ")))"
  }

  private var state: JSONValue? { status["state"] }

  private var header: String {
    let name = style.paint(style.visible(status["name"]?.string ?? "app"), .heading)
    let process =
      (try? status["process"]?.integer(as: Int.self)).flatMap { $0 }.map { ", process \($0)" } ?? ""
    let since = status["startedAt"]?.string.map { ", since \($0)" } ?? ""
    if let end = status["endedAt"]?.string { return "\(name) does not run; it ended at \(end)\n" }
    return isLast
      ? "\(name) does not run any more, and did not say that it ends; last known\(process)\(since)\n"
      : "\(name) runs\(process)\(since)\n"
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
