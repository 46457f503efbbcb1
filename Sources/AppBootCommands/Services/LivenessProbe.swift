public import AppBoot
import AppBootLifecycle
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
  @Parameter(ProbeCondition.serviceCommandHelp, schema: .optional(ProbeCondition.argumentsSchema))
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
    ProbeCondition.validate(conditions, hasPorts: true, &validation)
    ProbeCondition.validate(every: every, &validation)
    if let timeout, timeout <= .zero { validation.reject("must be greater than zero", at: "timeout") }
    validation.check(failures, isIn: Self.allowed, at: ["failures"])
  }

  private var conditions: ProbeCondition.Choice {
    [
      ("tcp", tcp.map(ProbeCondition.tcp)), ("unix", unix.map(ProbeCondition.unix)),
      ("http", http.map(ProbeCondition.http)), ("command", command.map(ProbeCondition.command)),
    ]
  }

  /// The texts that may hold the ports of the service.
  var texts: [String] { [tcp, unix, http?.url].compactMap(\.self) + (command ?? []) }

  /// Returns the probe with the ports of the service in its texts.
  func filled(with ports: PortNumbers) -> Self {
    var probe = self
    (probe.tcp, probe.unix) = (tcp.map(ports.filled), unix.map(ports.filled))
    if let http { probe.http?.url = ports.filled(http.url) }
    probe.command = command?.map(ports.filled)
    return probe
  }

  /// The time after which a check without an answer fails.
  var checkTimeout: Duration { timeout ?? min(every, Self.longest) }

  /// Creates a probe that has not begun.
  ///
  /// - Throws: An error if the condition is missing or invalid, or if a variable is not set; ``MissingCurl``.
  func start(in context: LaunchContext, beside service: ProcessRequest) throws -> LiveProbe {
    guard let condition = conditions.compactMap(\.value).first else { throw ProbeError.noCondition }
    return LiveProbe(
      try condition.check(in: context, beside: service), every: every, failures: failures,
      timeout: checkTimeout)
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

/// A running probe of a service that is ready. It continues until it is closed. No call blocks.
struct LiveProbe: Sendable {
  private var check: any ProbeCheck
  private let every: Int64
  private let timeout: Int64
  private let mostFailures: Int
  private var failures = 0
  /// The start time of the current check; `nil` between two checks.
  private var checkStart: Int64?
  /// The time at which the probe must be advanced; `nil` before ``begin(at:)`` and after ``close()``.
  private(set) var due: Int64?
  /// The last answer, and whether the service is healthy; `nil` before the first answer.
  private(set) var health: ServiceHealth?

  init(_ check: any ProbeCheck, every: Duration, failures: Int, timeout: Duration) {
    (self.check, self.every, self.timeout) = (check, every.nanoseconds, timeout.nanoseconds)
    mostFailures = failures
  }

  /// Begins the checks. The first one is due after the time between two checks.
  mutating func begin(at time: Int64) { due = time + every }

  /// Begins or continues a check that is due. Returns the health if it changed.
  mutating func advance(at time: Int64) -> ServiceHealth? {
    guard let due, time >= due else { return nil }
    let start = checkStart ?? time
    switch check.look(at: time) {
    case .undecided(let text):
      guard time - start >= timeout else {
        checkStart = start
        self.due = min(time + check.pace.look(after: time - start), start + timeout)
        return nil
      }
      check.close()
      endCheck(since: start, at: time)
      return fail("\(text) after \(DurationText.exact(.nanoseconds(timeout)))")
    case .unready(let text), .impossible(let text):
      endCheck(since: start, at: time)
      return fail(text)
    case .ready(let text):
      endCheck(since: start, at: time)
      failures = 0
      return become(.healthy(text))
    }
  }

  /// Ends the current check and all later ones.
  mutating func close() {
    check.close()
    due = nil
  }

  private mutating func endCheck(since start: Int64, at time: Int64) {
    checkStart = nil
    due = max(start + every, time)
  }

  private mutating func fail(_ answer: String) -> ServiceHealth? {
    failures += 1
    guard failures >= mostFailures else { return nil }
    return become(
      .unhealthy("the live probe failed \(failures == 1 ? "once" : "\(failures) times"): \(answer)"))
  }

  /// Stores the health. Returns it if it changed from healthy to unhealthy or back.
  private mutating func become(_ new: ServiceHealth) -> ServiceHealth? {
    let wasHealthy = health?.isHealthy ?? true
    health = new
    return wasHealthy == new.isHealthy ? nil : new
  }
}

/// The health of a service: that of one in Swift is reported with ``RunningService/report(_:)``, that of a process is
/// the answer of its ``LivenessProbe``.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ServiceHealth: Sendable, Hashable {
  /// The service can do its work. The text is its status, for example "12 connections"; empty for none.
  case healthy(String = "")
  /// The service cannot do its work. The text is the reason, for example "no connection to the database".
  case unhealthy(String)

  /// True for ``healthy(_:)``.
  public var isHealthy: Bool { if case .healthy = self { true } else { false } }

  /// The status or the reason.
  public var text: String {
    switch self {
    case .healthy(let text), .unhealthy(let text): text
    }
  }

  /// The maximum number of bytes of a text.
  private static let limit = 500

  /// Returns the health with a text that shows no secret and is not too long for an answer to `status`.
  func masked(by secrets: Secrets) -> ServiceHealth {
    let text = secrets.masking(text).cut(to: Self.limit)
    return isHealthy ? .healthy(text) : .unhealthy(text)
  }

  /// The health in messages, for example "healthy: 12 connections".
  package var words: String { (isHealthy ? "healthy" : "unhealthy") + (text.isEmpty ? "" : ": \(text)") }

  /// Writes the health as members of the JSON object that is open in the writer.
  func write(to writer: inout JSONWriter) {
    writer.member("health", isHealthy ? "healthy" : "unhealthy")
    if !text.isEmpty { writer.member("statusText", text) }
  }
}
