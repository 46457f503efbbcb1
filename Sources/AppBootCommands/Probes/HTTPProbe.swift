import AppBoot

/// A condition that holds if a server answers a request with the expected response.
///
/// A manifest writes it as a URL, or as an object with the URL and the expectations.
struct HTTPProbe: ParameterGroup {
  @Parameter("The http or https URL; may hold {env.NAME}.", schema: HTTPAddress.schema)
  var url: String

  @Parameter(
    "The status of a ready server, or a list of them. Default: 200 to 399.",
    schema: HTTPStatus.oneOrMore)
  var status: OneOrMore<Int>?

  @Parameter(
    "Header fields that the response must have, with these values; they may hold {env.NAME}.",
    schema: .dictionary(HTTPHeader.valueSchema, names: HTTPHeader.nameSchema))
  var headers: [String: String] = [:]

  @Parameter(
    "A text that the first 64 KiB of the response's body contain; may hold {env.NAME}.",
    schema: .optional(TextParameter.schema))
  var body: String?

  init() {}

  /// Creates a condition in code.
  ///
  /// - Parameter status: The statuses that the response may have; empty for 200 to 399.
  init(url: String, status: [Int] = [], headers: [String: String] = [:], body: String? = nil) {
    (self.url, self.headers, self.body) = (url, headers, body)
    if !status.isEmpty { self.status = OneOrMore(status) }
  }

  func validate(_ validation: inout ParameterValidation) {
    validation.checkStatus(status, at: "status")
    validation.checkHeaders(headers, at: "headers")
    if let problem = body.flatMap(TextParameter.problem) { validation.reject(problem, at: "body") }
  }

  /// The names of the variables in the expected header fields. Their values are secret.
  var secretVariables: [String] { TextParameter.variables(in: headers.values) }
}

extension HTTPProbe {
  /// An object, or the URL.
  static var parameterType: ParameterType<HTTPProbe> { parameterType(orOnly: "url") }
}
