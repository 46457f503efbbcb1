import AppBoot

/// A condition that holds if a server answers a request with the expected response.
///
/// A manifest writes it as a URL, or as an object with the URL and the expectations.
struct HTTPProbe: Sendable, Hashable {
  /// The http or https URL; may hold `{env.NAME}`.
  var url: String
  /// The statuses that the response may have; empty for 200 to 399.
  var status: [Int] = []
  /// The header fields that the response must have, with their values.
  var headers: [String: String] = [:]
  /// A text that the response's body must contain; `nil` for any body.
  var body: String?
}

extension HTTPProbe {
  /// The names of the variables in the expected header fields. Their values are secret.
  var secretVariables: [String] { TextParameter.variables(in: headers.values) }
}

extension HTTPProbe: ParameterValue {
  /// A URL, or an object with "url", "status", "headers" and "body".
  static var parameterType: ParameterType<HTTPProbe> {
    ParameterType(
      .anyOf([HTTPAddress.schema, HTTPProbeParameters.parameterSchema]), placeholder: HTTPProbe(url: "")
    ) { json, reader in
      guard json.kind == .object else {
        guard let url = reader.text(json) else { return nil }
        return HTTPAddress.problem(with: url).map { reader.reject($0, json) } ?? HTTPProbe(url: url)
      }
      guard let parameters = reader.value(json, as: HTTPProbeParameters.self) else { return nil }
      return HTTPProbe(
        url: parameters.url, status: parameters.status?.values ?? [], headers: parameters.headers,
        body: parameters.body)
    }
  }
}

/// The parameters of an ``HTTPProbe`` that a manifest writes as an object.
private struct HTTPProbeParameters: ParameterGroup {
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

  func validate(_ validation: inout ParameterValidation) {
    if let problem = HTTPAddress.problem(with: url) { validation.reject(problem, at: "url") }
    validation.checkStatus(status, at: "status")
    validation.checkHeaders(headers, at: "headers")
    if let problem = body.flatMap(TextParameter.problem) { validation.reject(problem, at: "body") }
  }
}
