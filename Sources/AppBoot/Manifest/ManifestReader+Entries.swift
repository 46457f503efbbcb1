import AppBootBase

extension ManifestReader {
  static let entryKeys = [
    "command", "id", "with", "after", "when", "unless", "environment", "timeout", "retry", "onFailure",
    "budget", "comment",
  ]

  /// Reads an entry, which is a command's name or an object. Reports other values.
  ///
  /// An object without a command is reported. It is read as an entry of the command `""`, so that its other mistakes
  /// are found too, and other entries can refer to its id.
  mutating func readEntry(_ value: JSONValue, into entries: inout [ManifestEntry]) {
    switch value.kind {
    case .string: entries.append(ManifestEntry(command: readName(value), range: value.range))
    case .object: readObject(value, into: &entries)
    case .array, .number, .bool, .null:
      report(
        "an entry is a command's name or an object, not \(value.kind)", value.range,
        help: #"write "Appearance", or { "command": "Appearance" }"#)
    }
  }

  private mutating func readObject(_ value: JSONValue, into entries: inout [ManifestEntry]) {
    // In its place from the start: a copy would count all its references.
    entries.append(ManifestEntry(command: "", range: value.range.opening))
    let index = entries.count - 1
    var namesCommand = false
    for (key, member) in value.members {
      // A second one is an error of the text.
      if "command" ~= key {
        if !namesCommand { entries[index].name(readName(member), at: member.range) }
        namesCommand = true
      } else {
        read(key, member, into: &entries[index])
      }
    }
    if !namesCommand {
      report("this entry has no \"command\"", value.range.opening, help: #"add "command": "…""#)
    }
  }

  private mutating func readName(_ value: JSONValue) -> String {
    guard let name = readString(value, "command") else { return "" }
    if name.isEmpty { report("\"command\" must not be empty", value.range) }
    return name
  }

  private mutating func read(_ key: JSONKey, _ value: JSONValue, into entry: inout ManifestEntry) {
    switch key {
    case "id": readID(value, into: &entry)
    case "with": readParameters(value, into: &entry)
    case "after": readAfter(value, into: &entry)
    default:
      var attributes = entry.attributes ?? ManifestEntry.Attributes()
      read(key, value, into: &attributes)
      entry.attributes = attributes
    }
  }

  mutating func read(
    _ key: JSONKey, _ value: JSONValue, into attributes: inout ManifestEntry.Attributes
  ) {
    switch key {
    case "when": attributes.condition = readCondition(value)
    case "unless":
      attributes.unless = readUnless(value)
      attributes.unlessRange = value.range
    case "environment": attributes.variables = readEnvironment(value)
    case "timeout":
      attributes.timeout = readTimeout(value, "timeout")
      attributes.timeoutRange = value.range
    case "retry": attributes.retry = readRetry(value)
    case "onFailure":
      if let policy = readPolicy(value) { attributes.onFailure = policy }
      attributes.policyRange = value.range
    case "budget":
      attributes.budget = readDuration(value, "budget")
      attributes.budgetRange = value.range
    case "comment": attributes.comment = readString(value, "comment")
    default: checkUnknownAttribute(key.string, key.range)
    }
  }

  /// Reports an unknown key of an entry.
  ///
  /// The help depends on the key: another word for running a program, a parameter at the wrong place, or a mistyped
  /// key.
  private mutating func checkUnknownAttribute(_ name: String, _ range: SourceRange) {
    checkUnknown(name, range, among: Self.entryKeys, of: "an entry") { problem in
      if Synonym.isProgram(name) {
        problem.help = [
          #"a program is run by a command: "command": "RunProcess", "with": { "arguments": [ … ] }"#
        ]
      } else if problem.help.count == 1 {
        problem.help.insert("a parameter of the command is written inside \"with\"", at: 0)
      }
    }
  }

  private mutating func readID(_ value: JSONValue, into entry: inout ManifestEntry) {
    guard let id = readString(value, "id") else { return }
    if id.isEmpty { return report("\"id\" must not be empty", value.range) }
    entry.identify(id, at: value.range)
  }

  private mutating func readParameters(_ value: JSONValue, into entry: inout ManifestEntry) {
    guard value.kind == .object else {
      return report("\"with\" must be an object of parameters, not \(value.kind)", value.range)
    }
    entry.parameters = value
  }

  private mutating func readAfter(_ value: JSONValue, into entry: inout ManifestEntry) {
    guard value.kind == .array else {
      let help =
        value.kind == .string ? "write [\(value.text)]" : "write [] for an entry that waits for nothing"
      report("\"after\" must be a list of ids, not \(value.kind)", value.range, help: help)
      entry.order = .nothing
      return
    }
    entry.order = .listed(value)
    for (index, element) in value.elements.enumerated() where element.kind != .string {
      _ = readString(element, "after[\(index)]")
    }
    checkRepeated(value.elements)
  }

  private mutating func checkRepeated(_ elements: [JSONValue]) {
    var places: [String: SourceRange] = [:]
    for element in elements {
      guard let id = element.string, let first = places.updateValue(element.range, forKey: id) else {
        continue
      }
      places[id] = first
      problems.append(
        Diagnostic.error("\"after\" names \"\(id.excerpt)\" twice", at: element.range)
          .noting("the first time", at: first))
    }
  }

  private mutating func readPolicy(_ value: JSONValue) -> FailurePolicy? {
    let names = FailurePolicy.allCases.map(\.rawValue)
    guard let name = value.string else {
      report("\"onFailure\" must be one of \(names.quotedList), not \(value.kind)", value.range)
      return nil
    }
    if let policy = FailurePolicy(rawValue: name) { return policy }
    problems.append(.notOneOf(names, name, "onFailure", value.range))
    return nil
  }

  private mutating func readRetry(_ value: JSONValue) -> RetryPolicy? {
    guard value.kind == .object else {
      report("\"retry\" must be an object, not \(value.kind)", value.range, help: #"write { "attempts": 3 }"#)
      return nil
    }
    var policy = RetryPolicy(attempts: 1)
    var hasAttempts = false
    for (key, member) in value.members {
      switch key {
      case "attempts":
        hasAttempts = true
        policy.attempts = readAttempts(member)
      case "backoff": policy.backoffTime = readDuration(member, "backoff")?.nanoseconds ?? policy.backoffTime
      case "maximumBackoff":
        policy.maximumBackoffTime =
          readDuration(member, "maximumBackoff")?.nanoseconds ?? policy.maximumBackoffTime
      default:
        checkUnknown(
          key.string, key.range, among: ["attempts", "backoff", "maximumBackoff"], of: "\"retry\"")
      }
    }
    if !hasAttempts {
      report("\"retry\" has no \"attempts\"", value.range, help: #"add "attempts": 3"#)
    }
    return policy
  }

  private mutating func readAttempts(_ value: JSONValue) -> Int {
    if let number = try? value.integer(as: Int.self), (1...1000).contains(number) { return number }
    report("\"attempts\" must be a whole number from 1 to 1000, not \(value.found)", value.range)
    return 1
  }
}

extension SourceRange {
  /// The place of the opening bracket or brace of a container.
  var opening: SourceRange { SourceRange(start: start, end: start + 1) }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 64 bits.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
