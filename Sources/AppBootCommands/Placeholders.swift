import AppBoot
import AppBootLifecycle

/// The values for a template's placeholders.
///
/// A placeholder is the name of one of ``values``, `context.NAME` for a value that a command provided, `env.NAME`
/// for an environment variable, or `service.ID.port` for the port of a service.
struct Placeholders {
  var values: [String: String] = [:]
  /// The context with the values that commands provided; `nil` to use no provided values.
  var provided: LaunchContext?
  /// Returns the value of an environment variable.
  let variable: (String) throws(PlaceholderError) -> String
  /// Returns the port of a placeholder `service.ID.port`.
  let port: (String) throws(PlaceholderError) -> String

  /// Creates values of a launch.
  ///
  /// - Parameter providesValues: True to use the values that commands provided.
  init(values: [String: String] = [:], of context: LaunchContext, providesValues: Bool = true) {
    (self.values, provided, variable) = (values, providesValues ? context : nil, context.variable)
    port = context.port
  }

  /// Creates values without a launch.
  init(values: [String: String] = [:], environment: @escaping (String) -> String?) {
    self.values = values
    variable = { name throws(PlaceholderError) in
      guard let value = environment(name) else { throw .variableNotSet(name) }
      return value
    }
    port = { _ in "1" }
  }

  /// The placeholders that have a value in all launches.
  enum Known: String, CaseIterable {
    case screen
    case reason = "launch.reason"
    case url = "launch.url"
    case payload = "launch.payload"

    func value(of launch: LaunchOptions, screen: String) -> String {
      switch self {
      case .screen: screen
      case .reason: launch.reason.rawValue
      case .url: launch.url ?? ""
      case .payload: launch.payload ?? ""
      }
    }
  }

  /// The prefixes of placeholders that may get a value only when the launch runs.
  static let open = ["query.", "context.", "env."]

  /// Returns whether the placeholder can have a value even if no route's URL pattern contains it.
  static func mayHaveValue(_ name: String) -> Bool {
    Known(rawValue: name) != nil || open.contains { name.hasPrefix($0) && name != $0 }
  }

  /// Returns the values of the placeholders about the launch and, unless it is `nil`, the screen.
  static func values(of launch: LaunchOptions, screen: String? = nil) -> [String: String] {
    Known.allCases.reduce(into: [:]) { values, known in
      if known != .screen || screen != nil {
        values[known.rawValue] = known.value(of: launch, screen: screen ?? "")
      }
    }
  }

  /// Returns the values of the placeholders about an appearance: its theme and its accent colour.
  static func values(of appearance: WindowAppearance) -> [String: String] {
    ["context.theme": appearance.theme.rawValue, "context.accent": appearance.accent.description]
  }

  /// Returns the name of the context value that a placeholder `context.NAME` needs; `nil` for other placeholders.
  static func contextValue(of name: String) -> String? {
    guard let name = name.dropping(prefix: "context.") else { return nil }
    return ["theme", "accent"].contains(name) ? ContextKey.appearance.name : name
  }

  /// Returns the value of a placeholder.
  ///
  /// - Throws: `PlaceholderError` if the placeholder has no value.
  func value(of name: String) throws(PlaceholderError) -> String {
    if let value = values[name] { return value }
    if name.hasPrefix("service.") { return try port(name) }
    if let name = name.dropping(prefix: "context."), let text = provided?.text(of: name) { return text }
    if let value = Self.contextValue(of: name), let providers = provided?.providers(of: value),
      !providers.isEmpty
    {
      throw .notProvided(String(name.dropFirst("context.".count)), by: providers)
    }
    guard let variableName = name.dropping(prefix: "env.") else {
      let known = (values.keys + (provided?.valueNames ?? []).map { "context.\($0)" }).sorted()
      let error = PlaceholderError.unknown(name, among: known, open: ["env."])
      if case .unknown(_, suggestion: nil, _) = error, provided != nil {
        if let name = name.dropping(prefix: "context.") { throw .notProvided(name, by: []) }
        if let name = name.dropping(prefix: "query.") { throw .notInQuery(name) }
      }
      throw error
    }
    return try variable(variableName)
  }
}

extension LaunchContext {
  /// Returns the value of the environment variable of a placeholder, which is its text after `env.`.
  ///
  /// - Throws: `PlaceholderError` if it is not set, with the closest name of one that is.
  func variable(_ placeholder: String) throws(PlaceholderError) -> String {
    let variable = VariablePlaceholder(placeholder)
    guard let value = variable.value(environment(variable.name)) else {
      throw .variableNotSet(
        variable.name,
        suggestion: ClosestName.to(variable.name, among: session.environment.variableNames(ofStep: step)))
    }
    return value
  }
}

extension String {
  /// Returns the text after a prefix; `nil` if the text does not begin with the prefix.
  func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

/// An error for a placeholder that has no value.
enum PlaceholderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No placeholder has this name. `known` are the names that exist.
  case unknown(String, suggestion: String?, known: NameList)
  /// The placeholder has no value if a certain route shows the screen. `way` describes the route.
  case noValue(String, way: String)
  /// No command has provided the value of `{context.NAME}`. `by` are the steps that declare that they provide it.
  case notProvided(String, by: [String])
  /// The URL's query has no item with the name in `{query.NAME}`.
  case notInQuery(String)
  /// The service of `{service.ID.port}` has no port with the name.
  case noPort(String)
  /// The step of `{step.ID.output}` has provided no output.
  case noOutput(String)
  /// The output of the step has a zero byte. A system call would end the text there.
  case zeroByte(String)
  /// The environment variable of `{env.NAME}` is not set.
  case variableNotSet(String, suggestion: String? = nil)

  /// Returns the error for an unknown placeholder. The error suggests the closest known name.
  static func unknown(_ name: String, among known: [String], open: [String]) -> PlaceholderError {
    unknown(name, among: ClosestName(among: known), open: open)
  }

  /// Returns the error for an unknown placeholder. The error suggests the closest known name.
  static func unknown(_ name: String, among known: ClosestName, open: [String]) -> PlaceholderError {
    // The stock placeholders are few: a list of them is whole.
    var list = known.names.count <= 20 ? NameList(known.names) : known.list(for: name)
    list.names += open.map { "\($0)NAME" }
    return .unknown(name, suggestion: known.match(for: name), known: list)
  }

  /// The error message: the placeholder and its alternatives.
  var description: String {
    switch self {
    case .unknown(let name, let suggestion, let known):
      let list = "the placeholders are \(known.text { "{\($0)}" })"
      let hint = suggestion.map { "did you mean {\($0.excerpt)}? " } ?? ""
      return "unknown placeholder {\(name.excerpt)}: \(hint)\(list)"
    case .noValue(let name, let way):
      return "{\(name)} has no value if \(way): only a URL pattern with {\(name)} provides it"
    case .notProvided(let name, let providers) where !providers.isEmpty:
      // A plan rejects a command that does not come after one of them.
      let names = providers.map { "\"\($0)\"" }.joined(separator: ", ")
      return "the placeholder {context.\(name)} has no value: \(names) did not provide it in this launch; "
        + "add a \"when\" that skips this step then"
    case .notProvided(let name, _) where Placeholders.contextValue(of: "context.\(name)") != name:
      return
        "the placeholder {context.\(name)} has no value: run \(Appearance.name), which provides it, "
        + "before this command"
    case .notProvided(let name, _):
      return
        "the placeholder {context.\(name)} has no value: no command that ran before this one provided \"\(name)\""
    case .notInQuery(let name):
      return
        "the placeholder {query.\(name)} has no value: the launch has no URL with \"\(name)\" in its query"
    case .noPort(let name):
      return "{\(name)} has no value: declare \"port\" or \"ports\" in the entry of that service"
    case .noOutput(let step):
      return
        "{step.\(step).output} has no value: \"\(step)\" did not succeed, was skipped, or printed more than "
        + "\(ProcessOutput.insertedLimit >> 10) KiB"
    case .zeroByte(let step):
      return "{step.\(step).output} cannot be inserted: the output of \"\(step)\" has a zero byte"
    case .variableNotSet(let name, let suggestion):
      return VariableNotSet(name: name, suggestion: suggestion).description
    }
  }
}

extension ParameterValidation {
  /// Declares the context values that the placeholders of a template need. Declares each value once.
  mutating func requireValues(of template: Template, at places: Place...) {
    var needed: Set<String> = []
    for placeholder in template.placeholders {
      guard let value = Placeholders.contextValue(of: placeholder), !value.isEmpty,
        needed.insert(value).inserted
      else { continue }
      require(value, for: "{\(placeholder)}", at: places)
    }
  }
}

/// A text with `{placeholders}`; `{{` and `}}` are literal braces.
struct Template: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case text(String)
    case placeholder(String)
  }

  let parts: [Part]

  // Braces are found as bytes: one with a combining mark behind it is still a brace.
  private static let opening = UInt8(ascii: "{")
  private static let closing = UInt8(ascii: "}")

  /// Parses a text with placeholders.
  ///
  /// - Throws: The first error in the text.
  init(_ text: String) throws(TemplateError) {
    var problems: [TemplateError] = []
    parts = Self.parts(of: text, &problems, atMost: 1)
    if let problem = problems.first { throw problem }
  }

  /// Returns the errors in a template, at most 16 and without duplicates.
  static func problems(in text: String?) -> [TemplateError] {
    var problems: [TemplateError] = []
    if let text { _ = parts(of: text, &problems, atMost: 16) }
    guard problems.count > 1 else { return problems }
    var seen: Set<TemplateError> = []
    return problems.filter { seen.insert($0).inserted }
  }

  /// Parses a text to its end, or until it has `limit` errors. Leaves out braces without a match.
  private static func parts(of text: String, _ problems: inout [TemplateError], atMost limit: Int) -> [Part] {
    var parts: [Part] = []
    var unclosed = 0
    var plain = ""
    var rest = text[...]
    while problems.count < limit,
      let brace = rest.utf8.firstIndex(where: { $0 == opening || $0 == closing })
    {
      plain += String(rest[..<brace])
      let byte = rest.utf8[brace]
      rest = rest[rest.utf8.index(after: brace)...]
      if rest.utf8.first == byte {
        plain += byte == opening ? "{" : "}"
        rest = rest[rest.utf8.index(after: rest.startIndex)...]
      } else if byte == opening {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        do throws(TemplateError) {
          parts.append(.placeholder(try takeName(&rest)))
        } catch {
          problems.append(error)
          if case .unclosed = error { unclosed += 1 }
        }
      } else if unclosed > 0 {
        unclosed -= 1
      } else {
        problems.append(.unopened)
      }
    }
    plain += String(rest)
    return plain.isEmpty ? parts : parts + [.text(plain)]
  }

  /// The names of the placeholders, in order and without duplicates.
  var placeholders: [String] {
    var (names, seen): ([String], Set<String>) = ([], [])
    for case .placeholder(let name) in parts where seen.insert(name).inserted { names.append(name) }
    return names
  }

  private static func takeName(_ rest: inout Substring) throws(TemplateError) -> String {
    let isEnd: (UInt8) -> Bool = { $0 == opening || $0 == closing || $0 == UInt8(ascii: "\n") }
    guard let end = rest.utf8.firstIndex(where: isEnd), rest.utf8[end] == closing else {
      throw .unclosed(String(rest.prefix(40).prefix { !$0.isNewline }))
    }
    let name = String(rest[..<end])
    rest = rest[rest.utf8.index(after: end)...]
    guard !name.isEmpty else { throw .unnamed }
    return name
  }

  /// Returns the text with each placeholder replaced by its value.
  func filled<Failure: Error>(_ value: (String) throws(Failure) -> String) throws(Failure) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let plain): text += plain
      case .placeholder(let name): text += try value(name)
      }
    }
    return text
  }
}

/// An error in the braces of a template.
enum TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A `{` has no `}`. The value is the beginning of the text after the `{`.
  case unclosed(String)
  /// A `}` has no `{`.
  case unopened
  /// A placeholder has no name: `{}`.
  case unnamed

  /// The error message: the problem and its fix.
  var description: String {
    switch self {
    case .unclosed(let text): "\"{\(text)\" has no \"}\": write \"{{\" for the brace itself"
    case .unopened: "a \"}\" has no \"{\": write \"}}\" for the brace itself"
    case .unnamed: "\"{}\" names nothing: write \"{{}}\" for the braces themselves"
    }
  }
}
