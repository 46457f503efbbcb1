import AppBoot

/// Process text with the placeholders `{env.NAME}`, `{launch.NAME}` and `{step.ID.output}`. Other braces stay.
enum ProcessText {
  /// A placeholder, by the name between its braces.
  private struct Placeholder {
    let name: String

    var variable: String? { rest("env.") }
    var launch: String? { rest("launch.") }

    /// The id of the step whose output it inserts.
    var step: String? {
      guard let name = rest("step."), name.hasSuffix(".output") else { return nil }
      let id = name.dropLast(".output".count)
      return id.isEmpty ? nil : String(id)
    }

    private func rest(_ prefix: String) -> String? {
      name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }
  }

  private static let openings = ["{env.", "{launch.", "{step."].map { Array($0.utf8) }
  private static let launchNames = ["id", "reason", "url", "payload"]

  /// Returns the mistakes in a text's placeholders, and the outputs that the text inserts.
  static func check(_ text: String) -> (problems: [String], outputs: [(value: String, text: String)]) {
    var problems: [String] = []
    var outputs: [(value: String, text: String)] = []
    var rest = text[...]
    while let (_, placeholder, after) = first(in: rest) {
      rest = after
      let shown = "{\(placeholder.name)}"
      if let name = placeholder.launch {
        if !launchNames.contains(name) {
          let names = launchNames.map { "{launch.\($0)}" }.joined(separator: ", ")
          problems.append("unknown placeholder \(shown): the placeholders of the launch are \(names)")
        }
      } else if let step = placeholder.step {
        outputs.append((ContextKey<String>.output(ofStep: step).name, shown))
      } else if placeholder.variable == nil {
        problems.append("unknown placeholder \(shown): write {step.ID.output} for the output of a step")
      }
    }
    return (problems, outputs)
  }

  /// Returns the text with the values of its placeholders.
  ///
  /// - Throws: `PlaceholderError` for a placeholder without a value.
  static func value(of text: String, in context: LaunchContext) throws(PlaceholderError) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var result = ""
    var rest = text[...]
    while let (before, placeholder, after) = first(in: rest) {
      result += before
      result += try value(of: placeholder, in: context)
      rest = after
    }
    return result + rest
  }

  private static func value(
    of placeholder: Placeholder, in context: LaunchContext
  ) throws(PlaceholderError) -> String {
    if let name = placeholder.variable {
      guard let value = context.environment(name) else { throw .variableNotSet(name) }
      return value
    }
    if let step = placeholder.step {
      guard let output = context.text(of: ContextKey<String>.output(ofStep: step).name) else {
        throw .noOutput(step)
      }
      guard !output.utf8.contains(0) else { throw .zeroByte(step) }
      return output
    }
    switch placeholder.launch {
    case "id": return context.launchID
    case "reason": return context.launch.reason.rawValue
    case "url": return context.launch.url ?? ""
    case "payload": return context.launch.payload ?? ""
    default: throw .unknown(placeholder.name, among: launchNames.map { "launch.\($0)" }, open: ["env."])
    }
  }

  private static func first(in text: Substring) -> (Substring, Placeholder, Substring)? {
    var start = text.startIndex
    while let brace = text.utf8[start...].firstIndex(of: UInt8(ascii: "{")) {
      let next = text.utf8.index(after: brace)
      if let opening = openings.first(where: { text.utf8[brace...].starts(with: $0) }) {
        let isEnd: (UInt8) -> Bool = {
          $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "\n")
        }
        if let end = text.utf8[next...].firstIndex(where: isEnd), text.utf8[end] == UInt8(ascii: "}"),
          text.utf8.distance(from: brace, to: end) > opening.count
        {
          let name = Placeholder(name: String(text[next..<end]))
          return (text[..<brace], name, text[text.utf8.index(after: end)...])
        }
      }
      start = next
    }
    return nil
  }
}

extension ParameterValidation {
  /// Rejects wrong placeholders in the texts of a process, and declares the outputs that they need.
  mutating func checkProcess(_ arguments: [String], _ directory: String?, _ environment: [String: String]) {
    for (index, argument) in arguments.enumerated() {
      let (problems, outputs) = ProcessText.check(argument)
      for problem in problems { reject(problem, at: "arguments", .index(index)) }
      for output in outputs { require(output.value, for: output.text, at: "arguments", .index(index)) }
    }
    let (problems, outputs) = ProcessText.check(directory ?? "")
    for problem in problems { reject(problem, at: "directory") }
    for output in outputs { require(output.value, for: output.text, at: "directory") }
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
      let (problems, outputs) = ProcessText.check(value)
      for problem in problems { reject(problem, at: "environment", .key(name)) }
      for output in outputs { require(output.value, for: output.text, at: "environment", .key(name)) }
    }
  }
}
