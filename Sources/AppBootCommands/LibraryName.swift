package import AppBoot

/// The file names of a shared library by platform.
package struct LibraryName: Sendable, Hashable {
  /// The names by platform. The keys are the names of platforms in manifests (`linux`, `macos`, …).
  package let names: [String: String]
}

extension LibraryName: ParameterValue {
  /// A string for all platforms, or an object with a string for each platform.
  package static var parameterType: ParameterType<LibraryName> {
    ParameterType(
      .anyOf([.nonEmpty(.string), .nonEmpty(.object(fields))]), placeholder: LibraryName(names: [:])
    ) { json, reader in
      if json.kind == .object {
        let before = reader.mistakeCount
        guard let names = reader.value(json, as: PlatformNames.self)?.names, reader.mistakeCount == before
        else { return nil }
        return names.isEmpty ? reader.reject(PlatformNames.problem, json) : LibraryName(names: names)
      }
      guard let name = reader.text(json) else { return nil }
      let names = LaunchCondition.platforms.map { ($0, name) }
      return name.isEmpty
        ? reader.reject(PlatformNames.problem, json)
        : LibraryName(names: Dictionary(uniqueKeysWithValues: names))
    }
  }

  private static var fields: [ParameterField] {
    LaunchCondition.platforms.map { ParameterField(name: $0, schema: .nonEmpty(.string), isRequired: false) }
  }
}

/// The parameters of an object with a file name for each platform.
private struct PlatformNames: ParameterGroup {
  @Parameter("") var linux: String?
  @Parameter("") var macos: String?
  @Parameter("") var ios: String?
  @Parameter("") var tvos: String?
  @Parameter("") var watchos: String?
  @Parameter("") var visionos: String?

  static let problem =
    "name the shared library's file, such as \"libz.so.1\", or one for each platform"

  /// The file names that the object has, by platform.
  var names: [String: String] {
    var names: [String: String] = [:]
    for (platform, name) in zip(LaunchCondition.platforms, [linux, macos, ios, tvos, watchos, visionos]) {
      names[platform] = name
    }
    return names
  }

  func validate(_ validation: inout ParameterValidation) {
    for (platform, name) in names where name.isEmpty { validation.reject(Self.problem, at: .key(platform)) }
  }
}
