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
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      try Self.check(!name.isEmpty, decoder.codingPath)
      self = .everywhere(name)
      return
    }
    let container = try decoder.container(keyedBy: PlatformKey.self)
    var names: [String: String] = [:]
    // Asked for one by one: a key that nobody reads is a mistake, and the schema says so.
    for platform in Self.platforms {
      let key = PlatformKey(stringValue: platform)
      names[platform] = try container.decodeIfPresent(String.self, forKey: key)
      try Self.check(names[platform]?.isEmpty != true, decoder.codingPath + [key])
    }
    try Self.check(!names.isEmpty, decoder.codingPath)
    self = .perPlatform(names)
  }

  private static func check(_ isNamed: Bool, _ path: [any CodingKey]) throws {
    if isNamed { return }
    let problem = "name the shared library's file, such as \"libz.so.1\", or one for each platform"
    throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: problem))
  }

  private struct PlatformKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
