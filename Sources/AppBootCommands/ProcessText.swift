import AppBoot

/// A namespace for texts of processes with the placeholders `{env.NAME}`, `{launch.NAME}` and `{step.ID.output}`.
///
/// All other braces stay as they are.
enum ProcessText {
  private static let scanner = PlaceholderScanner("env.", "launch.", "step.")

  /// The names of the placeholders about the launch.
  private static let launchNames =
    ["launch.id"] + Placeholders.Known.allCases.filter { $0 != .screen }.map(\.rawValue)

  /// Returns the error messages for a text's placeholders, and the outputs of other steps that the text inserts.
  static func check(_ text: String) -> (problems: [String], outputs: [(value: String, text: String)]) {
    var problems: [String] = []
    var outputs: [(value: String, text: String)] = []
    if let variable = PlaceholderScanner.malformed(in: text) {
      problems.append("\"\(variable)\" is not a placeholder: write {env.NAME} for the value of a variable")
    }
    for name in scanner.names(in: text) where !name.hasPrefix("env.") {
      if let step = step(of: name) {
        outputs.append((ContextKey<String>.output(ofStep: step).name, "{\(name)}"))
      } else if name.hasPrefix("step.") {
        problems.append("unknown placeholder {\(name)}: write {step.ID.output} for the output of a step")
      } else if !launchNames.contains(name) {
        let names = launchNames.map { "{\($0)}" }.joined(separator: ", ")
        problems.append("unknown placeholder {\(name)}: the placeholders of the launch are \(names)")
      }
    }
    return (problems, outputs)
  }

  /// Returns the text with each placeholder replaced by its value.
  ///
  /// - Throws: `PlaceholderError` for a placeholder without a value.
  static func value(of text: String, in context: LaunchContext) throws(PlaceholderError) -> String {
    try scanner.filled(text) { name throws(PlaceholderError) in try value(ofPlaceholder: name, in: context) }
  }

  private static func value(
    ofPlaceholder name: String, in context: LaunchContext
  ) throws(PlaceholderError) -> String {
    if let variable = name.dropping(prefix: "env.") { return try context.variable(variable) }
    if let step = step(of: name) {
      guard let output = context.output(ofStep: step) else { throw .noOutput(step) }
      guard !output.utf8.contains(0) else { throw .zeroByte(step) }
      return output
    }
    if name == "launch.id" { return context.launchID }
    guard launchNames.contains(name), let known = Placeholders.Known(rawValue: name) else {
      throw .unknown(name, among: launchNames, open: ["env."])
    }
    return known.value(of: context.launch, screen: "")
  }

  /// Returns the id of the step whose output the placeholder inserts; `nil` for any other placeholder.
  private static func step(of name: String) -> String? {
    guard let name = name.dropping(prefix: "step."), name.hasSuffix(".output") else { return nil }
    let id = name.dropLast(".output".count)
    return id.isEmpty ? nil : String(id)
  }
}

extension ParameterValidation {
  /// Rejects invalid placeholders in a process's arguments. Requires the steps whose output the arguments insert.
  ///
  /// - Parameter isUndo: True for arguments that are used after the step, which can insert the step's own output.
  mutating func checkProcess(_ arguments: [String], at place: Place, isUndo: Bool = false) {
    for (index, argument) in arguments.enumerated() {
      checkProcess(argument, at: [place, .index(index)], isUndo: isUndo)
    }
  }

  /// Rejects invalid placeholders in a text of a process. Requires the steps whose output the text inserts.
  mutating func checkProcess(_ text: String, at places: [Place], isUndo: Bool = false) {
    let (problems, outputs) = ProcessText.check(text)
    for problem in problems { reject(problem, at: places) }
    for output in outputs { require(output.value, for: output.text, at: places, isUndo: isUndo) }
  }
}
