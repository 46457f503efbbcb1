import AppBoot
package import AppBootSystem

/// An HTTP request that the program `curl` sends. Curl reads the request's configuration from standard input.
///
/// All users of the machine can see a program's arguments (`ps`), but not its standard input.
package struct CurlRequest: Sendable {
  /// The content of a request.
  enum Body: Sendable, Hashable {
    case none
    case text(String)
    /// The content of the file at a path.
    case file(String)

    /// The content as bytes; `nil` for a file over 16 MiB, and for one that cannot be read.
    var shortBytes: [UInt8]? {
      switch self {
      case .none: []
      case .text(let text): Array(text.utf8)
      case .file(let path): try? FileSystem.readFile(path, limit: 1 << 24)
      }
    }
  }

  var method = "GET"
  let url: String
  var headers: [(name: String, value: String)] = []
  var body = Body.none
  /// The maximum time that the connection and the response may take together; `nil` for no limit.
  var timeout: Duration?
  /// The maximum size of a response's body, in bytes.
  var responseLimit = 1 << 16

  /// The program and its arguments. `--disable` makes curl ignore the user's `.curlrc`.
  private static let arguments = ["curl", "--disable", "--config", "-"]

  /// The configuration that curl reads, with one option in each line.
  var configuration: String {
    var lines = ["silent", "show-error", "globoff"]
    lines +=
      method == "HEAD" ? ["head", Self.option("output", "/dev/null")] : [Self.option("request", method)]
    lines += Self.target(url)
    if let timeout { lines.append(Self.option("max-time", Self.seconds(timeout))) }
    // Before 8.4.0, curl applies this only to a response with a Content-Length. Others are limited while curl prints.
    lines.append(Self.option("max-filesize", "\(responseLimit)"))
    for (name, value) in headers {
      // A header without a value is written with a semicolon; with a colon it would remove curl's own.
      lines.append(Self.option("header", value.isEmpty ? "\(name);" : "\(name): \(value)"))
    }
    if body != .none {
      // Curl calls every body a form, and holds a long one back until the server asks for it.
      lines += ["Content-Type", "Expect"].filter { !hasHeader($0) }.map { Self.option("header", "\($0):") }
    }
    switch body {
    case .none: break
    case .text(let text): lines.append(Self.option("data-raw", text))
    case .file(let path): lines.append(Self.option("data-binary", "@\(path == "-" ? "./-" : path)"))
    }
    lines.append(Self.option("write-out", "\n\(CurlResponse.statusMark)%{http_code} %{size_download}\n"))
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns whether the request has a header field. The name is case-insensitive.
  func hasHeader(_ name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() }
  }

  /// Starts curl for this request. When curl ends, passes the response or the error to `judge`.
  ///
  /// - Parameters:
  ///   - target: The text that describes the request in messages.
  ///   - judge: A function that returns the step's result. The secrets in the response that it receives are not masked.
  /// - Throws: ``MissingCurl``; ``CurlError``.
  func start(
    for target: String, in context: LaunchContext,
    judge: @escaping @Sendable (Result<CurlResponse, CurlError>) -> Result<Void, any Error>
  ) throws -> any PolledOperation {
    let (limit, timeout) = (responseLimit, timeout)
    let verdict: ProcessOperation.Verdict = { end, output in
      let text = output.text
      let response = CurlResponse(output: text)
      if (response?.size ?? output.totalCount) > limit {
        return judge(.failure(CurlError(target, limit: limit)))
      }
      if let error = CurlError(end, output: text, target: target, limit: limit, timeout: timeout) {
        return judge(.failure(error))
      }
      guard let response else {
        return judge(.failure(CurlError(target, "gave no valid response: curl gave no status")))
      }
      return judge(.success(response))
    }
    do throws(SpawnError) {
      return try ProcessOperation(
        Self.process(reading: configuration, in: context), keeping: 2 * limit, atMost: limit + 1024,
        obstacle: "\(target) has no response yet", verdict: verdict)
    } catch .programNotFound {
      throw MissingCurl()
    } catch {
      throw CurlError(starting: error)
    }
  }

  /// Returns a process request that starts curl with a configuration as its standard input.
  static func process(reading configuration: String, in context: LaunchContext) -> ProcessRequest {
    var variables = context.processVariables
    if let path = context.environment("PATH") { variables["PATH"] = path }
    var request = process(reading: configuration, variables)
    request.removedVariables = context.removedVariables
    return request
  }

  private static func process(reading configuration: String, _ variables: [String: String]?) -> ProcessRequest
  {
    var request = ProcessRequest(
      arguments, environment: variables, captureOutput: true, standardInput: Array(configuration.utf8))
    request.isHelper = true
    return request
  }

  /// Returns a process request that posts a file of JSON with curl. ``status(in:)`` reads its output.
  package static func post(
    _ file: String, to url: String, headers: [(name: String, value: String)], timeout: Duration
  ) -> ProcessRequest {
    let request = CurlRequest(
      method: "POST", url: url, headers: [("Content-Type", "application/json")] + headers, body: .file(file),
      timeout: timeout)
    return process(reading: request.configuration, nil)
  }

  /// Returns the status of the response in the output of curl; `nil` without a response.
  package static func status(in output: String) -> Int? { CurlResponse(output: output)?.status }

  /// Throws ``MissingCurl`` if there is no program `curl`.
  static func checkProgram(in context: LaunchContext) throws(MissingCurl) {
    do throws(SpawnError) {
      let searchPath = ProgramSearch.helperPath(of: context.environment("PATH"))
      try ProgramSearch.check("curl", searchPath: searchPath, from: ".")
    } catch .programNotFound {
      throw MissingCurl()
    } catch {
      // Starting curl will fail and report the reason.
    }
  }

  /// Returns a configuration with which `curl` fetches a URL, and prints the response with its header fields.
  static func configuration(fetching url: String) -> String {
    let options = target(url) + [option("max-time", "10")]
    return (["silent", "show-error", "globoff", "include", "suppress-connect-headers"] + options)
      .joined(separator: "\n") + "\n"
  }

  /// Returns the options for the URL. A proxy could not reach an address of this machine.
  private static func target(_ url: String) -> [String] {
    let isLocal = HTTPAddress(url)?.address.isLocal ?? false
    return [option("url", url), option("proto", "=http,https")] + (isLocal ? [option("noproxy", "*")] : [])
  }

  private static func option(_ name: String, _ value: String) -> String {
    var text = "\(name) = \""
    for character in value.unicodeScalars {
      switch character {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text.unicodeScalars.append(character)
      }
    }
    return text + "\""
  }

  /// Returns a duration in seconds with three decimals, at least `0.001`. For curl, 0 means no timeout.
  static func seconds(_ duration: Duration) -> String {
    let milliseconds = max(1, duration.nanoseconds / 1_000_000)
    let fraction = "\(1000 + milliseconds % 1000)".dropFirst()
    return "\(milliseconds / 1000).\(fraction)"
  }
}

/// The response to a request by `curl`: its status, size and body.
struct CurlResponse: Sendable, Hashable {
  static let statusMark = "appboot-status: "

  let status: Int
  /// The size of the response's body in bytes.
  let size: Int
  /// The response's body. Its secrets are not masked.
  let body: String

  /// Returns the first line of the body that is not blank; at most 200 characters, with secrets masked.
  func firstLine(hiding secrets: Secrets) -> String {
    // Masked before the cut, because a part of a secret would not be recognized.
    let line = secrets.masking(body).split(whereSeparator: \.isNewline).first {
      !$0.allSatisfy(\.isWhitespace)
    }
    return String((line ?? "").prefix(200))
  }
}

extension CurlResponse {
  /// Parses the output of `curl`; returns `nil` if the output has no status.
  init?(output: String) {
    guard let mark = output.lastRange(of: "\n" + Self.statusMark) else { return nil }
    let numbers = output[mark.upperBound...].split(whereSeparator: \.isWhitespace).prefix(2).compactMap {
      Int($0)
    }
    guard let status = numbers.first, status > 0 else { return nil }
    self.status = status
    size = numbers.count > 1 ? numbers[1] : output.utf8.distance(from: output.startIndex, to: mark.lowerBound)
    body = String(output[..<mark.lowerBound])
  }

  /// Returns the reason from curl's error message, without its prefix `curl: (7)`.
  static func reason(in output: String) -> String {
    let line = output.split(whereSeparator: \.isNewline).last { $0.hasPrefix("curl: ") }
    guard let line else { return "it gave no reason" }
    let words = line.dropFirst("curl: ".count)
    guard words.hasPrefix("("), let end = words.firstIndex(of: ")") else { return String(words) }
    return String(words[words.index(after: end)...].drop { $0 == " " })
  }
}

extension String {
  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    let start = utf8.indices.reversed().first { utf8[$0...].starts(with: text.utf8) }
    return start.map { $0..<utf8.index($0, offsetBy: text.utf8.count) }
  }
}

/// An error of an HTTP request without a usable response.
struct CurlError: ShortageError, CustomStringConvertible {
  /// The error message: the request and the problem.
  let description: String
  /// True if `curl` could not be started, and a later start may succeed.
  var isShortage = false

  /// Creates the error of a request.
  ///
  /// - Parameter target: The text that describes the request in messages.
  init(_ target: String, _ problem: String) { description = "\(target) \(problem)" }

  /// Creates the error of a start of `curl`.
  init(starting error: SpawnError) {
    (description, isShortage) = ("curl could not be started: \(error)", error.isShortage)
  }

  /// Creates the error of a response whose body is larger than `limit` bytes.
  init(_ target: String, limit: Int) { self.init(target, "answered with more than \(limit) bytes") }

  /// Creates the error from curl's exit code (curl(1), "EXIT CODES") or signal; returns `nil` if curl succeeded.
  init?(_ end: ProcessEnd, output: String, target: String, limit: Int, timeout: Duration?) {
    let reason = CurlResponse.reason(in: output)
    switch end {
    case .exited(0): return nil
    case .exited(5): self.init(target, "could not be reached: the proxy was not found: \(reason)")
    case .exited(6): self.init(target, "was not found: \(reason)")
    case .exited(7):
      if let proxy = Self.proxy(in: reason) {
        self.init(
          target,
          "could not be reached: the proxy \(proxy) from http_proxy, https_proxy or all_proxy does not accept "
            + "connections"
        )
      } else {
        self.init(target, "does not accept connections: \(reason)")
      }
    case .exited(28):
      self.init(target, "did not answer within \(timeout.map(DurationText.exact) ?? "curl's own limit")")
    case .exited(63): self.init(target, limit: limit)
    case .exited(let code) where [18, 52, 55, 56, 92, 95].contains(code):
      self.init(target, "gave no valid response: \(reason)")
    case .exited(let code) where Self.codesOfTLS.contains(code):
      self.init("no secure connection to \(target):", reason)
    case .exited(let code):
      self.init(target, "could not be reached: curl exited with code \(code): \(reason)")
    case .signalled: self.init("curl", end.words)
    }
  }

  /// Returns the host to which curl could not connect, if it is a proxy; `nil` for another one.
  ///
  /// - Parameter proxies: The values of curl's variables for proxies (curl(1), "ENVIRONMENT").
  static func proxy(in reason: String, among proxies: [String] = proxies) -> String? {
    let host = reason.firstMatch(of: /connect to (\S+) port [0-9]+/).map { String($0.1) }
    return host.flatMap { host in proxies.contains { $0.contains(host) } ? host : nil }
  }

  private static var proxies: [String] {
    ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].compactMap {
      ProcessEnvironment.value(of: $0)
    }
  }

  /// Curl's exit codes for a connection that cannot be encrypted or verified.
  private static let codesOfTLS: [Int32] = [
    35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98,
  ]
}

/// An error that reports that the program `curl` is missing.
struct MissingCurl: MissingPrecondition, Hashable, CustomStringConvertible {
  /// The error message: the problem and its fix.
  var description: String {
    ProgramSearch.isPrivileged
      ? "there is no program \"curl\" in the directories for root, \(ProgramSearch.helperPath()): install curl"
      : "there is no program \"curl\" in PATH to send the request: install curl, or add its directory to PATH"
  }
}
