import AppBootLibC

/// The service manager that started this process, for example systemd. It uses the protocol of sd_notify(3).
///
/// It receives messages, for example `READY=1`, at the socket in `NOTIFY_SOCKET`. By default it accepts them only from
/// the process that it started. If that process is a keeper, the engine makes it send the message: it sends the keeper
/// a signal whose value selects the message (`sigqueue`, POSIX).
package enum ServiceManager {
  /// A state of the process to report.
  package enum State: Int32, Sendable {
    case ready = 1
    case stopping = 2

    fileprivate var message: String {
      switch self {
      case .ready: "READY=1\nSTATUS=booted"
      case .stopping: "STOPPING=1\nSTATUS=stopping"
      }
    }
  }

  private static let variable = "NOTIFY_SOCKET"
  private static let socket = Lock<String?>(nil)

  /// Removes the socket from the environment, so that no child can report in the name of this process.
  ///
  /// Call it before the first thread starts, and before a keeper starts.
  package static func adopt() {
    guard let path = ProcessEnvironment.value(of: variable), !path.isEmpty else { return }
    socket.withLock { $0 = path }
    ProcessEnvironment.set(variable, to: nil)
  }

  /// Restores the socket in the environment, for a program that replaces this one.
  static func release() {
    guard let path = socket.withLock(\.self) else { return }
    ProcessEnvironment.set(variable, to: path)
  }

  /// Reports a state if a service manager listens. It never waits, and ignores errors.
  package static func report(_ state: State) {
    guard socket.withLock({ $0 != nil }) else { return }
    #if os(Linux)
    if Keeper.isPresent {
      _ = sigqueue(Keeper.localIdentifier, signal, sigval(sival_int: state.rawValue))
      return
    }
    #endif
    send(state)
  }

  private static func send(_ state: State) {
    guard let path = socket.withLock(\.self) else { return }
    try? NotificationSocket.send(state.message, to: path)
  }

  #if os(Linux)

  /// The signal from an engine to its keeper. If another process sent it, the keeper forwards it.
  static var signal: Int32 { __libc_current_sigrtmin() + 7 }

  /// Sends the message for which the engine has sent a signal. Returns false for any other signal.
  static func send(for received: siginfo_t, from engine: Int32) -> Bool {
    // SI_QUEUE (sigaction(2)); the constant is not imported everywhere.
    guard received.si_signo == signal, received.si_code == -1 else { return false }
    #if canImport(Musl)
    let value = received.__si_fields.__si_common.__second.si_value.sival_int
    #else
    let value = received._sifields._rt.si_sigval.sival_int
    #endif
    guard received.sender == engine, let state = State(rawValue: value) else { return false }
    send(state)
    return true
  }

  /// Sends the messages that an engine requested before it ended. Call it with all signals blocked.
  static func sendPending(from engine: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    var info = siginfo_t()
    var none = timespec()
    while sigtimedwait(&set, &info, &none) > 0 { _ = send(for: info, from: engine) }
  }

  #endif
}
