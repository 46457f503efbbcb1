public import AppBoot
import AppBootSystem

/// A check of a service that continues after the service was ready. Exactly one of its conditions must be set.
///
/// ```swift
/// RunService("./server", live: .http("http://127.0.0.1:8080/health", every: .seconds(5)))
/// ```
public struct LivenessProbe: ParameterGroup {
  private static let allowed = 1...1_000_000
  /// The longest default of ``timeout``.
  private static let longest = Duration.seconds(5)

  /// An address that must accept TCP connections.
  @Parameter(ProbeCondition.tcpHelp, schema: .optional(ProbeCondition.addressSchema))
  public var tcp: String?

  /// The path of a Unix socket that must accept connections.
  @Parameter(ProbeCondition.unixHelp, schema: .optional(TextParameter.schema))
  public var unix: String?

  /// A request that must be answered as expected.
  @Parameter(ProbeCondition.httpHelp)
  var http: HTTPProbe?

  /// A program with its arguments; it must exit with 0.
  @Parameter(ProbeCondition.commandHelp, schema: .optional(ProbeCondition.argumentsSchema))
  public var command: [String]?

  /// The time from one check to the next.
  @Parameter("The time from one check to the next.", schema: .timeout)
  public var every = Duration.seconds(10)

  /// The number of failed checks in a row after which the service is unhealthy.
  @Parameter(
    "The failed checks in a row after which the service is unhealthy.",
    schema: .integer(minimum: Int64(allowed.lowerBound), maximum: UInt64(allowed.upperBound)))
  public var failures = 3

  /// The time after which a check without an answer fails; `nil` for ``every``, at most 5 s.
  @Parameter(
    "The time after which a check without an answer fails. Default: \"every\", at most 5s.",
    schema: .optional(.timeout))
  public var timeout: Duration?

  /// Creates a probe without a condition.
  public init() {}

  /// Rejects the parameters unless exactly one condition is given, and rejects an invalid condition, time or number.
  public func validate(_ validation: inout ParameterValidation) {
    ProbeCondition.validate(
      [
        ("tcp", tcp.map(ProbeCondition.tcp)), ("unix", unix.map(ProbeCondition.unix)),
        ("http", http.map(ProbeCondition.http)), ("command", command.map(ProbeCondition.command)),
      ], &validation)
    ProbeCondition.validate(every: every, &validation)
    if let timeout, timeout <= .zero { validation.reject("must be greater than zero", at: "timeout") }
    validation.check(failures, isIn: Self.allowed, at: ["failures"])
  }

  /// The time after which a check without an answer fails.
  var checkTimeout: Duration { timeout ?? min(every, Self.longest) }

  /// Creates a probe that has not begun.
  ///
  /// - Throws: An error if the condition is missing or invalid, or if a variable is not set; ``MissingCurl``.
  func start(in context: LaunchContext) throws -> LiveProbe {
    let condition = ProbeCondition(tcp: tcp, unix: unix, http: http, file: nil, command: command)
    guard let condition else { throw ProbeError.noCondition }
    return LiveProbe(
      try condition.check(in: context), every: every, failures: failures, timeout: checkTimeout)
  }

  /// The limits that the probe sets.
  package var limits: [StepLimit] {
    [
      StepLimit("live.every", .duration(every.nanoseconds)), StepLimit("live.failures", .count(failures)),
      StepLimit("live.timeout", .duration(checkTimeout.nanoseconds)),
    ]
  }
}

extension LivenessProbe {
  /// Returns a probe of an address, "host:port", that accepts TCP connections.
  public static func tcp(_ address: String, every: Duration = .seconds(10), failures: Int = 3) -> Self {
    Self(every, failures) { $0.tcp = address }
  }

  /// Returns a probe of a Unix socket that accepts connections.
  public static func unix(_ path: String, every: Duration = .seconds(10), failures: Int = 3) -> Self {
    Self(every, failures) { $0.unix = path }
  }

  /// Returns a probe of a URL that is answered as expected. ``ReadinessProbe`` describes the parameters.
  public static func http(
    _ url: String, status: [Int] = [], headers: [String: String] = [:], body: String? = nil,
    every: Duration = .seconds(10), failures: Int = 3
  ) -> Self {
    Self(every, failures) {
      $0.http = HTTPProbe(url: url, status: status, headers: headers, body: body)
    }
  }

  /// Returns a probe of a program that exits with 0.
  public static func command(
    _ program: String, _ arguments: [String] = [], every: Duration = .seconds(10), failures: Int = 3
  ) -> Self {
    Self(every, failures) { $0.command = [program] + arguments }
  }

  private init(_ every: Duration, _ failures: Int, _ set: (inout Self) -> Void) {
    self.init()
    (self.every, self.failures) = (every, failures)
    set(&self)
  }
}

extension LivenessProbe: ParameterChoice {
  package static var shared: [String] { ["every", "failures", "timeout"] }
}

extension LivenessProbe {
  /// An object, or a URL for `http`.
  public static var parameterType: ParameterType<LivenessProbe> { parameterType(orOnly: "http") }
}
