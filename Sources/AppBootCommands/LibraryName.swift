package import AppBoot

/// The file name of a shared library: the same everywhere, or one per platform.
public enum LibraryName: Sendable, Hashable {
  /// The same name on all platforms.
  case everywhere(String)
  /// A name per platform, by the platform's name in manifests (`linux`, `macos`, …).
  case perPlatform([String: String])

  /// The platforms that a name may be given for.
  public static let platforms = ["linux", "macos", "ios", "tvos", "watchos", "visionos"]

  /// Returns the name on a platform; `nil` if it has none.
  public func name(on platform: String) -> String? {
    switch self {
    case .everywhere(let name): name
    case .perPlatform(let names): names[platform]
    }
  }
}

extension LibraryName: Decodable {
  /// Decodes a string, or an object with a string for each platform.
  ///
  /// - Throws: `DecodingError` for any other value, and for an empty one.
  public init(from decoder: any Decoder) throws {
    if let names = try? [String: String](from: decoder).filter({ !$0.key.hasPrefix("x-") }) {
      self = .perPlatform(names)
      if !names.isEmpty, names.allSatisfy({ Self.platforms.contains($0) && !$1.isEmpty }) { return }
    } else {
      let name = try decoder.singleValueContainer().decode(String.self)
      self = .everywhere(name)
      if !name.isEmpty { return }
    }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "name the shared library's file, such as \"libz.so.1\", or one for each platform"))
  }
}

extension LibraryName: ParameterSchemaProviding {
  package static var parameterSchema: ParameterSchema {
    .anyOf([
      .nonEmpty(.string),
      .nonEmpty(
        .object(platforms.map { ParameterField(name: $0, schema: .nonEmpty(.string), isRequired: false) })),
    ])
  }
}
