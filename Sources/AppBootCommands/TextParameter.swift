import AppBoot

/// A text in a manifest that may hold placeholders.
enum TextParameter {
  /// A text that is not empty and has no zero byte, which would end it in a system call.
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

  /// Returns whether a text has no placeholders, and thus the same value in every launch.
  static func isFixed(_ text: String) -> Bool { (try? Template(text).placeholders.isEmpty) ?? false }

  /// Returns the names of the variables in the placeholders `{env.NAME}` of texts.
  static func variables(in texts: some Sequence<String>) -> [String] {
    texts.flatMap { text in
      ((try? Template(text).placeholders) ?? []).compactMap { placeholder in
        placeholder.hasPrefix("env.") ? String(placeholder.dropFirst("env.".count)) : nil
      }
    }
  }

  /// Returns the text with each `{env.NAME}` replaced by the value of the environment variable.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set.
  static func value(of text: String, in context: LaunchContext) throws -> String {
    try Template(text).filled(Placeholders(environment: context.environment).value)
  }

  /// Returns a program's argument with each `{env.NAME}` replaced by its value. All other braces stay as they are.
  ///
  /// - Parameter encode: Converts a variable's value to its form in the argument.
  /// - Throws: `PlaceholderError` for a variable that is not set.
  static func argument(
    _ text: String, in context: LaunchContext, encode: (String) -> String = { $0 }
  ) throws(PlaceholderError) -> String {
    var result = ""
    var rest = text[...]
    while let (before, name, after) = firstVariable(in: rest) {
      guard let value = context.environment(name) else { throw .variableNotSet(name) }
      result += before + encode(value)
      rest = after
    }
    return result + rest
  }

  private static func firstVariable(in text: Substring) -> (Substring, String, Substring)? {
    let opening = Array("{env.".utf8)
    var start = text.startIndex
    while let brace = text.utf8[start...].firstIndex(of: UInt8(ascii: "{")) {
      let inside = text.utf8[brace...].dropFirst(opening.count)
      let name = inside.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "{") }
      if text.utf8[brace...].starts(with: opening), !name.isEmpty, name.endIndex < text.endIndex,
        text.utf8[name.endIndex] == UInt8(ascii: "}")
      {
        return (text[..<brace], String(Substring(name)), text[text.utf8.index(after: name.endIndex)...])
      }
      start = text.utf8.index(after: brace)
    }
    return nil
  }
}
