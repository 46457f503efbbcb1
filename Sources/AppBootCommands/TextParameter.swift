import AppBoot

/// A namespace for texts in a manifest that may hold placeholders.
enum TextParameter {
  /// The schema of a text that is not empty and has no zero byte. A system call would end the text at a zero byte.
  static var schema: ParameterSchema { .pattern(#"^(?![\s\S]*\x00)[\s\S]+"#, describedAs: "a string") }

  /// Returns an error message for an invalid text; `nil` if the text is valid.
  static func problem(with text: String) -> String? {
    if text.isEmpty { return "must not be empty" }
    if text.utf8.contains(0) { return "must not contain a zero byte" }
    do {
      // The variables' values come with the launch.
      _ = try Template(text).filled(Placeholders(environment: { _ in "" }).value)
      return nil
    } catch {
      return String(describing: error)
    }
  }

  /// Returns whether a text has no placeholders, and thus the same value in all launches.
  static func isFixed(_ text: String) -> Bool { (try? Template(text).placeholders.isEmpty) ?? false }

  /// Returns the names of the variables in the `{env.NAME}` placeholders of several texts.
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
