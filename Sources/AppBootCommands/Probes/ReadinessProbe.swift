package import AppBoot
import AppBootSystem

/// The parameters for the condition under which a service is ready. Exactly one parameter must be set.
package struct ReadinessProbe: ParameterGroup {
  /// An address that must accept TCP connections.
  @Parameter(ProbeCondition.tcpHelp, schema: .optional(ProbeCondition.addressSchema))
  package var tcp: String?

  /// The path of a Unix socket that must accept connections.
  @Parameter(ProbeCondition.unixHelp, schema: .optional(TextParameter.schema))
  package var unix: String?

  /// A request that must be answered as expected.
  @Parameter(ProbeCondition.httpHelp)
  package var http: HTTPProbe?

  /// The path of a file that must exist.
  @Parameter(ProbeCondition.fileHelp, schema: .optional(TextParameter.schema))
  package var file: String?

  /// A regular expression that a line of the service's output must match.
  @Parameter(
    "An extended regular expression (grep -E) that a line of the service's output matches.",
    schema: .optional(TextParameter.schema))
  package var output: String?

  /// A program with its arguments; it must exit with 0.
  @Parameter(ProbeCondition.commandHelp, schema: .optional(ProbeCondition.argumentsSchema))
  package var command: [String]?

  /// True for a service that sends READY=1 to the socket in `NOTIFY_SOCKET`.
  @Parameter("true: the service reports READY=1 to the socket in NOTIFY_SOCKET (sd_notify).")
  package var notify: Bool?

  /// Creates a probe without a condition.
  package init() {}

  /// Rejects the parameters unless exactly one condition is given, and rejects an invalid condition.
  package func validate(_ validation: inout ParameterValidation) {
    ProbeCondition.validate(
      [
        ("tcp", tcp.map(ProbeCondition.tcp)), ("unix", unix.map(ProbeCondition.unix)),
        ("http", http.map(ProbeCondition.http)), ("file", file.map(ProbeCondition.file)),
        ("output", output.map(ProbeCondition.output)), ("command", command.map(ProbeCondition.command)),
        ("notify", notify.map { _ in ProbeCondition.notify }),
      ], &validation)
    if notify == false { validation.reject("can only be true", at: "notify") }
  }

  /// The first condition that is set; `nil` if none is set.
  var condition: ProbeCondition? {
    ProbeCondition(tcp: tcp, unix: unix, http: http, file: file, command: command)
      ?? output.map(ProbeCondition.output) ?? (notify == true ? .notify : nil)
  }

  /// Starts a probe of the condition.
  ///
  /// - Throws: An error if the condition is missing or invalid, or if a variable is not set; ``MissingCurl``;
  ///   `SystemError` if the socket for `notify` cannot be created.
  func start(in context: LaunchContext) throws -> Probe {
    guard let condition else { throw ProbeError.noCondition }
    return try condition.start(in: context)
  }
}

extension ReadinessProbe: ExclusiveParameters {}
