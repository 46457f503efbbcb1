package import AppBoot

/// The content of a screen. Its title and its text may hold `{placeholders}`.
package struct ScreenDefinition: ParameterGroup {
  /// The heading; `nil` to use the screen's name.
  @Parameter("The heading; by default the screen's name. May hold {placeholders}.")
  package var title: String?

  /// The text; `nil` if the screen has none, or if a file has it.
  @Parameter("The text: a string, or a list of lines. May hold {placeholders}.")
  package var text: ScreenText?

  /// The path of a file with the text; `nil` if there is no file.
  @Parameter("A file with the text instead, relative to the manifest's directory.")
  package var file: String?

  /// Creates an empty screen.
  package init() {}

  /// Rejects a screen with both a text and a file, and texts with unmatched or empty braces.
  package func validate(_ validation: inout ParameterValidation) {
    if text != nil, file != nil {
      validation.reject("a screen has a \"text\" or a \"file\", not both", at: "file")
    }
    if file?.utf8.contains(0) == true {
      validation.reject("must not contain a zero byte", at: "file")
    }
    for problem in Template.problems(in: title) { validation.reject(problem.description, at: "title") }
    for problem in Template.problems(in: text?.text) { validation.reject(problem.description, at: "text") }
  }
}

/// A text that a manifest writes as a string or as a list of lines.
package struct ScreenText: Sendable, Hashable {
  /// The lines, joined by line feeds.
  package let text: String

  /// Creates a text.
  package init(_ text: String) {
    self.text = text
  }
}

extension ScreenText: ParameterValue {
  /// A string, or a list of strings that are the lines.
  package static var parameterType: ParameterType<ScreenText> {
    ParameterType(.anyOf([.string, .array(.string)]), placeholder: ScreenText("")) { json, reader in
      let lines = json.kind == .array ? reader.value(json, as: [String].self) : reader.text(json).map { [$0] }
      return lines.map { ScreenText($0.joined(separator: "\n")) }
    }
  }
}
