package import AppBoot
import AppBootSystem

/// The state of a service in one word.
package enum ServiceState: String, Sendable {
  /// Its step has not started it yet.
  case waiting
  /// A condition kept its step from running.
  case skipped
  /// Its step could not start it, or it was not ready in time.
  case failed
  case starting, ready
  /// Its process ended, and the next one starts after a wait.
  case restarting
  case stopping
  /// Its process ended because it was asked to stop.
  case stopped
  /// Its process ended otherwise.
  case ended
}

/// A snapshot of a service for `status` and the event stream: its state, its process, its restarts and its last end.
package struct ServiceStatus: Sendable, Hashable {
  package let id: String
  package let state: ServiceState
  /// The running process; `nil` if there is none.
  package var pid: Int32?
  /// Nanoseconds since the process started.
  package var uptime: Int64?
  /// The number of starts after the first.
  package var restarts = 0
  /// The bytes of resident memory of the process and its descendants; `nil` if it was not measured.
  package var memory: Int64?
  /// The end of the last process that ended, in words.
  package var end: String?
  /// Nanoseconds from the end of the process to the next start; `nil` unless the service is restarting.
  package var pause: Int64?
  /// True if the last process needed SIGKILL to stop.
  ///
  /// In the answer to a request it describes the process that ran when the request arrived.
  package var wasKilled = false
  /// The effect when the service ends.
  package var onExit: ServiceExitPolicy?

  /// Creates the status of a service that has no process.
  package init(id: String, state: ServiceState, onExit: ServiceExitPolicy? = nil) {
    (self.id, self.state, self.onExit) = (id, state, onExit)
  }

  /// True if a required service is missing: its `onExit` is `fail`, and it is not ready.
  package var isMissed: Bool { onExit == .fail && state != .ready }

  /// Writes the members of the status into an open object, without the id.
  package func write(to writer: inout JSONWriter) {
    writer.member("state", state.rawValue)
    if let pid { writer.member("pid", Int(pid)) }
    if let uptime { writer.member("uptime", uptime) }
    writer.member("restarts", restarts)
    if let memory { writer.member("memory", memory) }
    if let end, pid == nil { writer.member("end", end) }
    if let pause { writer.member("delay", pause) }
    if wasKilled { writer.member("killed", true) }
  }
}

/// An event in the life of a service that has been ready.
package enum ServiceEvent: Sendable {
  /// A service printed lines.
  case output(id: String, attempt: Int, [OutputLine])
  /// The state of a service changed.
  case changed(ServiceStatus)
  /// A service ended and will not restart. It was not stopped by a request.
  case ended(id: String, end: String, policy: ServiceExitPolicy)
  /// A service did not stop within its grace, and was killed this many nanoseconds after the signal.
  case killed(id: String, signal: Int32, after: Int64)
}

extension ServiceEvent {
  /// The id of the service.
  package var id: String {
    switch self {
    case .output(let id, _, _), .ended(let id, _, _), .killed(let id, _, _): id
    case .changed(let status): status.id
    }
  }
}
