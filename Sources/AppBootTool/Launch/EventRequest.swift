import AppBoot
import AppBootLifecycle
import AppBootSystem

/// The event that the arguments describe, with its payload, URL and scene.
struct EventRequest: Sendable, Hashable {
  let name: String
  let payload: String?
  let url: String?
  let scene: String?

  /// Creates the event of the option `--event`; returns `nil` without the option.
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

  /// Returns the text of the payload. If the option's value is `-`, reads it from standard input.
  ///
  /// - Throws: `SystemError`, or `LifecycleEventError` if the payload is not UTF-8.
  func payloadText() throws -> String? {
    guard payload == "-" else { return payload }
    guard let text = String(validUTF8: try FileSystem.readStandardInput()) else {
      throw LifecycleEventError.payloadNotJSON(event: name, reason: "it is not UTF-8")
    }
    return text
  }

  /// Returns a plan of the event's handlers.
  ///
  /// - Parameter timeout: The timeout of the plan; `nil` for the manifest's timeout.
  /// - Throws: `LifecycleEventError`, or ``UsageError/noHandlers(event:known:)``.
  func plan(in launch: StartupPlan, _ registry: CommandRegistry, timeout: Duration?) throws -> StartupPlan {
    let event = try LifecycleEvent(
      name: name, payload: try payloadText(), url: url, scene: scene.map { SceneID($0) },
      declared: registry.events)
    guard let plan = launch.plan(for: event) else {
      throw UsageError.noHandlers(event: name, known: launch.events.keys.sorted())
    }
    return plan.alone(timeout: timeout)
  }
}

extension StartupPlan {
  /// Returns the plan without its event handlers.
  ///
  /// - Parameter timeout: The new timeout of the plan; `nil` to leave its timeout unchanged.
  fileprivate func alone(timeout: Duration?) -> StartupPlan {
    var plan = self
    plan.events = [:]
    if let timeout { plan.outline.timeoutTime = timeout.nanoseconds }
    return plan
  }
}
