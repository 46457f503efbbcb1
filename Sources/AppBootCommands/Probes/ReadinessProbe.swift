public import AppBoot
import AppBootSystem

/// The condition under which a service is ready. Exactly one parameter must be set.
///
/// ```swift
/// RunService("./server", ready: .http("http://127.0.0.1:8080/health"))
/// ```
public struct ReadinessProbe: ParameterGroup {
  /// An address that must accept TCP connections.
  @Parameter(ProbeCondition.tcpHelp, schema: .optional(ProbeCondition.addressSchema))
  public var tcp: String?

  /// The path of a Unix socket that must accept connections.
  @Parameter(ProbeCondition.unixHelp, schema: .optional(TextParameter.schema))
  public var unix: String?

  /// A request that must be answered as expected.
  @Parameter(ProbeCondition.httpHelp)
  var http: HTTPProbe?

  /// The path of a file that must exist.
  @Parameter(ProbeCondition.fileHelp, schema: .optional(TextParameter.schema))
  public var file: String?

  /// A regular expression that a line of the service's output must match.
  @Parameter(
    "An extended regular expression (grep -E) that a line of the service's output matches.",
    schema: .optional(TextParameter.schema))
  public var output: String?

  /// A program with its arguments; it must exit with 0.
  @Parameter(ProbeCondition.serviceCommandHelp, schema: .optional(ProbeCondition.argumentsSchema))
  public var command: [String]?

  /// True for a service that sends READY=1 to the socket in `NOTIFY_SOCKET`.
  @Parameter("true: the service reports READY=1 to the socket in NOTIFY_SOCKET (sd_notify).")
  public var notify: Bool?

  /// The time from one check to the next; `nil` for a short one at first, and a longer one later.
  @Parameter(ProbeCondition.everyHelp, schema: .optional(.timeout))
  public var every: Duration?

  /// The time until the first check; `nil` for none.
  @Parameter("The time until the first check. By default, it is made at once.", schema: .optional(.timeout))
  public var delay: Duration?

  /// The number of failed checks after which the service can never be ready; `nil` for no limit but the timeout.
  @Parameter(
    "The failed checks after which the start fails. Default: no limit but the \"timeout\".",
    schema: .optional(.integer(minimum: 1, maximum: 1_000_000)))
  public var failures: Int?

  /// Creates a probe without a condition.
  public init() {}

  /// Rejects the parameters unless exactly one condition is given, and rejects an invalid condition.
  public func validate(_ validation: inout ParameterValidation) {
    ProbeCondition.validate(conditions, hasPorts: true, &validation)
    if notify == false { validation.reject("can only be true", at: "notify") }
    ProbeCondition.validate(every: every, &validation)
    if let delay, delay <= .zero { validation.reject("must be greater than zero", at: "delay") }
    if let failures { validation.check(failures, isIn: 1...1_000_000, at: ["failures"]) }
    guard let name = output != nil ? "output" : notify != nil ? "notify" : nil else { return }
    let times = [("every", every != nil), ("delay", delay != nil), ("failures", failures != nil)]
    for (key, isSet) in times where isSet {
      validation.reject("has no effect on \"\(name)\", which is not checked at intervals", at: .key(key))
    }
  }

  /// The texts that may hold the ports of the service.
  var texts: [String] { [tcp, unix, http?.url, file].compactMap(\.self) + (command ?? []) }

  /// Returns the probe with the ports of the service in its texts.
  func filled(with ports: PortNumbers) -> Self {
    var probe = self
    (probe.tcp, probe.unix, probe.file) = (
      tcp.map(ports.filled), unix.map(ports.filled), file.map(ports.filled)
    )
    if let http { probe.http?.url = ports.filled(http.url) }
    probe.command = command?.map(ports.filled)
    return probe
  }

  /// The first condition that is set; `nil` if none is set.
  var condition: ProbeCondition? { conditions.compactMap(\.value).first }

  private var conditions: ProbeCondition.Choice {
    [
      ("tcp", tcp.map(ProbeCondition.tcp)), ("unix", unix.map(ProbeCondition.unix)),
      ("http", http.map(ProbeCondition.http)), ("file", file.map(ProbeCondition.file)),
      ("output", output.map(ProbeCondition.output)), ("command", command.map(ProbeCondition.command)),
      ("notify", notify.map { _ in ProbeCondition.notify }),
    ]
  }

  /// Starts a probe of the condition beside a service.
  ///
  /// - Throws: An error if the condition is missing or invalid, or if a variable is not set; ``MissingCurl``;
  ///   `SystemError` if the socket for `notify` cannot be created.
  func start(in context: LaunchContext, beside service: ProcessRequest) throws -> Probe {
    guard let condition else { throw ProbeError.noCondition }
    return try condition.start(
      in: context, beside: service, every: every, after: delay, failures: failures)
  }
}

extension ReadinessProbe {
  /// Returns a probe of an address, "host:port", that accepts TCP connections.
  public static func tcp(_ address: String) -> Self { Self { $0.tcp = address } }

  /// Returns a probe of a Unix socket that accepts connections.
  public static func unix(_ path: String) -> Self { Self { $0.unix = path } }

  /// Returns a probe of a URL that is answered as expected.
  ///
  /// - Parameters:
  ///   - status: The statuses that the response may have; empty for 200 to 399.
  ///   - headers: The header fields that the response must have, with their values.
  ///   - body: A text that the first 64 KiB of the response's body must contain; `nil` for any body.
  public static func http(
    _ url: String, status: [Int] = [], headers: [String: String] = [:], body: String? = nil
  ) -> Self {
    Self { $0.http = HTTPProbe(url: url, status: status, headers: headers, body: body) }
  }

  /// Returns a probe of a file that exists.
  public static func file(_ path: String) -> Self { Self { $0.file = path } }

  /// Returns a probe of a line of the service's output that matches an extended regular expression (`grep -E`).
  public static func output(_ pattern: String) -> Self { Self { $0.output = pattern } }

  /// Returns a probe of a program that exits with 0.
  public static func command(_ program: String, _ arguments: [String] = []) -> Self {
    Self { $0.command = [program] + arguments }
  }

  /// A probe of a service that sends `READY=1` to the socket in `NOTIFY_SOCKET` (sd_notify).
  public static var notify: Self { Self { $0.notify = true } }

  private init(_ set: (inout Self) -> Void) {
    self.init()
    set(&self)
  }
}

extension ReadinessProbe: ParameterChoice {
  package static var shared: [String] { ["every", "delay", "failures"] }
}

extension ReadinessProbe {
  /// An object, or a URL for `http`.
  public static var parameterType: ParameterType<ReadinessProbe> { parameterType(orOnly: "http") }
}
