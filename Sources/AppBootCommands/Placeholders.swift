import AppBoot

/// The values that a template's placeholders take: ones given by name, and `env.NAME` from the environment.
struct Placeholders {
  var values: [String: String] = [:]
  let environment: (String) -> String?

  /// The value of a placeholder.
  func value(of name: String) throws(PlaceholderError) -> String {
    if let value = values[name] { return value }
    guard name.hasPrefix("env.") else {
      let known = values.keys.sorted()
      throw .unknown(name, suggestion: ClosestName.to(name, among: known), known: known + ["env.NAME"])
    }
    let variable = String(name.dropFirst("env.".count))
    guard let value = environment(variable) else { throw .variableNotSet(variable) }
    return value
  }
}

/// A placeholder that has no value.
public enum PlaceholderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nothing is known by this name.
  case unknown(String, suggestion: String?, known: [String])
  /// The environment variable of `{env.NAME}` is not set.
  case variableNotSet(String)

  /// Which placeholder, and what there is instead.
  public var description: String {
    switch self {
    case .unknown(let name, let suggestion, let known):
      let list = "known are \(known.map { "{\($0)}" }.joined(separator: ", "))"
      let hint = suggestion.map { "did you mean {\($0)}? " } ?? ""
      return "unknown placeholder {\(name)}: \(hint)\(list)"
    case .variableNotSet(let name):
      return "the placeholder {env.\(name)} has no value: the environment variable \(name) is not set"
    }
  }
}
