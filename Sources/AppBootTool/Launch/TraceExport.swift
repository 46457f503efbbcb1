import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The collector to which launches are sent, from OpenTelemetry's environment variables.
struct TraceEndpoint: Sendable {
  let url: String
  let headers: [(name: String, value: String)]

  /// Reads the variables; returns `nil` if they name no endpoint, or turn the export off.
  init?(variable: (String) -> String? = ProcessEnvironment.value(of:)) {
    // An empty variable counts as unset (OpenTelemetry, "Environment Variable Specification").
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let base = value("OTEL_EXPORTER_OTLP_ENDPOINT").map { $0 + ($0.hasSuffix("/") ? "" : "/") + "v1/traces" }
    guard value("OTEL_SDK_DISABLED")?.lowercased() != "true", value("OTEL_TRACES_EXPORTER") != "none",
      let url = value("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? base
    else { return nil }
    self.url = url
    let list = value("OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? value("OTEL_EXPORTER_OTLP_HEADERS") ?? ""
    headers = list.members.compactMap { name, value in value.map { (name, $0) } }
  }
}

/// A subcommand that sends launches to the collector.
///
/// The tool starts it at the end of a launch, in another process of this executable, and does not wait for it. Stored
/// launches are sent in their order, until one cannot be sent: the next launch tries again.
enum TraceExport: Subcommand {
  static let name = "send-traces"
  static let abstract = "Sends launches to an OpenTelemetry collector; the tool starts it."
  static let operands = [
    Operand(name: "DIRECTORY", help: "The state directory; without it, a record on standard input is sent.")
  ]

  /// The maximum time that the collector may take for one launch, as in OpenTelemetry's exporters.
  private static let timeout = Duration.seconds(10)

  /// Starts the process that sends a launch, and the stored ones that were not sent.
  ///
  /// - Parameter directory: The state directory with the stored launch; `nil` if the launch is not stored.
  /// - Throws: `SpawnError` if `curl` is missing, or if the process cannot be started.
  static func start(_ record: LaunchRecord, storedIn directory: String?, _ tool: ToolContext) throws {
    try ProgramSearch.check("curl", searchPath: ProgramSearch.helperPath(), from: ".")
    guard let relaunch = try Relaunch(arguments: tool.arguments) else {
      throw Relaunch.missing(for: "the export")
    }
    let input = directory == nil ? Array(record.json(pretty: false).utf8) : nil
    // Its output is captured: the reader of the tool's output must not wait for it.
    let process = try ProcessRequest(
      relaunch.command([name] + (directory.map { [$0] } ?? [])), captureOutput: true, standardInput: input
    ).start()
    process.outlive()
    Subreaper.spare(process.processIdentifier)
    // In an app that stays, the process must not remain as a zombie.
    ThreadTimer.shared.schedule(after: 2 * timeout.components.seconds * 1_000_000_000) { _ = process.reap() }
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    for signal in Signals.terminating { Signals.ignore(signal) }
    guard let endpoint = TraceEndpoint() else { return .usage }
    if let directory = arguments.operands.first {
      try sendStored(in: directory, to: endpoint)
    } else {
      let directory = try FileSystem.makeTemporaryDirectory()
      defer { try? FileSystem.removeTree(directory) }
      _ = try send(RecordArchive.read("-").record, from: directory, to: endpoint)
    }
    return .succeeded
  }

  /// Sends the stored launches of a state directory that were not sent, oldest first.
  private static func sendStored(in directory: String, to endpoint: TraceEndpoint) throws {
    // Another process that holds the lock also sends the launches that are stored meanwhile.
    guard let lock = FileLock.acquire(directory: directory, within: 1_000_000_000) else { return }
    defer { lock.release() }
    let mark = FileSystem.join(directory, "traces.sent")
    var last =
      (try? FileSystem.readOwnFile(mark, limit: 1 << 10)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    while let path = try RecordArchive.list(directory).first(where: {
      RecordArchive.isKept($0) && FileSystem.lastComponent($0) > last
    }) {
      last = FileSystem.lastComponent(path)
      guard let record = try? RecordArchive.read(path).record, record.header.trace != nil else { continue }
      guard try send(record, from: directory, to: endpoint) else { return }
      try FileSystem.writeFile(atomically: Array(last.utf8), to: mark, mode: 0o600, followingLinks: false)
    }
  }

  /// Sends a launch. Returns false if it should be sent again later.
  ///
  /// - Parameter directory: The directory for the file with the spans.
  private static func send(
    _ record: LaunchRecord, from directory: String, to endpoint: TraceEndpoint
  ) throws -> Bool {
    let file = FileSystem.join(directory, "traces.json")
    let text = Array(OTLPReport().text(of: record).utf8)
    try FileSystem.writeFile(atomically: text, to: file, mode: 0o600, followingLinks: false)
    defer { try? FileSystem.remove(file) }
    let request = CurlRequest.post(file, to: endpoint.url, headers: endpoint.headers, timeout: timeout)
    var watch = try ProcessWatch(starting: request, SignalPipe.install([]))
    _ = try watch.wait()
    guard let status = CurlRequest.status(in: watch.output.text) else { return false }
    // The collector will never accept invalid or too large data (OTLP, "Failures").
    return (200..<300).contains(status) || [400, 413].contains(status)
  }
}
