/// A text that no output shows, for example a token or a password.
///
/// ```swift
/// @Parameter("The token of the provider.") var token: Secret
/// ```
///
/// Only ``reveal()`` returns the text. Everything else shows `***`: printing, interpolation, reflection, errors,
/// records and logs. In the output of a launch, the text is also replaced where it was inserted into another text.
public struct Secret: Sendable, Hashable {
  private let text: String

  /// Creates a secret from its text.
  public init(_ text: String) { self.text = text }

  /// Returns the text of the secret.
  public func reveal() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text `***`.
  public var description: String { "***" }
  /// The text `***`.
  public var debugDescription: String { "***" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: ParameterPlaceholderProviding {
  /// A secret with an empty text.
  public static var parameterPlaceholder: Secret { Secret("") }
}

extension Secret: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema { .secret }
}

extension Secret: Decodable {
  /// Decodes the text. If it is in a manifest, the messages about the manifest show `***` instead.
  ///
  /// - Throws: `DecodingError` if the value is not a string.
  public init(from decoder: any Decoder) throws {
    let manifest = decoder as? ParameterDecoder
    if let manifest, let value = manifest.value { manifest.environment?.learnSecret(in: value) }
    text = try decoder.singleValueContainer().decode(String.self)
    manifest?.environment?.learnSecret(text)
  }
}
