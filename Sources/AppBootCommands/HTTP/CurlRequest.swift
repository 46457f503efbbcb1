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
    lines.append(Self.option("url", url))
    lines.append(Self.option("proto", "=http,https"))
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
    return ProcessRequest(
      arguments, environment: variables, captureOutput: true, standardInput: Array(configuration.utf8))
  }

  /// Returns a process request that posts a file of JSON with curl. ``status(in:)`` reads its output.
  package static func post(
    _ file: String, to url: String, headers: [(name: String, value: String)], timeout: Duration
  ) -> ProcessRequest {
    let request = CurlRequest(
      method: "POST", url: url, headers: [("Content-Type", "application/json")] + headers, body: .file(file),
      timeout: timeout)
    return ProcessRequest(
      arguments, captureOutput: true, standardInput: Array(request.configuration.utf8))
  }

  /// Returns the status of the response in the output of curl; `nil` without a response.
  package static func status(in output: String) -> Int? { CurlResponse(output: output)?.status }

  /// Throws ``MissingCurl`` if the program `curl` is not in `PATH`.
  static func checkProgram(in context: LaunchContext) throws(MissingCurl) {
    do throws(SpawnError) {
      try ProgramSearch.check("curl", searchPath: context.environment("PATH"), from: ".")
    } catch .programNotFound {
      throw MissingCurl()
    } catch {
      // Starting curl will fail and report the reason.
    }
  }

  /// Returns a configuration with which `curl` fetches a URL, and prints the response with its header fields.
  static func configuration(fetching url: String) -> String {
    let options = [option("url", url), option("proto", "=http,https"), option("max-time", "10")]
    return (["silent", "show-error", "globoff", "include", "suppress-connect-headers"] + options)
      .joined(separator: "\n") + "\n"
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
