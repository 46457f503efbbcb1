/// The environment variables of a plan in code whose values are secret.
///
/// ```swift
/// SecretVariables("DATABASE_URL", matching: "(_KEY|_TOKEN)$")
/// ```
///
/// Output, records and messages of the launch show `***` instead of the values, as with `secrets` and `secretPattern`
/// in a manifest. A plan can have several of these parts.
public struct SecretVariables: Sendable {
  let names: [String]
  let pattern: String?
  let place: CodePlace

  /// Creates the rules for secret variables.
  ///
  /// - Parameters:
  ///   - names: The names of the variables.
  ///   - pattern: An extended regular expression (`grep -E`). Variables with a matching name are secret too.
  public init(
    _ names: String..., matching pattern: String? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    (self.names, self.pattern) = (names, pattern)
    place = CodePlace(fileID: fileID, line: line)
  }
}
