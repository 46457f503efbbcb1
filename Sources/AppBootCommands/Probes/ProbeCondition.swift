import AppBoot
import AppBootSystem

/// A condition of `WaitFor` or of a readiness probe, as written in the manifest. Its texts may hold `{env.NAME}`.
enum ProbeCondition: Sendable {
  case tcp(String)
  case unix(String)
  case http(HTTPProbe)
  case file(String)
  case output(String)
  case command([String])
  case notify

  static let tcpHelp = "An address, \"host:port\", that accepts TCP connections; may hold {env.NAME}."
  static let unixHelp =
    "The path of a socket that accepts connections, relative to the manifest's directory; may hold {env.NAME}."
  static let httpHelp =
    "A URL that is answered with a status from 200 to 399, or an object with the URL and conditions for the response."
  static let fileHelp = "A file that exists, relative to the manifest's directory; may hold {env.NAME}."
  static let commandHelp =
    "A program and its arguments, in the manifest's directory: exit code 0 is ready. Placeholders are replaced."
  static let serviceCommandHelp =
    "A program and its arguments, with the service's directory and environment: exit code 0 is ready. "
    + "Placeholders are replaced."

  /// The schema of a TCP address. It also allows a text with a variable, which may contain any part of the address.
  static var addressSchema: ParameterSchema {
    .pattern(
      #"^([!-~]+:[0-9]{1,5}|[\s\S]*\{(env\.|service\.|port)[\s\S]*)$"#,
      describedAs: "an address such as \"127.0.0.1:5432\"")
  }

  static let everyHelp =
    "The time from one check to the next. Default: a few milliseconds on this machine, longer elsewhere; at most 1 s."

  static var argumentsSchema: ParameterSchema {
    .nonEmpty(.array(.pattern(#"^(?![\s\S]*\x00)"#, describedAs: "a string")))
  }

  /// The conditions that a probe can have, by the names of their parameters. A condition that is not set is `nil`.
  typealias Choice = [(name: String, value: ProbeCondition?)]

  /// Rejects the parameters unless exactly one condition is given, and rejects an invalid condition.
  ///
  /// - Parameter hasPorts: True for conditions of a service, whose texts may hold `{port}`.
  static func validate(
    _ conditions: Choice, hasPorts: Bool = false, _ validation: inout ParameterValidation
  ) {
    validation.requireExactlyOne(of: conditions.map { ($0.name, $0.value != nil) })
    for (name, condition) in conditions {
      if let problem = condition?.problem(hasPorts: hasPorts) { validation.reject(problem, at: .key(name)) }
      if let text = condition?.text { validation.requireServices(in: text, at: [.key(name)]) }
      if case .command(let arguments)? = condition {
        validation.checkProcess(arguments, at: .key(name))
      }
    }
  }

  /// Rejects a time between two checks that is not greater than zero.
  static func validate(every interval: Duration?, _ validation: inout ParameterValidation) {
    if let interval, interval <= .zero { validation.reject("must be greater than zero", at: "every") }
  }

  /// The address, the URL or the path of the condition; `nil` for any other condition.
  var text: String? {
    switch self {
    case .tcp(let text), .unix(let text), .file(let text): text
    case .http(let probe): probe.url
    case .output, .command, .notify: nil
    }
  }

  /// Returns the error message for the condition; `nil` if the condition is valid.
  func problem(hasPorts: Bool = false) -> String? {
    switch self {
    case .tcp(let address):
      if let problem = TextParameter.problem(with: address, hasPorts: hasPorts) { return problem }
      guard TextParameter.isFixed(address), HostPort(address) == nil else { return nil }
      return ProbeError.notAnAddress(address).description
    case .unix(let text), .file(let text): return TextParameter.problem(with: text, hasPorts: hasPorts)
    case .output(let pattern):
      if pattern.isEmpty { return "must not be empty" }
      do {
        _ = try SearchExpression(pattern)
        return nil
      } catch {
        return "must be an extended regular expression (grep -E): \(error)"
      }
    case .command(let arguments):
      if arguments.first?.isEmpty ?? true { return "name the program to run as the first item" }
      return arguments.contains { $0.utf8.contains(0) } ? "must not contain a zero byte" : nil
    case .http(let probe): return HTTPAddress.problem(with: probe.url, hasPorts: hasPorts)
    case .notify: return nil
    }
  }
}

extension ProbeCondition {
  /// Starts a probe of the condition.
  ///
  /// - Parameter service: The request of the service, whose directory and environment a program gets; `nil` for those
  ///   of the step.
  /// - Throws: An error if the condition is incomplete or invalid, or if a variable is not set; ``MissingCurl``;
  ///   `SystemError` if the socket for `notify` cannot be created.
  func start(
    in context: LaunchContext, beside service: ProcessRequest? = nil, every interval: Duration? = nil,
    after delay: Duration? = nil, failures: Int? = nil
  ) throws -> Probe {
    Probe(
      try check(in: context, beside: service), every: interval?.nanoseconds, after: delay?.nanoseconds ?? 0,
      failures: failures)
  }

  /// Returns the condition's address if a process other than the service's may answer there; otherwise `nil`.
  ///
  /// The result is an address that accepts connections now, or a TCP port of this machine that accepts none yet. It is
  /// `nil` for a host name that needs a DNS query. Call it before the service is started.
  func servedAddress(in context: LaunchContext) throws -> ServedAddress? {
    guard let target = try target(in: context), target.isKnown else { return nil }
    // The listeners of this machine say nothing about the port of another one.
    let port = target.isLocal ? target.port : nil
    var connector = Connector(target)
    defer { connector.close() }
    guard case .connected(let socket) = connector.advance(at: MonotonicClock.now()) else {
      return port.map { ServedAddress(name: target.name, port: $0, answered: .afterStart) }
    }
    socket.close()
    return ServedAddress(name: target.name, port: port, answered: .beforeStart)
  }

  /// Returns the address that the condition connects to; `nil` for a condition without an address.
  private func target(in context: LaunchContext) throws -> Connector.Target? {
    switch self {
    case .tcp(let text):
      let text = try TextParameter.value(of: text, in: context)
      guard let address = HostPort(text) else { throw ProbeError.notAnAddress(text) }
      return .tcp(address)
    case .unix(let text):
      let path = try TextParameter.value(of: text, in: context)
      let place = FileSystem.join(context.directory, path)
      if (try? SocketAddress.local(place)) == nil { throw ProbeError.socketPathTooLong(path) }
      return .unix(path: place, name: path)
    case .http(let probe): return .tcp(try HTTPExpectation(probe, in: context).address.address)
    case .file, .output, .command, .notify: return nil
    }
  }

  /// Returns a check of the condition that has not begun.
  func check(in context: LaunchContext, beside service: ProcessRequest? = nil) throws -> any ProbeCheck {
    switch self {
    case .tcp, .unix:
      guard let target = try target(in: context) else { throw ProbeError.noCondition }
      return SocketCheck(to: target)
    case .http(let probe):
      let expectation = try HTTPExpectation(probe, in: context)
      return expectation.address.isSecure
        ? try ProcessCheck(curl: expectation, in: context) : HTTPCheck(expectation)
    case .file(let text):
      let path = try TextParameter.value(of: text, in: context)
      return FileCheck(path: FileSystem.join(context.directory, path), name: path)
    case .output(let pattern):
      return OutputCheck(
        expression: try SearchExpression(pattern, matchesWords: true), hiding: context.secrets)
    case .command(let arguments):
      return ProcessCheck(
        command: try arguments.map { try ProcessText.value(of: $0, in: context) }, in: context,
        beside: service)
    case .notify: return NotifyCheck(socket: try NotificationSocket(), hiding: context.secrets)
    }
  }
}

/// An address at which a process other than the service's may accept connections.
struct ServedAddress: Sendable, Hashable {
  /// The time at which the address accepts connections.
  enum Time: Sendable, Hashable {
    /// It accepted a connection before the service was started.
    case beforeStart
    /// It was not seen to accept a connection before the service was started.
    case afterStart
  }

  /// The address for messages.
  let name: String
  /// The TCP port; `nil` for a socket at a path.
  let port: UInt16?
  let answered: Time

  /// Returns the error message for a service that cannot have the address.
  ///
  /// - Parameter holder: The process that listens at the address, or at the same port of another one, for messages.
  func words(holder: String) -> String {
    switch answered {
    case .beforeStart:
      "\(holder) accepted connections at \(name) before the start: stop it, or use another address"
    case .afterStart:
      "\(holder) also listens on the port of \(name): if that is the cause, stop it, or use another port"
    }
  }
}

/// An error that prevents the start of a probe.
enum ProbeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The command or the readiness probe has no condition.
  case noCondition
  /// A text is not a TCP address.
  case notAnAddress(String)
  /// The path of a socket, together with the manifest's directory, is longer than an address may be.
  case socketPathTooLong(String)

  /// The error message: the problem and its fix.
  var description: String {
    switch self {
    case .noCondition: "there is nothing to wait for: give exactly one condition"
    case .notAnAddress(let text):
      "\"\(text)\" is not an address: write a host and a port from 1 to 65535, as in \"127.0.0.1:5432\""
    case .socketPathTooLong(let path):
      "the path of the socket \"\(path)\" is too long with its directory: use a shorter one, an address holds 103 bytes"
    }
  }
}

extension ParameterValidation {
  /// Rejects the parameters unless exactly one of them has a value.
  ///
  /// - Parameter parameters: The name of each parameter, and whether it has a value.
  fileprivate mutating func requireExactlyOne(of parameters: [(name: String, hasValue: Bool)]) {
    let given = parameters.filter { $0.hasValue || !isReadable($0.name) }.map(\.name)
    if given.isEmpty {
      let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
      reject("give exactly one of \(names)")
    }
    for name in given.dropFirst() {
      reject("give only one of \"\(given[0])\" and \"\(name)\"", at: .key(name))
    }
  }
}
