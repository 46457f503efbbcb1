extension ManifestReader {
  static let conditionKeys = [
    "platform", "environment", "launch", "firstLaunch", "launchCount", "upgrade", "all", "any", "not",
  ]
  package static let platforms = ["linux", "macos", "ios", "tvos", "watchos", "visionos"]

  /// Reads `when`: an object whose conditions must all hold. Reports any other value, and returns `nil`.
  mutating func readCondition(_ value: JSONValue) -> LaunchCondition? {
    guard value.kind == .object else {
      report(
        "a condition is an object, not \(value.kind)", value.range, help: #"write { "platform": "linux" }"#)
      return nil
    }
    var parts: [LaunchCondition] = []
    for (key, member) in value.members {
      if let part = readCondition(key, member) { parts.append(part) }
    }
    if parts.count == 1 { return parts[0] }
    return .all(parts)
  }

  private mutating func readCondition(_ key: JSONKey, _ value: JSONValue) -> LaunchCondition? {
    switch key {
    case "platform": return readNames(value, "platform", among: Self.platforms).map { .platform($0) }
    case "environment": return readEnvironment(value)
    case "launch":
      return readNames(value, "launch", among: LaunchReason.allCases.map(\.rawValue))
        .map { .launch($0.compactMap(LaunchReason.init(rawValue:))) }
    case "firstLaunch": return readFlag(value, "firstLaunch").map { .firstLaunch($0) }
    case "launchCount":
      needRecordedLaunches(key)
      return readCounts(value, "launchCount").map { .launchCount($0) }
    case "upgrade":
      needRecordedLaunches(key)
      return readFlag(value, "upgrade").map { .upgrade($0) }
    case "all": return readConditions(value, "all").map { .all($0) }
    case "any": return readConditions(value, "any").map { .any($0) }
    case "not": return readCondition(value).map { .not($0) }
    default:
      checkUnknown(key.string, key.range, among: Self.conditionKeys, of: "a condition")
      return nil
    }
  }

  private mutating func needRecordedLaunches(_ key: JSONKey) {
    manifest.recordedLaunches = manifest.recordedLaunches ?? (key.string, key.range)
  }

  private mutating func readFlag(_ value: JSONValue, _ key: String) -> Bool? {
    if let flag = value.bool { return flag }
    report("\"\(key)\" must be true or false, not \(value.kind)", value.range)
    return nil
  }

  /// Reads a whole number from 1, or a list of them. Reports other values, and leaves them out.
  private mutating func readCounts(_ value: JSONValue, _ key: String) -> [Int]? {
    let elements = value.kind == .array ? Array(value.elements) : [value]
    if elements.isEmpty { report("\"\(key)\" must have at least one number", value.range) }
    return elements.compactMap { element in
      if let number = try? element.integer(as: Int.self), number > 0 { return number }
      report(
        "\"\(key)\" must be a whole number from 1, or a list of them, not \(element.found)", element.range)
      return nil
    }
  }

  private mutating func readConditions(_ value: JSONValue, _ key: String) -> [LaunchCondition]? {
    guard value.kind == .array, !value.elements.isEmpty else {
      report("\"\(key)\" must be a list of at least one condition", value.range)
      return nil
    }
    return value.elements.compactMap { readCondition($0) }
  }

  /// Reads one of the permitted names, or a list of them. Reports other values, and leaves them out.
  private mutating func readNames(_ value: JSONValue, _ key: String, among names: [String]) -> [String]? {
    let elements = value.kind == .array ? Array(value.elements) : [value]
    if elements.isEmpty { report("\"\(key)\" must name at least one", value.range) }
    var found: [String] = []
    for element in elements {
      guard let name = element.string else {
        report("\"\(key)\" must be a name or a list of names, not \(element.kind)", element.range)
        continue
      }
      if names.contains(name) {
        found.append(name)
      } else {
        problems.append(.notOneOf(names, name, key, element.range))
      }
    }
    return found
  }

  /// Reads a condition on environment variables: a name, or an object of names and values.
  ///
  /// `"CI"` holds if the variable is set and not empty, `{ "CI": "true" }` if it has that value. Reports any other
  /// value, and returns `nil`. Reports a value in the object that is not a string, and leaves it out.
  private mutating func readEnvironment(_ value: JSONValue) -> LaunchCondition? {
    if let name = value.string, !name.isEmpty { return .environment(name, equals: nil) }
    guard value.kind == .object, !value.members.isEmpty else {
      report(
        "\"environment\" must be a variable's name or an object of names and values", value.range,
        help: #"write "CI", or { "CI": "true" }"#)
      return nil
    }
    var parts: [LaunchCondition] = []
    for (key, member) in value.members where !key.hasPrefix("x-") {
      if let text = readString(member, key.string) { parts.append(.environment(key.string, equals: text)) }
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }
}
