package import AppBoot

/// A TCP port that must be free: a number, or a text that may hold `{env.NAME}`.
package enum RequiredPort: Sendable, Hashable {
  case number(UInt16)
  case text(String)

  static let advice = "give a port from 1 to 65535"

  /// Returns the port's number, with each `{env.NAME}` replaced by the variable's value.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set; ``PortError`` if the result is not a port.
  func number(in context: LaunchContext) throws -> UInt16 {
    switch self {
    case .number(let number): return number
    case .text(let text):
      guard let number = HostPort.port(try TextParameter.value(of: text, in: context)) else {
        throw PortError(text: text)
      }
      return number
    }
  }
}

extension RequiredPort: ParameterValue {
  /// A port, or a text that may hold `{env.NAME}`.
  package static var parameterType: ParameterType<RequiredPort> {
    let text = ParameterSchema.pattern(
      #"^([0-9]{1,5}|[\s\S]*\{env\.[\s\S]*)$"#, describedAs: "a text, for example \"{env.PORT}\"")
    return ParameterType(
      .anyOf([.integer(minimum: 1, maximum: 65535), text]), placeholder: .number(0)
    ) { json, reader in
      let number = try? json.integer(as: UInt16.self)
      guard let port = number.map(RequiredPort.number) ?? reader.text(json).map(RequiredPort.text) else {
        return nil
      }
      if number == 0 { return nil }
      return port.problem.map { reader.reject($0, json) } ?? port
    }
  }

  /// The error message for the port; `nil` if the port is valid or contains a variable.
  private var problem: String? {
    switch self {
    case .number(let number): return number == 0 ? Self.advice : nil
    case .text(let text):
      if let problem = TextParameter.problem(with: text) { return problem }
      return TextParameter.isFixed(text) && HostPort.port(text) == nil
        ? PortError(text: text).description : nil
    }
  }
}

/// The error for a text that is not a port.
struct PortError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text as written in the manifest, with its placeholders.
  let text: String

  /// The error message: the problem and its fix. It does not show the values of variables.
  var description: String {
    let subject = TextParameter.isFixed(text) ? "\"\(text)\"" : "the value of \"\(text)\""
    return "\(subject) is not a port: \(RequiredPort.advice)"
  }
}
