import AppBoot
import AppBootRecords
import AppBootSystem

/// The result of one check of a condition.
enum Sighting: Sendable, Hashable {
  /// The condition holds. The text is a sentence for people.
  case ready(String)
  /// The attempt has ended, and the condition does not hold. The text is the reason.
  case unready(String)
  /// The attempt has not ended. The text is the reason.
  case undecided(String)
  /// The condition can never hold. The text is the reason.
  case impossible(String)
}

/// A check of one kind of condition. It makes repeated attempts, and no call blocks.
protocol ProbeCheck: Sendable {
  /// True if the check is made at intervals. False if it is made when the service prints or sends something.
  var isPolled: Bool { get }
  /// The descriptors to watch for reading. They are the same until ``close()``.
  var descriptors: [Int32] { get }
  /// True if the check needs the lines of the service's output (``feed(_:)``).
  var readsOutput: Bool { get }
  /// True if the condition still counts after the service has ended. False if another process may answer.
  var holdsAfterEnd: Bool { get }
  /// The environment variables that the service needs for the check.
  var environment: [String: String] { get }
  /// The last status text that the service sent; `nil` if it sent none.
  var status: String? { get }
  /// The pauses between the attempts.
  var pace: ProbePace { get }

  /// Begins an attempt to check the condition, or continues the current attempt.
  mutating func look(at time: Int64) -> Sighting

  /// Receives a line of the service's output, whose secrets are not masked. The default ignores the line.
  mutating func feed(_ line: ProbedLine)

  /// Reads and ignores what the service has sent. The default does nothing.
  func discardMessages()

  /// Aborts the current attempt and closes the descriptors.
  mutating func close()
}

extension ProbeCheck {
  var isPolled: Bool { true }
  var descriptors: [Int32] { [] }
  var readsOutput: Bool { false }
  var holdsAfterEnd: Bool { !isPolled }
  var environment: [String: String] { [:] }
  var status: String? { nil }
  var pace: ProbePace { .local }

  mutating func feed(_ line: ProbedLine) {}
  func discardMessages() {}
  mutating func close() {}
}

/// A check that a file exists.
struct FileCheck: ProbeCheck {
  let path: String
  /// The path from the manifest, with its variables replaced.
  let name: String

  var holdsAfterEnd: Bool { true }

  func look(at time: Int64) -> Sighting {
    FileSystem.exists(path) ? .ready("\"\(name)\" exists") : .unready("there is no file \"\(name)\"")
  }
}

/// A check that a socket accepts connections.
struct SocketCheck: ProbeCheck {
  private var connector: Connector

  init(to target: Connector.Target) { connector = Connector(target) }

  var pace: ProbePace { connector.target.isLocal ? .local : .remote }

  mutating func look(at time: Int64) -> Sighting {
    switch connector.advance(at: time) {
    case .connected: .ready("\(connector.target.name) accepts connections")
    case .pending(let text): .undecided(text)
    case .failed(let text): .unready(text)
    }
  }

  mutating func close() { connector.close() }
}

/// A check that a line of the service's output matches a regular expression.
struct OutputCheck: ProbeCheck {
  let expression: SearchExpression
  private let secrets: Secrets
  private var (hasPrinted, hasMatched) = (false, false)
  /// The first 200 characters of the line that matched, with secrets masked.
  ///
  /// It is `nil` before a line matched, and for a piece of a line: the piece may begin inside a secret.
  private var line: String?

  /// Creates a check with a regular expression.
  ///
  /// - Parameter secrets: The secrets to mask in the line that matched.
  init(expression: SearchExpression, hiding secrets: Secrets = Secrets()) {
    (self.expression, self.secrets) = (expression, secrets)
  }

  var isPolled: Bool { false }
  var readsOutput: Bool { true }

  func look(at time: Int64) -> Sighting {
    if hasMatched {
      return .ready(line.map { "it printed \"\($0)\"" } ?? "it printed a long line that matches")
    }
    guard hasPrinted else {
      return .unready("it printed no line; one that matches \"\(expression.text)\" makes it ready")
    }
    return .unready("no line of its output matches \"\(expression.text)\"")
  }

  mutating func feed(_ line: ProbedLine) {
    hasPrinted = true
    guard !hasMatched, expression.matches(VisibleText.withoutColors(line.text)) == true else { return }
    hasMatched = true
    // Masked before the cut, because a part of a secret would not be recognized.
    if line.isWhole { self.line = String(VisibleText.withoutColors(secrets.masking(line.text)).prefix(200)) }
  }
}

/// A check that a service has sent `READY=1` to a socket (sd_notify(3)).
struct NotifyCheck: ProbeCheck {
  let socket: NotificationSocket
  private let secrets: Secrets
  private(set) var status: String?
  private var isReady = false

  /// Creates a check that reads a socket.
  ///
  /// - Parameter secrets: The secrets to mask in the status text that the service sends.
  init(socket: NotificationSocket, hiding secrets: Secrets = Secrets()) {
    (self.socket, self.secrets) = (socket, secrets)
  }

  var isPolled: Bool { false }
  var descriptors: [Int32] { [socket.readDescriptor] }
  var environment: [String: String] { ["NOTIFY_SOCKET": socket.path] }

  mutating func look(at time: Int64) -> Sighting {
    for assignment in socket.assignments() {
      if assignment == "READY=1" { isReady = true }
      if assignment.hasPrefix("STATUS=") {
        status = String(secrets.masking(assignment).dropFirst("STATUS=".count).prefix(200))
      }
    }
    if isReady { return .ready(status ?? "it reported READY=1") }
    return .unready("it has not reported READY=1" + (status.map { "; its status is \"\($0)\"" } ?? ""))
  }

  func discardMessages() { socket.discardMessages() }
  mutating func close() { socket.close() }
}
