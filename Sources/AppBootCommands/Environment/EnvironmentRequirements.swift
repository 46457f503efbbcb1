package import AppBoot
import AppBootSystem

/// A program that `CheckEnvironment` looks for.
package struct RequiredProgram: ParameterGroup {
  /// The program's name, or its path if it contains a slash.
  @Parameter(
    "The program's name, which is looked up in PATH, or its path, relative to the manifest's directory.",
    schema: .nonEmpty(.string))
  package var name: String

  /// The versions that are accepted; `nil` for any.
  @Parameter("The versions that fit, for example \">=3.11\" or \">=3.11 <4\".")
  package var version: VersionRequirement?

  /// The arguments with which the program prints its version.
  @Parameter("The arguments with which it prints its version.")
  package var versionArguments: [String] = ["--version"]

  /// The advice to show if the program is missing or does not fit; `nil` for the default advice.
  @Parameter("What to do if it is missing, for example \"brew install node\".")
  package var hint: String?

  /// Creates a requirement whose name is empty until its parameters are read.
  package init() {}

  /// Rejects an empty name, and zero bytes in the name and the arguments.
  package func validate(_ validation: inout ParameterValidation) {
    if name.isEmpty || name.utf8.contains(0) { validation.reject("name the program", at: "name") }
    if !name.contains("/"), let end = name.firstIndex(where: "<>=".contains), end > name.startIndex {
      let program = name[..<end].split(separator: " ").first ?? ""
      validation.reject(
        "must be a program's name: write { \"name\": \"\(program)\", \"version\": \"\(name[end...])\" }",
        at: "name")
    }
    for (index, argument) in versionArguments.enumerated() where argument.utf8.contains(0) {
      validation.reject("must not contain a zero byte", at: "versionArguments", .index(index))
    }
  }
}

/// An environment variable that `CheckEnvironment` looks for.
package struct RequiredVariable: ParameterGroup {
  /// The variable's name.
  @Parameter(
    "The variable's name.", schema: .pattern(#"^[^=\x00$][^=\x00]*$"#, describedAs: "a variable's name"))
  package var name: String

  /// An extended regular expression that the variable's value must match; `nil` for any value.
  @Parameter("An extended regular expression (grep -E) that its value matches, for example \"^postgres://\".")
  package var pattern: String?

  /// The advice to show if the variable is not set or does not match; `nil` for the default advice.
  @Parameter("What to do if it is not set or does not match.")
  package var hint: String?

  /// Creates a requirement whose name is empty until its parameters are read.
  package init() {}

  /// Rejects an invalid variable name, and a pattern that is not a regular expression.
  package func validate(_ validation: inout ParameterValidation) {
    if name.hasPrefix("$") {
      validation.reject("must not begin with $: write the name alone", at: "name")
    } else if name.isEmpty || name.contains("=") || name.utf8.contains(0) {
      validation.reject("a variable's name must not be empty, nor contain \"=\" or a zero byte", at: "name")
    }
    guard let pattern else { return }
    do {
      _ = try SearchExpression(pattern)
    } catch {
      validation.reject("must be an extended regular expression (grep -E): \(error)", at: "pattern")
    }
  }
}

/// A file or directory that `CheckEnvironment` looks for.
package struct RequiredFile: ParameterGroup {
  /// The path of the file or directory, relative to the manifest's directory.
  @Parameter(
    "The path of a file or a directory, relative to the manifest's directory.", schema: .nonEmpty(.string))
  package var path: String

  /// The advice to show if the file is missing; `nil` for the default advice.
  @Parameter("What to do if it is missing.")
  package var hint: String?

  /// Creates a requirement without a path.
  package init() {}

  /// Rejects an empty path, and zero bytes in it.
  package func validate(_ validation: inout ParameterValidation) {
    if path.isEmpty || path.utf8.contains(0) { validation.reject("name the file", at: "path") }
  }
}

/// The free disk space that `CheckEnvironment` requires.
package struct RequiredSpace: ParameterGroup {
  /// The minimum free space in bytes.
  @Parameter("The least free space, for example \"10GiB\".")
  package var free: ByteSize

  /// A path on the file system whose free space is checked.
  @Parameter("A path on the file system, relative to the manifest's directory, which is the default.")
  package var path = "."

  /// The advice to show if there is less free space; `nil` for the default advice.
  @Parameter("What to do if there is less.")
  package var hint: String?

  /// Creates a requirement without a size.
  package init() {}
}

extension RequiredProgram {
  /// An object, or the name of the program.
  package static var parameterType: ParameterType<RequiredProgram> { parameterType(orOnly: "name") }
}

extension RequiredVariable {
  /// An object, or the name of the variable.
  package static var parameterType: ParameterType<RequiredVariable> { parameterType(orOnly: "name") }
}

extension RequiredFile {
  /// An object, or the path of the file.
  package static var parameterType: ParameterType<RequiredFile> { parameterType(orOnly: "path") }
}

/// A TCP port that must be free: a number, or a text that may hold `{env.NAME}`.
package struct RequiredPort: Sendable, Hashable {
  let text: String

  /// Returns the port's number, with each `{env.NAME}` replaced by the variable's value.
  ///
  /// - Throws: `PlaceholderError` for a variable that is not set; ``PortError`` if the result is not a port.
  func number(in context: LaunchContext) throws -> UInt16 {
    guard let number = HostPort.port(try TextParameter.value(of: text, in: context)) else {
      throw PortError(text: text)
    }
    return number
  }
}

extension RequiredPort: ParameterValue {
  /// A port, or a text that may hold `{env.NAME}`.
  package static var parameterType: ParameterType<RequiredPort> {
    let text = ParameterSchema.pattern(
      #"^([0-9]{1,5}|[\s\S]*\{env\.[\s\S]*)$"#, describedAs: "a text, for example \"{env.PORT}\"")
    return ParameterType(
      .anyOf([.integer(minimum: 1, maximum: 65535), text]), placeholder: RequiredPort(text: "")
    ) { json, reader in
      if let number = try? json.integer(as: UInt16.self) {
        return number == 0 ? nil : RequiredPort(text: "\(number)")
      }
      guard let text = reader.text(json) else { return nil }
      return problem(with: text).map { reader.reject($0, json) } ?? RequiredPort(text: text)
    }
  }

  /// Returns the error message for a text; `nil` if it is a port or contains a variable.
  private static func problem(with text: String) -> String? {
    if let problem = TextParameter.problem(with: text) { return problem }
    guard TextParameter.isFixed(text), HostPort.port(text) == nil else { return nil }
    return PortError(text: text).description
  }
}

/// The error for a text that is not a port.
struct PortError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text as written in the manifest, with its placeholders.
  let text: String

  /// The error message: the problem and its fix. It does not show the values of variables.
  var description: String {
    let subject = TextParameter.isFixed(text) ? "\"\(text)\"" : "the value of \"\(text)\""
    return "\(subject) is not a port: give a port from 1 to 65535"
  }
}

/// A list of comparisons that a version must satisfy: `">=3.11"`, `">=3.11 <4"`.
package struct VersionRequirement: Sendable, Hashable {
  /// The requirement as written in the manifest.
  package let text: String
  private let comparisons: [Comparison]

  private struct Comparison: Sendable, Hashable {
    let relation: String
    let numbers: [Int]

    /// Returns whether a version satisfies the comparison.
    ///
    /// Compares only as many parts of the version as ``numbers`` has. A part that the version lacks counts as 0.
    func holds(for version: [Int]) -> Bool {
      let found = numbers.indices.map { $0 < version.count ? version[$0] : 0 }
      let isLess = found.lexicographicallyPrecedes(numbers)
      return switch relation {
      case ">=": !isLess
      case "<": isLess
      case "<=": isLess || found == numbers
      case ">": !isLess && found != numbers
      default: found == numbers
      }
    }
  }

  /// Parses comparisons that are separated by spaces or commas; returns `nil` for invalid text.
  package init?(_ text: String) {
    var rest = text.utf8.drop { $0 == 0x20 }
    var comparisons: [Comparison] = []
    while !rest.isEmpty {
      let relation = String(Substring(rest.prefix { "<>=".utf8.contains($0) }))
      rest = rest.dropFirst(relation.utf8.count).drop { $0 == 0x20 }
      let version = String(Substring(rest.prefix { $0 == UInt8(ascii: ".") || ($0 >= 0x30 && $0 <= 0x39) }))
      rest = rest.dropFirst(version.utf8.count)
      let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard [">=", "<=", ">", "<", "="].contains(relation), !parts.contains(nil) else { return nil }
      comparisons.append(Comparison(relation: relation, numbers: parts.compactMap(\.self)))
      let separator = rest.prefix { $0 == 0x20 || $0 == UInt8(ascii: ",") }
      guard rest.isEmpty || !separator.isEmpty else { return nil }
      rest = rest.dropFirst(separator.count)
    }
    guard !comparisons.isEmpty else { return nil }
    (self.text, self.comparisons) = (text, comparisons)
  }

  /// Returns whether a version satisfies all comparisons.
  func fits(_ version: [Int]) -> Bool { comparisons.allSatisfy { $0.holds(for: version) } }

  /// Returns the parts of the first dotted number in a text. Without one, returns the first number as the only part.
  ///
  /// Returns `nil` if the text has no number.
  static func version(in text: String) -> [Int]? {
    let words = text.utf8.split { $0 != UInt8(ascii: ".") && !($0 >= 0x30 && $0 <= 0x39) }
    var first: [Int]?
    for word in words {
      let numbers = word.split(separator: UInt8(ascii: ".")).compactMap { Int(String(Substring($0))) }
      if numbers.count > 1 { return numbers }
      if !numbers.isEmpty { first = first ?? numbers }
    }
    return first
  }
}

extension VersionRequirement: ParameterValue {
  /// Comparisons as text.
  package static var parameterType: ParameterType<VersionRequirement> {
    let comparison = #"(>=|<=|>|<|=) *[0-9]+(\.[0-9]+)*"#
    let schema = ParameterSchema.pattern(
      "^ *\(comparison)([ ,]+\(comparison))*[ ,]*$", describedAs: "a version requirement such as \">=3.11\"")
    return ParameterType(schema, placeholder: VersionRequirement()) { json, reader in
      guard let text = reader.text(json) else { return nil }
      return VersionRequirement(text)
        ?? reader.reject(
          "\"\(text)\" is not a version requirement: write a comparison with >=, >, <=, < or =, "
            + "as in \">=3.11\"", json)
    }
  }

  private init() { (text, comparisons) = ("", []) }
}

extension ByteSize {
  /// The size for people, with at most one decimal, for example `"1.5 GiB"` or `"812 B"`.
  package var brief: String {
    guard let (name, size) = Self.units.prefix(4).first(where: { bytes >= $0.size }) else {
      return "\(bytes) B"
    }
    let tenths = bytes / (size / 10)
    return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}

extension ByteSize: ParameterValue {
  /// A number with a unit.
  package static var parameterType: ParameterType<ByteSize> {
    .text(
      .pattern(#"^[0-9]+(\.[0-9]+)?([kK]?B|[MGT]B|[KMGT]iB)$"#, describedAs: "a size such as \"10GiB\""),
      placeholder: ByteSize(bytes: 0), parsing: ByteSize.init(parsing:))
  }
}

/// An operating system that a manifest can require.
package enum OperatingSystem: String, CaseIterable, ParameterValue {
  /// Linux.
  case linux
  /// macOS.
  case macos
}
