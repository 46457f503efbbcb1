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

  private enum CodingKeys: CodingKey {
    case title, text, file
  }

  /// Decodes the screen, and checks its text.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _title = try container.decode(Parameter<String?>.self, forKey: .title)
    _text = try container.decode(Parameter<ScreenText?>.self, forKey: .text)
    _file = try container.decode(Parameter<String?>.self, forKey: .file)
    if text != nil, file != nil {
      let problem = "a screen has a \"text\" or a \"file\", not both"
      throw DecodingError.dataCorruptedError(forKey: .file, in: container, debugDescription: problem)
    }
    for (key, template) in [(CodingKeys.title, title), (.text, text?.text)] {
      do throws(TemplateError) {
        if let template { _ = try Template(template) }
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: error.description)
      }
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
