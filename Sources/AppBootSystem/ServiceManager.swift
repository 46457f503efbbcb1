import AppBootLibC

/// The service manager that started this process, for example systemd. It uses the protocol of sd_notify(3).
///
/// It receives messages, for example `READY=1`, at the socket in `NOTIFY_SOCKET`. By default it accepts them only from
/// the process that it started.
package enum ServiceManager {
  /// A state of the process to report.
  package enum State: Sendable {
    /// The launch runs. The manager waits as long as the launch may take (`EXTEND_TIMEOUT_USEC`).
    ///
    /// - Parameters:
    ///   - progress: The progress in one line.
    ///   - limit: The nanoseconds until the launch times out; `nil` if it has no timeout.
    case launching(progress: String, limit: Int64?)
    case ready, stopping
    /// The app reloads its configuration. ``ready`` follows.
    case reloading
    /// The app is alive. Report it every ``aliveInterval``.
    case alive
    /// The launch or the app failed. The text is the reason, in one line.
    case failed(String)

    fileprivate var message: String {
      switch self {
      case .launching(let progress, let limit):
        "STATUS=\(progress)" + (limit.map { "\nEXTEND_TIMEOUT_USEC=\(max(0, $0) / 1000)" } ?? "")
      case .ready: "READY=1\nSTATUS=booted"
      case .stopping: "STOPPING=1\nSTATUS=stopping"
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now() / 1000)\nSTATUS=reloading"
      case .alive: "WATCHDOG=1"
      case .failed(let reason): "STATUS=\(reason)"
      }
    }
  }

  private static let variable = "NOTIFY_SOCKET"
  private static let socket = Lock<String?>(nil)

  /// The variables of sd_listen_fds(3) and sd_watchdog_enabled(3). They are for the process that the manager started.
  private static let otherVariables = [
    "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID", "LISTEN_PIDFDID", "WATCHDOG_USEC", "WATCHDOG_PID",
  ]
  private static let others = Lock<[String: String]>([:])
  /// The first descriptor of the sockets (sd_listen_fds(3)).
  private static let firstSocket: Int32 = 3

  /// Removes the manager's variables from the environment, and closes its sockets at the start of a program.
  ///
  /// A child thus cannot report in the name of this process, or get a socket by chance. Call it before the first thread
  /// starts.
  package static func adopt() {
    if let path = ProcessEnvironment.value(of: variable), !path.isEmpty {
      socket.withLock { $0 = path }
      ProcessEnvironment.set(variable, to: nil)
    }
    for name in otherVariables {
      guard let value = ProcessEnvironment.value(of: name) else { continue }
      others.withLock { $0[name] = value }
      ProcessEnvironment.set(name, to: nil)
    }
    for descriptor in sockets { Descriptor.setCloseOnExec(descriptor) }
  }

  /// Restores the variables and sockets, for a program that replaces this one.
  static func release() {
    if let path = socket.withLock(\.self) { ProcessEnvironment.set(variable, to: path) }
    for descriptor in sockets { _ = fcntl(descriptor, F_SETFD, 0) }
    for (name, value) in others.withLock(\.self) { ProcessEnvironment.set(name, to: value) }
  }

  /// The descriptors of the manager's sockets; empty if they are not for this process.
  private static var sockets: Range<Int32> { firstSocket..<firstSocket + socketCount }

  /// The number of the manager's sockets. They are the descriptors from 3.
  static var socketCount: Int32 {
    others.withLock { others in
      guard let count = others["LISTEN_FDS"].flatMap(Int32.init), count > 0, count < 1 << 16,
        others["LISTEN_PID"] == String(Host.processIdentifier)
      else { return 0 }
      return count
    }
  }

  /// The variables of a process that gets the sockets, without `LISTEN_PID`, which names that process.
  static var socketVariables: [String: String] {
    guard socketCount > 0 else { return [:] }
    return others.withLock { $0.filter { $0.key == "LISTEN_FDS" || $0.key == "LISTEN_FDNAMES" } }
  }

  /// The nanoseconds between two reports of ``State/alive``: half of the time after which the manager ends the process.
  ///
  /// It is `nil` if the manager does not watch this process.
  package static var aliveInterval: Int64? {
    others.withLock { others in
      guard let time = others["WATCHDOG_USEC"].flatMap(Int64.init), (1..<1 << 50).contains(time),
        others["WATCHDOG_PID"].map({ $0 == String(Host.processIdentifier) }) ?? true
      else { return nil }
      return time * 500
    }
  }

  /// A Boolean that is true if a service manager listens.
  package static var isPresent: Bool { socket.withLock { $0 != nil } }

  /// Reports a state if a service manager listens. It never waits, and ignores errors.
  package static func report(_ state: State) {
    guard let path = socket.withLock(\.self) else { return }
    try? NotificationSocket.send(state.message, to: path)
  }
}
