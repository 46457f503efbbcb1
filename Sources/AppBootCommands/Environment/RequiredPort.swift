package import AppBoot

/// A TCP port that must be free: a number, or a text that may hold `{env.NAME}`.
package struct RequiredPort: Sendable, Hashable {
  let text: String

  /// Returns the port's number, with each `{env.NAME}` replaced by the variable's value.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set; ``PortError`` if the result is not a port.
  func number(in context: LaunchContext) throws -> UInt16 {
    guard let number = HostPort.port(try TextParameter.value(of: text, in: context)) else {
      throw PortError(text: text)
    }
    return number
  }
}

extension RequiredPort: ParameterValue {
  /// A port, or a text that may hold `{env.NAME}`.
  package static var parameterType: ParameterType<RequiredPort> {
    let text = ParameterSchema.pattern(
      #"^([0-9]{1,5}|[\s\S]*\{env\.[\s\S]*)$"#, describedAs: "a text, for example \"{env.PORT}\"")
    return ParameterType(
      .anyOf([.integer(minimum: 1, maximum: 65535), text]), placeholder: RequiredPort(text: "")
    ) { json, reader in
      if let number = try? json.integer(as: UInt16.self) {
        return number == 0 ? nil : RequiredPort(text: "\(number)")
      }
      guard let text = reader.text(json) else { return nil }
      return problem(with: text).map { reader.reject($0, json) } ?? RequiredPort(text: text)
    }
  }

  /// Returns the error message for a text; `nil` if it is a port or contains a variable.
  private static func problem(with text: String) -> String? {
    if let problem = TextParameter.problem(with: text) { return problem }
    guard TextParameter.isFixed(text), HostPort.port(text) == nil else { return nil }
    return PortError(text: text).description
  }
}

/// The error for a text that is not a port.
struct PortError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text as written in the manifest, with its placeholders.
  let text: String

  /// The error message: the problem and its fix. It does not show the values of variables.
  var description: String {
    let subject = TextParameter.isFixed(text) ? "\"\(text)\"" : "the value of \"\(text)\""
    return "\(subject) is not a port: give a port from 1 to 65535"
  }
}
