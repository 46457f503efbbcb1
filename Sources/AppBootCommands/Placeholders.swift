import AppBoot

/// The values that a template's placeholders take: ones given by name, `context.NAME` for what commands
/// provided, and `env.NAME` from the environment.
struct Placeholders {
  var values: [String: String] = [:]
  /// Who knows the values that commands provided; they are written as text when a template asks for them.
  var provided: LaunchContext?
  let environment: (String) -> String?

  /// The value of a placeholder.
  func value(of name: String) throws(PlaceholderError) -> String {
    if let value = values[name] { return value }
    if let name = name.dropping(prefix: "context."), let text = provided?.text(of: name) { return text }
    guard let variable = name.dropping(prefix: "env.") else {
      let known = (values.keys + (provided?.valueNames ?? []).map { "context.\($0)" }).sorted()
      throw .unknown(name, suggestion: ClosestName.to(name, among: known), known: known + ["env.NAME"])
    }
    guard let value = environment(variable) else { throw .variableNotSet(variable) }
    return value
  }
}

extension String {
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
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
