import AppBoot
import AppBootSystem

/// A check that runs a program for each attempt. The program's exit code and output decide the result.
struct ProcessCheck: ProbeCheck {
  /// The nanoseconds after which the program of an attempt is killed.
  private static let limit: Int64 = 30_000_000_000

  private let request: ProcessRequest
  private let program: String
  private let judge: @Sendable (ProcessEnd, [UInt8]) -> Sighting
  private var attempt: (process: ProbeProcess, since: Int64)?

  /// Creates a check that runs a program. The condition holds if its exit code is 0.
  ///
  /// - Parameter service: The request of a service; the program runs as the service does.
  init(command arguments: [String], in context: LaunchContext, beside service: ProcessRequest? = nil) {
    let program = arguments.first ?? ""
    self.program = program
    request = ProcessRequest(arguments, of: context, beside: service)
    let secrets = context.secrets
    judge = { end, output in
      switch end {
      case .exited(0): .ready("\"\(program)\" exited with code 0")
      case .exited(let code):
        .unready("\"\(program)\" exited with code \(code)\(Self.lastLine(of: output, hiding: secrets))")
      case .signalled(let signal):
        .unready(
          "\"\(program)\" was killed by \(Signals.name(signal))\(Self.lastLine(of: output, hiding: secrets))")
      }
    }
  }

  /// Creates a check that sends an https request with `curl`, which uses the machine's proxies and certificates.
  ///
  /// - Throws: ``MissingCurl``.
  init(curl expectation: HTTPExpectation, in context: LaunchContext) throws(MissingCurl) {
    try CurlRequest.checkProgram(in: context)
    program = "curl"
    let configuration = CurlRequest.configuration(fetching: expectation.address.url)
    request = CurlRequest.process(reading: configuration, in: context)
    judge = { end, output in
      if end == .exited(0) {
        return expectation.judge(output, isWhole: true)
          ?? .unready("\(expectation.address.shown) gave no response")
      }
      let reason = CurlResponse.reason(in: String(decoding: output, as: UTF8.self))
      return .unready("no response from \(expectation.address.shown): \(reason)")
    }
  }

  var pace: ProbePace { .remote }

  mutating func look(at time: Int64) -> Sighting {
    do throws(SpawnError) {
      if attempt == nil { attempt = (try ProbeProcess(request), time) }
    } catch {
      return Self.sighting(of: error, program)
    }
    guard let (process, since) = attempt else { return .unready("") }
    if let end = process.advance() {
      attempt = nil
      return judge(end, process.output)
    }
    guard time - since >= Self.limit else { return .undecided("\"\(program)\" has not ended") }
    close()
    return .unready("\"\(program)\" did not end within 30s")
  }

  mutating func close() {
    attempt?.process.kill()
    attempt = nil
  }

  private static func sighting(of error: SpawnError, _ program: String) -> Sighting {
    let text = RunProcessError.notStarted(error, arguments: [program], directory: nil).description
    return switch error {
    case .programNotFound, .notExecutable, .interpreterNotFound, .carriageReturn, .badDirectory:
      .impossible(text)
    case .unwatchable, .other: .unready(text)
    }
  }

  private static func lastLine(of output: [UInt8], hiding secrets: Secrets) -> String {
    // Before the line is cut: a part of a secret would not be recognized.
    let line = secrets.masking(String(decoding: output, as: UTF8.self)).split(whereSeparator: \.isNewline)
      .last { !$0.allSatisfy(\.isWhitespace) }
    return line.map { ": \($0.prefix(200))" } ?? ""
  }
}

/// A short-running program. Its children are killed when it ends.
///
/// The owner calls ``advance()`` repeatedly until the program has ended.
final class ProbeProcess: Sendable {
  /// The maximum number of output bytes that are stored. Further bytes are read and dropped.
  private static let limit = 1 << 16

  private let process: Subprocess
  private let stored = Lock<[UInt8]>([])

  /// Starts the program.
  init(_ request: ProcessRequest) throws(SpawnError) { process = try request.start() }

  /// The first bytes of standard output and standard error, in the order in which they were written.
  var output: [UInt8] { stored.withLock(\.self) }

  /// Reads the available output without blocking. Returns the program's exit code or signal; `nil` while it runs.
  func advance() -> ProcessEnd? {
    // The order matters: at the program's end all of its output is in the pipe.
    let end = process.end()
    stored.withLock { stored in
      _ = process.readOutput { stored.append(contentsOf: $0.prefix(Self.limit - stored.count)) }
    }
    if end != nil {
      process.killGroup(Signals.kill)
      process.finish()
    }
    return end
  }

  /// Kills the program and its children.
  func kill() {
    process.killGroup(Signals.kill)
    guard process.end() == nil else { return process.finish() }
    // A killed process may take a moment to end, and has to be reaped then.
    Thread.detach(name: "appboot-reap") { [process] in
      _ = process.wait()
      process.finish()
    }
  }
}
