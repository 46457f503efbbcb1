package import AppBoot
import AppBootSystem

/// The state of a service, with its name in `status` and in events.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ServiceState: String, Sendable {
  /// The step has not started the service yet.
  case waiting
  /// The step did not run because of a condition, or the launch was cancelled before the step started the service.
  case skipped
  /// The step could not start the service, or the service was not ready in time.
  case failed
  /// The service was started, and is not ready yet.
  case starting
  /// The service can do its work.
  case ready
  /// The service ended. It starts again after a pause.
  case restarting
  /// The service was asked to stop.
  case stopping
  /// The service ended because it was asked to stop.
  case stopped
  /// The service ended for another reason.
  case ended
}

/// A snapshot of a service for `status` and events: its state, its process, its restarts and its last end.
package struct ServiceStatus: Sendable, Hashable {
  package let id: String
  package internal(set) var state: ServiceState
  /// The process identifier of the running process; `nil` if none runs, and for a service in Swift.
  package var pid: Int32?
  /// The nanoseconds since the service started; `nil` if it does not run.
  package var uptime: Int64?
  /// The nanoseconds for which it has been starting, ready or stopping; `nil` if it does not run.
  package var stateTime: Int64?
  /// The number of starts after the first one.
  package var restarts = 0
  /// The bytes of resident memory of the process and its descendants; `nil` if they were not measured.
  package var memory: Int64?
  /// The CPU time in nanoseconds of the process and its descendants; `nil` if it was not measured.
  package var cpu: Int64?
  /// The last end of the service, for messages; `nil` if it has not ended.
  package var end: String?
  /// The nanoseconds from the end of the service to the next start; `nil` unless the service is restarting.
  package var pause: Int64?
  /// True if the service did not stop in time: its process was killed with SIGKILL, or its task was cancelled.
  ///
  /// In the answer to a request, that is the process or task that ran when the request arrived.
  package var wasKilled = false
  /// True at the moment at which an automatic restart has made the service ready again.
  package var isReadyAgain = false
  /// The message of the error that a service in Swift has just thrown during the shutdown; `nil` at other moments.
  package var shutdownFailure: String?
  /// True for a service in Swift, which is a task.
  package var isTask = false
  /// True if the task of the service was cancelled, ignores that and still runs.
  package var isAbandoned = false
  /// The last health that the running service reported; `nil` if it reported none.
  package var health: ServiceHealth?
  /// The doubt about the answer that made the service ready; `nil` for none.
  package var doubt: AnswerDoubt?
  /// The effect on the other services if this one ends; `nil` for a skipped service.
  package var onExit: ServiceExitPolicy?
  /// The ids of the services that it comes after, directly or through other steps.
  package var needs: [String] = []

  /// The TCP ports that are reserved for the service.
  var ports = PortNumbers()

  /// True if the service starts again after a change of its files.
  package var isWatched = false

  /// True in the answer to a request that started the service with a changed entry.
  package var isRenewed = false

  /// Creates the status of a service that has no process.
  package init(id: String, state: ServiceState, onExit: ServiceExitPolicy? = nil) {
    (self.id, self.state, self.onExit) = (id, state, onExit)
  }

  /// True if the service is required but cannot do its work. A service is required if its `onExit` is `fail`,
  /// or if its files are watched.
  package var isMissed: Bool {
    (onExit == .fail || isWatched) && (state != .ready || health?.isHealthy == false)
  }

  /// The effect of the end that took place; `nil` if the service did not end, or if a request started it in vain.
  var appliedExit: ServiceExitPolicy?

  /// True if the service does not run, only a request starts it again, and the app goes on without it.
  ///
  /// If the end of a service ends the app, it does so by an event that comes shortly after the new state.
  package var isOver: Bool {
    if isWatched { return false }
    return switch state {
    case .failed, .skipped: true
    case .ended: appliedExit == .ignore
    case .waiting, .starting, .ready, .restarting, .stopping, .stopped: false
    }
  }

  /// Writes the status except its id as members of the JSON object that is open in the writer.
  package func write(to writer: inout JSONWriter) {
    writer.member("state", state.rawValue)
    if let pid { writer.member("pid", Int(pid)) }
    ports.write(to: &writer)
    if let uptime { writer.member("uptime", uptime) }
    if let stateTime { writer.member("inState", stateTime) }
    writer.member("restarts", restarts)
    if let memory { writer.member("memory", memory) }
    if let cpu { writer.member("cpu", cpu) }
    if let end, uptime == nil { writer.member("end", end) }
    if let pause { writer.member("delay", pause) }
    if wasKilled { writer.member(isTask ? "cancelled" : "killed", true) }
    if isAbandoned { writer.member("abandoned", true) }
    if !needs.isEmpty { writer.member("needs", needs) }
    health?.write(to: &writer)
    doubt?.write(to: &writer)
  }
}

/// An address at which another process may have answered the probe of a service.
package struct AnswerDoubt: Sendable, Hashable {
  /// The address for messages.
  let address: String
  /// The process that listens there, for example `nginx (process 42)`; `nil` if it is unknown.
  let listener: String?
}

extension AnswerDoubt {
  /// Reads the doubt from the JSON of a service's status; `nil` for none.
  package init?(_ status: JSONValue) {
    guard let address = status["sharedAddress"]?.string else { return nil }
    self.init(address: address, listener: status["sharedWith"]?.string)
  }

  /// The warning.
  package var words: String {
    "another process may have answered at \(address)" + (listener.map { ", where \($0) listens" } ?? "")
  }

  /// Writes the members of the JSON object that is open in the writer.
  func write(to writer: inout JSONWriter) {
    writer.member("sharedAddress", address)
    if let listener { writer.member("sharedWith", listener) }
  }
}

/// An event of a service: a change of its state, and what it does after it was ready for the first time.
package enum ServiceEvent: Sendable {
  /// A service printed lines.
  case output(id: String, attempt: Int, [OutputLine])
  /// The state of a service changed.
  case changed(ServiceStatus)
  /// A service ended, and will not restart. No request stopped it. `isExhausted` is true if no restart was left.
  ///
  /// `failure` has the last output of the service.
  case ended(id: String, end: String, policy: ServiceExitPolicy, isExhausted: Bool = false, failure: Failure)
  /// A service has been stopping for a second. SIGKILL follows in `killIn` nanoseconds.
  ///
  /// `signal` is the signal that asked the process to stop; `nil` for a service in Swift, whose task is cancelled then.
  case delayed(id: String, killIn: Int64, signal: Int32?)
  /// A service did not stop within its grace period, and was killed. `after` is the nanoseconds since the stop signal.
  ///
  /// `signal` is `nil` for a service in Swift, whose task was cancelled.
  case killed(id: String, signal: Int32?, after: Int64)
  /// The task of a service in Swift ignores its cancellation, and still runs.
  case abandoned(id: String)
  /// A service that is ready became unhealthy, or healthy again.
  case health(id: String, ServiceHealth)

  /// Returns the note of a service's step with the way in which the service ended last.
  package static func note(_ note: String?, withEnd end: String, endsApp: Bool) -> String {
    let beginning = "later it "
    // The note of an earlier end is replaced: a service can end any number of times.
    let facts =
      (note ?? "").split(separator: "; ").prefix { !$0.hasPrefix(beginning) } + ["\(beginning)\(end)"]
    return facts.joined(separator: "; ") + (endsApp ? ", which ended the app" : "")
  }
}

extension ServiceEvent {
  /// The id of the service.
  package var id: String {
    switch self {
    case .output(let id, _, _), .ended(let id, _, _, _, _), .delayed(let id, _, _), .killed(let id, _, _),
      .abandoned(let id), .health(let id, _):
      id
    case .changed(let status): status.id
    }
  }
}
