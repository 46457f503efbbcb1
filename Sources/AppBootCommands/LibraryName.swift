public import AppBoot

/// The file name of a shared library: the same everywhere, or one per platform.
public enum LibraryName: Sendable, Hashable {
  /// One name for every platform.
  case everywhere(String)
  /// A name per platform, by the platform's name in manifests (`linux`, `macos`, …).
  case perPlatform([String: String])

  /// The platforms that a name may be given for.
  public static let platforms = ["linux", "macos", "ios", "tvos", "watchos", "visionos"]

  /// The name on a platform; `nil` where it has none.
  public func name(on platform: String) -> String? {
    switch self {
    case .everywhere(let name): name
    case .perPlatform(let names): names[platform]
    }
  }
}

extension LibraryName: Decodable, ParameterSchemaProviding {
  /// A string, or an object with a string for each platform.
  public static var parameterSchema: ParameterSchema {
    .anyOf([
      .nonEmpty(.string),
      .nonEmpty(
        .object(platforms.map { ParameterField(name: $0, schema: .nonEmpty(.string), isRequired: false) })),
    ])
  }

  /// Reads a string or an object, and checks that it names something.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    guard ParameterReader.isObject(decoder) else {
      let name = try decoder.singleValueContainer().decode(String.self)
      if name.isEmpty { throw Self.nameless(decoder) }
      self = .everywhere(name)
      return
    }
    var names: [String: String] = [:]
    try ParameterReader.read(decoder) { parameters in
      // Asked for one by one: a key that nobody reads is a mistake, and the schema says so.
      for platform in Self.platforms {
        var name = Parameter<String?>(wrappedValue: nil, platform)
        parameters.read(&name, platform)
        names[platform] = name.wrappedValue
        if name.wrappedValue == "" {
          parameters.refuse(Self.problem, at: ParameterKey(stringValue: platform))
        }
      }
    }
    if names.isEmpty { throw Self.nameless(decoder) }
    self = .perPlatform(names)
  }

  private static let problem =
    "name the shared library's file, such as \"libz.so.1\", or one for each platform"

  private static func nameless(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: problem))
  }
}
