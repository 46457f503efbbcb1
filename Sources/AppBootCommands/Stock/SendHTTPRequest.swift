public import AppBoot
import AppBootSystem

/// A command that sends an HTTP request, and checks the response.
public struct SendHTTPRequest: AsyncCommand {
  /// The command's name in a manifest.
  public static let name = "HTTPRequest"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Sends an HTTP request, and checks the response.",
    discussion: """
      The program curl sends an https request, with the machine's proxies and certificates. A plain http request needs \
      no program, except with a proxy (http_proxy, all_proxy) or a file over 16 MiB. URL, headers and body go to curl \
      on its standard input: no argument list contains a secret. { "Authorization": "Bearer {env.TOKEN}" } is a secret \
      from the environment. A failure shows the URL without its query.

      The entry's "timeout" limits the request, and its "retry" repeats it. A redirect is not followed. A response \
      over 1 MiB fails the step.

      A body that is not a text is sent as JSON, with the Content-Type application/json. A text or a file has the \
      Content-Type of "headers", or none. In a body only {env.NAME} is replaced: other braces stay as they are. \
      A file is sent as it is.
      """,
    example: """
      { "command": "HTTPRequest", "retry": 3, "with": { "url": "http://127.0.0.1:8080/health", "expect": 200 } }
      """,
    replacesVariables: false)

  /// The method; `nil` for POST if there is a body or a file, and otherwise for GET.
  @Parameter("The method. Default: GET, or POST if there is a body.")
  public var method: Method?

  /// The http or https URL.
  @Parameter("The http or https URL; may hold {env.NAME}.", schema: HTTPAddress.schema)
  public var url: String

  /// The header fields of the request.
  @Parameter(
    "Header fields of the request, by name; values may hold {env.NAME}.",
    schema: .dictionary(HTTPHeader.valueSchema, names: HTTPHeader.nameSchema))
  public var headers: [String: String] = [:]

  /// The content of the request, as a text or as JSON; `nil` for none.
  @Parameter("The content to send: a text, or any other value as JSON; may hold {env.NAME}.")
  package var body: JSONValue?

  /// The path of a file with the content of the request; `nil` for none.
  @Parameter(
    "A file with the content to send, relative to the manifest's directory.",
    schema: .optional(TextParameter.schema))
  public var file: String?

  /// The response that counts as success.
  @Parameter("The response that counts as success.")
  package var expect = ExpectedResponse()

  /// The maximum size of a response body, in bytes.
  private static let responseLimit = 1 << 20

  /// Creates the command without a URL.
  public init() {}

  /// Creates a request. URL and header fields may hold `{env.NAME}`.
  ///
  /// - Parameters:
  ///   - method: The method; `nil` for POST if there is a file, and otherwise for GET.
  ///   - file: The path of a file with the content of the request; `nil` for none.
  public init(
    _ url: String, method: Method? = nil, headers: [String: String] = [:], file: String? = nil
  ) {
    self.init()
    (self.url, self.method, self.headers, self.file) = (url, method, headers, file)
  }

  /// Rejects an invalid URL, a header field that is invalid or that the command itself sets, a zero byte, and a body
  /// together with a file.
  public func validate(_ validation: inout ParameterValidation) {
    if validation.isReadable("url"), let problem = HTTPAddress.problem(with: url) {
      validation.reject(problem, at: "url")
    }
    validation.requireServices(in: url, at: ["url"])
    validation.checkRequestHeaders(headers, at: "headers")
    if body?.string?.utf8.contains(0) == true {
      validation.reject("must not contain a zero byte", at: "body")
    }
    if let problem = file.flatMap(TextParameter.problem) { validation.reject(problem, at: "file") }
    if body != nil, file != nil {
      validation.reject("give only one of \"body\" and \"file\"", at: "file")
    }
  }

  /// Sends the request.
  ///
  /// - Throws: An error of a placeholder, the request or the response; `CancellationError` if the step was cancelled.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context))
  }
}

extension SendHTTPRequest {
  /// An HTTP method (RFC 9110, 9.3).
  public enum Method: String, CaseIterable, ParameterValue {
    /// Reads a resource.
    case get = "GET"
    /// Reads the header fields of a resource.
    case head = "HEAD"
    /// Sends content for the resource to process.
    case post = "POST"
    /// Replaces a resource.
    case put = "PUT"
    /// Changes a part of a resource.
    case patch = "PATCH"
    /// Deletes a resource.
    case delete = "DELETE"
    /// Reads the methods that a resource allows.
    case options = "OPTIONS"
  }
}

/// The response that counts as success.
package struct ExpectedResponse: ParameterGroup {
  /// The statuses that count as success; `nil` for 200 to 299.
  @Parameter("The status, or a list of them. Default: 200 to 299.", schema: HTTPStatus.oneOrMore)
  package var status: OneOrMore<Int>?

  /// The JSON value that the body must contain; `nil` for any body.
  @Parameter(
    "A JSON value that the body must contain. Objects may have more members; all other values must be equal.")
  package var json: JSONValue?

  /// Creates the expectation of a status from 200 to 299.
  package init() {}

  /// Rejects statuses that HTTP does not have.
  package func validate(_ validation: inout ParameterValidation) {
    validation.checkStatus(status, at: "status")
  }

  /// Returns the error for an unexpected response; `nil` if the response is as expected.
  func problem(with response: CurlResponse, to request: String, hiding secrets: Secrets) -> HTTPRequestError?
  {
    let statuses = status?.values ?? []
    guard statuses.isEmpty ? (200...299).contains(response.status) : statuses.contains(response.status) else {
      return .status(
        request: request, found: response.status, expected: statuses,
        firstLine: response.firstLine(hiding: secrets))
    }
    guard let json else { return nil }
    guard let document = try? JSONDocument(parsing: SourceText(name: "response", text: response.body)) else {
      return .notJSON(
        request: request, status: response.status, firstLine: response.firstLine(hiding: secrets))
    }
    return JSONExpectation(value: json, secrets: secrets).difference(from: document.root)
      .map { .json(request: request, status: response.status, difference: $0) }
  }
}

extension ExpectedResponse {
  /// An object, or the status.
  package static var parameterType: ParameterType<ExpectedResponse> { parameterType(orOnly: "status") }
}

extension SendHTTPRequest: OperationCommand {
  package var secretVariables: [String] { TextParameter.variables(in: headers.values) }

  package func start(in context: LaunchContext) throws -> any PolledOperation {
    let address = try HTTPAddress(parsing: TextParameter.value(of: url, in: context))
    var request = CurlRequest(url: address.url)
    request.method = (method ?? (body == nil && file == nil ? .get : .post)).rawValue
    request.headers = try HTTPHeader.fields(headers, in: context)
    request.responseLimit = Self.responseLimit
    try addBody(to: &request, in: context)
    let target = "\(request.method) \(address.shown)"
    let judge: PlainHTTPOperation.Judge = { [expect] result in
      switch result {
      case .failure(let error): return .failure(error)
      case .success(let response):
        if let problem = expect.problem(with: response, to: target, hiding: context.secrets) {
          return .failure(problem)
        }
        context.note("answered \(response.status)")
        return .success(())
      }
    }
    if !address.isSecure, PlainHTTPOperation.isDirect(in: context), let body = request.body.shortBytes {
      return PlainHTTPOperation(request, to: address, body: body, for: target, judge: judge)
    }
    return try request.start(for: target, in: context, judge: judge)
  }

  private func addBody(to request: inout CurlRequest, in context: LaunchContext) throws {
    if let file {
      let name = try TextParameter.value(of: file, in: context)
      let path = FileSystem.join(context.directory, name)
      guard let kind = FileSystem.kind(of: path) else { throw HTTPRequestError.noFile(name) }
      guard kind == .regular else { throw HTTPRequestError.notAFile(name) }
      request.body = .file(path)
    } else if let text = body?.string {
      request.body = .text(try TextParameter.argument(text, in: context))
    } else if let value = body {
      if !request.hasHeader("Content-Type") {
        request.headers.append((name: "Content-Type", value: "application/json"))
      }
      request.body = .text(try TextParameter.argument(value.text, in: context, encode: Self.escaped))
    }
  }

  /// Returns a variable's value as the content of a JSON string, with escapes and without quotes.
  private static func escaped(_ text: String) -> String {
    String(text.asJSON.dropFirst().dropLast())
  }
}

/// A JSON value that a response must contain.
///
/// An expected object is contained in an object that has all of its members. Further members are allowed. All other
/// values must be equal.
struct JSONExpectation: Sendable {
  let value: JSONValue
  /// The secrets that are masked in messages.
  var secrets = Secrets()

  /// Returns a description of the first difference; `nil` if the response contains the expected value.
  func difference(from response: JSONValue) -> String? { difference(value, response, at: "") }

  private func difference(_ expected: JSONValue, _ found: JSONValue, at path: String) -> String? {
    if expected.kind == .object, found.kind == .object {
      return expected.members.lazy.compactMap { member -> String? in
        let path = path.isEmpty ? member.key.string : "\(path).\(member.key.string)"
        guard let value = found[member.key.string] else { return "without \"\(path)\"" }
        return difference(member.value, value, at: path)
      }.first
    }
    if Self.isEqual(expected, found) { return nil }
    let place = path.isEmpty ? "" : "\"\(path)\": "
    return "with \(place)\(shown(found)), expected \(shown(expected))"
  }

  private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard left.kind == right.kind else { return false }
    return switch left.kind {
    case .null: true
    case .bool: left.bool == right.bool
    case .string: left.string == right.string
    case .number: isSameNumber(left, right)
    case .array:
      left.elements.count == right.elements.count && zip(left.elements, right.elements).allSatisfy(isEqual)
    case .object:
      left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right[member.key.string].map { isEqual(member.value, $0) } ?? false
        }
    }
  }

  /// Returns whether two numbers have the same value, for example `1.0` and `10e-1`, as `Int64` or as `Double`.
  ///
  /// Numbers beyond the range of `Double` are equal only if their texts are.
  private static func isSameNumber(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if left.text == right.text { return true }
    if let left = Int64(left.text), let right = Int64(right.text) { return left == right }
    guard let left = try? left.double(), let right = try? right.double() else { return false }
    return left == right
  }

  /// Returns the JSON of a value for a message: on one line, shortened, and with secrets masked.
  private func shown(_ value: JSONValue) -> String {
    // Masked before the cut, because a part of a secret would not be recognized.
    let text = String(secrets.masking(value.text).map { $0.isNewline ? " " : $0 })
    return text.count > 80 ? "\(text.prefix(79))…" : text
  }
}

/// An error of an HTTP request. `request` is the method and the URL without its query.
enum HTTPRequestError: Error, Sendable, Hashable {
  /// The response has an unexpected status. `firstLine` is the first line of its body.
  case status(request: String, found: Int, expected: [Int], firstLine: String)
  /// The response's body is not JSON. `firstLine` is its first line.
  case notJSON(request: String, status: Int, firstLine: String)
  /// The response does not contain the expected JSON value. `difference` describes the first difference.
  case json(request: String, status: Int, difference: String)
  /// The file with the request's body does not exist.
  case noFile(String)
  /// The path of the request's body is that of a directory, a pipe or a device.
  case notAFile(String)
}

extension HTTPRequestError: CustomStringConvertible {
  /// The error message: the request, the response and the expectation.
  var description: String {
    switch self {
    case .status(let request, let found, let expected, let firstLine):
      "\(request) answered \(found)" + Self.expectation(expected, found)
        + (firstLine.isEmpty ? "" : ": \(firstLine)")
    case .notJSON(let request, let status, let firstLine):
      "\(request) answered \(status), but the body is not JSON" + (firstLine.isEmpty ? "" : ": \(firstLine)")
    case .json(let request, let status, let difference): "\(request) answered \(status) \(difference)"
    case .noFile(let path):
      "there is no file \"\(path)\" to send"
        + (path.hasPrefix("/") ? "" : ": a path is relative to the manifest's directory")
    case .notAFile(let path): "cannot send \"\(path)\": only a regular file can be sent"
    }
  }

  private static func expectation(_ expected: [Int], _ found: Int) -> String {
    guard expected.isEmpty else { return ", expected \(expected.map(String.init).joined(separator: " or "))" }
    return (300...399).contains(found) ? ", a redirect, which is not followed" : ""
  }
}
