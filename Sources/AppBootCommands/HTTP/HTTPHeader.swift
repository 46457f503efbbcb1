import AppBoot

/// A namespace for the header fields of HTTP requests in a manifest (RFC 9110, 5).
enum HTTPHeader {
  /// The schema of a header field's name.
  static var nameSchema: ParameterSchema {
    .pattern(#"^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$"#, describedAs: "a header's name")
  }

  /// The schema of a header field's value.
  static var valueSchema: ParameterSchema {
    .pattern(#"^(?![\s\S]*[\x00-\x08\x0A-\x1F\x7F])"#, describedAs: "a string")
  }

  /// The header fields that follow from the body and from the connection, in lower case.
  static let ofMessage = ["connection", "content-length", "transfer-encoding"]

  /// Returns an error message for an invalid header field in a manifest; `nil` if it is valid.
  ///
  /// - Parameter template: The field's value, which may hold placeholders.
  static func problem(with name: String, _ template: String) -> String? {
    if !isValid(name, template) { return HeaderError(name: name).description }
    return template.isEmpty ? nil : TextParameter.problem(with: template)
  }

  /// Returns the header fields with their placeholders `{env.NAME}` replaced by the variables' values.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set; `HeaderError` for a value that HTTP does not allow.
  static func fields(
    _ headers: [String: String], in context: LaunchContext
  ) throws -> [(name: String, value: String)] {
    try headers.sorted { $0.key < $1.key }.map { name, template in
      let value = try TextParameter.value(of: template, in: context)
      guard isValid(name, value) else { throw HeaderError(name: name) }
      return (name: name, value: value)
    }
  }

  /// Returns true if the name is a token (RFC 9110, 5.1) and the value has no control characters (5.5).
  static func isValid(_ name: String, _ value: String) -> Bool {
    let isToken = name.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
    }
    return !name.isEmpty && isToken && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}

extension ParameterValidation {
  /// Rejects header fields of a parameter that are invalid in HTTP. Each error is reported at its field.
  mutating func checkHeaders(_ headers: [String: String], at place: Place) {
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      if let problem = HTTPHeader.problem(with: name, value) { reject(problem, at: place, .key(name)) }
    }
  }

  /// Rejects header fields of a request that are invalid in HTTP, or that follow from its body and its connection.
  mutating func checkRequestHeaders(_ headers: [String: String], at place: Place) {
    checkHeaders(headers, at: place)
    for name in headers.keys.sorted() where HTTPHeader.ofMessage.contains(name.lowercased()) {
      reject("this header follows from the body and the connection: remove it", at: place, .key(name))
    }
  }
}

/// An error for a header field whose name or value HTTP does not allow. It does not show the value.
struct HeaderError: Error, Sendable, Hashable, CustomStringConvertible {
  let name: String

  var description: String {
    "the header \"\(name)\" is not allowed in HTTP: a name is letters, digits and any of !#$%&'*+-.^_`|~, "
      + "and a value is one line without control characters"
  }
}
