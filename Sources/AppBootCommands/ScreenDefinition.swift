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
package struct ScreenText: Sendable, Hashable, Decodable {
  /// The lines, joined by line feeds.
  package let text: String

  /// Creates a text.
  package init(_ text: String) {
    self.text = text
  }

  /// Decodes a string, or a list of strings that are the lines.
  ///
  /// - Throws: `DecodingError` for any other value.
  package init(from decoder: any Decoder) throws {
    if let lines = try? [String](from: decoder) {
      text = lines.joined(separator: "\n")
    } else {
      text = try String(from: decoder)
    }
  }
}

extension ScreenText: ParameterPlaceholderProviding {
  package static var parameterPlaceholder: ScreenText { ScreenText("") }
}

extension ScreenText: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema { .anyOf([.string, .array(.string)]) }
}
