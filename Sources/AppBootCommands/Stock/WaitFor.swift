public import AppBoot
import AppBootSystem

/// A command that waits for something that the launch does not start.
///
/// It waits for a port, a socket, a URL, a file, or a program that exits with 0.
public struct WaitFor: AsyncCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "WaitFor"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Waits until a port, a URL, a file or a program is ready.",
    discussion: """
      It takes exactly one condition, and "every". The entry's "timeout" is the longest wait; its failure shows what \
      was seen last. Without a timeout it waits until the launch ends.

      A port, a URL or a file of this machine is tried again after 1/32 of the time so far, 1 ms to 4 ms. After 8 s \
      the pause is 1/2000 of it, at most 1 s. An address of another machine or a program is tried again after 1/4 to \
      1/2 of the time so far, 5 ms to 1 s. That pause is at least as long as the attempt took. "every" sets a fixed \
      time. A program that runs for 30 s is killed, and a server has 10 s to answer.

      Plain HTTP needs no other program. For an https URL it runs curl, with the machine's proxies and certificates.

      The step does not count towards `--jobs`: any number of steps can wait at once.
      """,
    example: """
      { "command": "WaitFor", "id": "database", "timeout": "30s", "with": { "tcp": "127.0.0.1:5432" } }
      """,
    replacesVariables: false)

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

  /// A program with its arguments; it must exit with 0.
  @Parameter(ProbeCondition.commandHelp, schema: .optional(ProbeCondition.argumentsSchema))
  public var command: [String]?

  /// The time from one check to the next; `nil` for a short one at first, and a longer one later.
  @Parameter(ProbeCondition.everyHelp, schema: .optional(.timeout))
  public var every: Duration?

  /// Creates the command without a condition.
  public init() {}

  /// Creates a wait for an address, "host:port", that accepts TCP connections.
  public init(tcp address: String) { tcp = address }

  /// Creates a wait for a Unix socket that accepts connections.
  public init(unix path: String) { unix = path }

  /// Creates a wait for a URL that is answered as expected.
  ///
  /// - Parameters:
  ///   - status: The statuses that the response may have; empty for 200 to 399.
  ///   - headers: The header fields that the response must have, with their values.
  ///   - body: A text that the first 64 KiB of the response's body must contain; `nil` for any body.
  public init(
    http url: String, status: [Int] = [], headers: [String: String] = [:], body: String? = nil
  ) {
    http = HTTPProbe(url: url, status: status, headers: headers, body: body)
  }

  /// Creates a wait for a file that exists.
  public init(file path: String) { file = path }

  /// Creates a wait for a program that exits with 0.
  public init(command program: String, _ arguments: [String] = []) { command = [program] + arguments }

  /// Rejects the parameters unless exactly one condition is given, and rejects an invalid condition.
  public func validate(_ validation: inout ParameterValidation) {
    ProbeCondition.validate(conditions, &validation)
    ProbeCondition.validate(every: every, &validation)
  }

  private var conditions: ProbeCondition.Choice {
    [
      ("tcp", tcp.map(ProbeCondition.tcp)), ("unix", unix.map(ProbeCondition.unix)),
      ("http", http.map(ProbeCondition.http)), ("file", file.map(ProbeCondition.file)),
      ("command", command.map(ProbeCondition.command)),
    ]
  }

  /// Waits until the condition holds.
  ///
  /// - Throws: An error if the condition can never hold; `CancellationError` if the step was cancelled.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context))
  }
}

extension WaitFor: ParameterChoice {
  package static var shared: [String] { ["every"] }
}

extension WaitFor: OperationCommand {
  package static var onlyWaits: Bool { true }

  /// True if the condition is a program or a request. `curl` sends https requests.
  package var startsProcesses: Bool { command != nil || http != nil }

  package var secretVariables: [String] { http?.secretVariables ?? [] }

  package func start(in context: LaunchContext) throws -> any PolledOperation {
    guard let condition = conditions.compactMap(\.value).first else { throw ProbeError.noCondition }
    return WaitOperation(try condition.start(in: context, every: every)) { context.note($0) }
  }
}

/// An operation that waits until a probe's condition holds.
private final class WaitOperation: PolledOperation {
  private let probe: Probe
  private let note: @Sendable (String) -> Void
  private let isStopped = Lock(false)

  init(_ probe: Probe, note: @escaping @Sendable (String) -> Void) {
    self.probe = probe
    self.note = note
  }

  var descriptors: [Int32] { [] }
  /// The time of the next check. After a stop it is 0, so that the wait ends at once.
  var nextDeadline: Int64? { isStopped.withLock(\.self) ? 0 : probe.nextDeadline }
  var obstacle: String? { probe.obstacle }

  func advance() -> Result<Void, any Error>? {
    if isStopped.withLock(\.self) { return .failure(CancellationError()) }
    switch probe.advance() {
    case .ready(let text):
      note(text)
      return .success(())
    case .waiting:
      if let answer = probe.takeNews() { note(answer) }
      return nil
    case .failed(let reason): return .failure(WaitError(description: reason))
    }
  }

  func release() { probe.close() }

  func stop(isForced: Bool) {
    isStopped.withLock { $0 = true }
    probe.close()
  }
}

/// An error that reports that the condition can never hold.
private struct WaitError: Error, CustomStringConvertible {
  let description: String
}
