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
