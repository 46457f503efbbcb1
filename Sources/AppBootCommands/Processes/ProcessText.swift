import AppBoot

/// A namespace for texts of processes with the placeholders `{env.NAME}`, `{launch.NAME}`, `{step.ID.output}` and
/// `{service.ID.port}`.
///
/// All other braces stay as they are.
enum ProcessText {
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
    let names = PlaceholderScanner.ofProcesses.names(in: text)
    for name in names where !name.hasPrefix("env.") && !name.hasPrefix("service.") {
      if let step = ContextKey<String>.step(ofOutput: name) {
        outputs.append((ContextKey<String>.output(ofStep: step).name, "{\(name)}"))
      } else if name.hasPrefix("step.") {
        problems.append("unknown placeholder {\(name)}: write {step.ID.output} for the output of a step")
      } else if !launchNames.contains(name) {
        let known = launchNames.map { "{\($0)}" }.joined(separator: ", ")
        problems.append("unknown placeholder {\(name)}: the placeholders of the launch are \(known)")
      }
    }
    return (problems, outputs)
  }

  /// Returns the text with each placeholder replaced by its value.
  ///
  /// - Throws: `PlaceholderError` for a placeholder without a value.
  static func value(of text: String, in context: LaunchContext) throws(PlaceholderError) -> String {
    try PlaceholderScanner.ofProcesses.filled(text) { name throws(PlaceholderError) in
      try value(ofPlaceholder: name, in: context)
    }
  }

  private static func value(
    ofPlaceholder name: String, in context: LaunchContext
  ) throws(PlaceholderError) -> String {
    if let variable = name.dropping(prefix: "env.") { return try context.variable(variable) }
    if name.hasPrefix("service.") { return try context.port(ofPlaceholder: name) }
    if let step = ContextKey<String>.step(ofOutput: name) {
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
    requireServices(in: text, at: places)
    for output in outputs { require(output.value, for: output.text, at: places, isUndo: isUndo) }
  }
}

/// A namespace for texts in a manifest that may hold placeholders.
enum TextParameter {
  /// The schema of a text that is not empty and has no zero byte. A system call would end the text at a zero byte.
  static var schema: ParameterSchema { .pattern(#"^(?![\s\S]*\x00)[\s\S]+"#, describedAs: "a string") }

  /// Returns an error message for an invalid text; `nil` if the text is valid.
  static func problem(with text: String) -> String? { problem(with: text, hasPorts: false) }

  /// Returns an error message for an invalid text; `nil` if the text is valid.
  ///
  /// - Parameter hasPorts: True for a text of a service, which may hold `{port}`.
  static func problem(with text: String, hasPorts: Bool) -> String? {
    if text.isEmpty { return "must not be empty" }
    if text.utf8.contains(0) { return "must not contain a zero byte" }
    do {
      // The variables' values come with the launch.
      let values = hasPorts ? PortNumbers.placeholders(in: text) : [:]
      _ = try Template(text).filled(Placeholders(values: values, environment: { _ in "" }).value)
      return nil
    } catch {
      return String(describing: error)
    }
  }

  /// Returns whether a text has no placeholders, and thus the same value in all launches.
  static func isFixed(_ text: String) -> Bool { (try? Template(text).placeholders.isEmpty) ?? false }

  /// Returns the `{env.NAME}` placeholders of several texts, each without `env.`.
  static func variables(in texts: some Sequence<String>) -> [String] {
    texts.flatMap { text in
      ((try? Template(text).placeholders) ?? []).compactMap { placeholder in
        placeholder.dropping(prefix: "env.")
      }
    }
  }

  /// Returns the text with each `{env.NAME}` replaced by the value of the environment variable.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set.
  static func value(of text: String, in context: LaunchContext) throws -> String {
    try Template(text).filled(Placeholders(of: context, providesValues: false).value)
  }

  /// Returns a program's argument with each `{env.NAME}` replaced by the variable's value. Other braces stay as they
  /// are.
  ///
  /// - Parameter encode: A function that converts a variable's value to its form in the argument.
  /// - Throws: `PlaceholderError` for a variable that is not set.
  static func argument(
    _ text: String, in context: LaunchContext, encode: (String) -> String = { $0 }
  ) throws(PlaceholderError) -> String {
    try variables.filled(text) { name throws(PlaceholderError) in
      encode(try context.variable(String(name.dropFirst("env.".count))))
    }
  }

  private static let variables = PlaceholderScanner("env.")
}
