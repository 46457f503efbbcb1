public import AppBoot

/// What a screen of the manifest shows; title and text may hold `{placeholders}`.
public struct ScreenDefinition: ParameterGroup {
  /// The heading; `nil` for the screen's name.
  @Parameter("The heading; the screen's name where it is left out. May hold {placeholders}.")
  public var title: String?

  /// The text.
  @Parameter("The text: a string, or a list of lines. May hold {placeholders}.")
  public var text: ScreenText?

  /// A file with the text.
  @Parameter("A file with the text instead, relative to the manifest's directory.")
  public var file: String?

  /// Creates an empty screen.
  public init() {}

  /// Decodes the screen, and checks its text.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try ParameterReader.read(decoder) { parameters in
      parameters.read(&_title, "title")
      parameters.read(&_text, "text")
      parameters.read(&_file, "file")
      if text != nil, file != nil {
        parameters.refuse("a screen has a \"text\" or a \"file\", not both", at: "file")
      }
      if file?.utf8.contains(0) == true {
        parameters.refuse("no file's name holds a zero byte", at: "file")
      }
      for problem in Template.problems(in: title) { parameters.refuse(problem.description, at: "title") }
      for problem in Template.problems(in: text?.text) { parameters.refuse(problem.description, at: "text") }
    }
  }
}

/// A text that a manifest writes as a string or as a list of lines.
public struct ScreenText: Sendable, Hashable, Decodable, ParameterSchemaProviding {
  /// The lines, with line feeds between them.
  public let text: String

  /// A text.
  public init(_ text: String) {
    self.text = text
  }

  /// A string, or a list of strings.
  public static var parameterSchema: ParameterSchema { .anyOf([.string, .array(.string)]) }

  /// Reads a string or a list of strings.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    if let lines = try? [String](from: decoder) {
      text = lines.joined(separator: "\n")
    } else {
      text = try String(from: decoder)
    }
  }
}
