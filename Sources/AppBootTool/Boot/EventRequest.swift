import AppBoot
import AppBootLifecycle
import AppBootSystem

/// An event as the arguments describe it.
struct EventRequest: Sendable, Hashable {
  let name: String
  let payload: String?
  let url: String?
  let scene: String?

  /// What `--event` asks for; `nil` without it.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard let name = arguments.text(.event) else {
      if arguments.isSet(.payload) { throw .needs("--payload", option: "--event") }
      if arguments.isSet(.scene) { throw .needs("--scene", option: "--event") }
      return nil
    }
    if arguments.isSet(.launch) { throw .conflict("--event", "--launch") }
    self.init(name: name, arguments)
  }

  init(name: String, _ arguments: ParsedArguments) {
    self.name = name
    payload = arguments.text(.payload)
    url = arguments.text(.url)
    scene = arguments.text(.scene)
  }

  /// The payload's text, which `-` says to read from standard input.
  ///
  /// - Throws: `SystemError`; `LifecycleEventError` where it is not UTF-8.
  func payloadText() throws -> String? {
    guard payload == "-" else { return payload }
    guard let text = String(validating: try FileSystem.readStandardInput(), as: UTF8.self) else {
      throw LifecycleEventError.payloadNotJSON(event: name, reason: "it is not UTF-8")
    }
    return text
  }

  /// The list of the event, as a plan of its own.
  ///
  /// - Parameter limit: Its time limit, in place of the manifest's.
  /// - Throws: `LifecycleEventError`; ``UsageError/noList(event:known:)``.
  func plan(in launch: StartupPlan, _ registry: CommandRegistry, limit: Duration?) throws -> StartupPlan {
    let event = try LifecycleEvent(
      name: name, payload: try payloadText(), url: url, scene: scene.map { SceneID($0) },
      declared: registry.events)
    guard let plan = launch.plan(for: event) else {
      throw UsageError.noList(event: name, known: launch.events.keys.sorted())
    }
    return plan.alone(limit: limit)
  }
}
