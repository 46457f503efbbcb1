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

extension Secret: ParameterValue {
  /// A string. In messages about the manifest it is `***`.
  public static var parameterType: ParameterType<Secret> {
    ParameterType(.secret, placeholder: Secret("")) { json, reader in
      // A value of the wrong kind is hidden too.
      reader.environment?.learnSecret(in: json)
      guard let text = reader.text(json) else { return nil }
      reader.environment?.learnSecret(text)
      return Secret(text)
    }
  }
}
