import AppBoot
import AppBootSystem

/// The arguments of one call of the tool, after they were checked against a subcommand's declarations.
struct ParsedArguments: Sendable, Hashable {
  /// The positional arguments, in order.
  var operands: [String] = []
  /// The values of each option in order, by the option's name. A flag has one empty text.
  var values: [String: [String]] = [:]
  /// The command line after `--`; `nil` if there is none.
  var command: [String]?
  /// True if the arguments include `--help`.
  var wantsHelp = false

  /// The path of the manifest that is read if the arguments contain no path: `commands.json`, or `commands.jsonc` if
  /// only that file exists.
  static var defaultManifest: String { defaultManifest(in: ".") }

  /// Returns the name of the default manifest in a directory.
  static func defaultManifest(in directory: String) -> String {
    ["commands.json", "commands.jsonc"].first { FileSystem.exists(FileSystem.join(directory, $0)) }
      ?? "commands.json"
  }

  /// Returns the path of the manifest: the positional argument at an index, or ``defaultManifest`` if there is none.
  func manifest(at place: Int = 0) -> String { operands.dropFirst(place).first ?? Self.defaultManifest }

  /// Returns whether the option was given.
  func isSet(_ option: OptionDeclaration) -> Bool { values[option.name] != nil }

  /// Returns the option's value; `nil` if the option was not given. If it was repeated, the last value counts.
  func text(_ option: OptionDeclaration) -> String? { values[option.name]?.last }

  /// Returns the comma-separated words of the option, including its repetitions; `nil` if the option was not given.
  func list(_ option: OptionDeclaration) -> [String]? {
    values[option.name]?.flatMap(Self.words)
  }

  /// Returns a word with its commas and backslashes escaped. ``list(_:)`` then reads it as one word.
  static func asListed(_ word: String) -> String {
    word.unicodeScalars.reduce(into: "") { $0 += $1 == "," || $1 == "\\" ? "\\\($1)" : "\($1)" }
  }

  /// Splits a list at its commas. A comma or backslash after a backslash belongs to a word.
  static func words(_ text: String) -> [String] {
    var words = [""]
    var isEscaped = false
    // A combining mark at the beginning of a word is one character with the comma before it.
    for scalar in text.unicodeScalars {
      if isEscaped {
        words[words.count - 1] += scalar == "," || scalar == "\\" ? "\(scalar)" : "\\\(scalar)"
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "," {
        words.append("")
      } else {
        words[words.count - 1].unicodeScalars.append(scalar)
      }
    }
    if isEscaped { words[words.count - 1] += "\\" }
    return words.filter { !$0.isEmpty }
  }

  /// Returns the option's value as a number; `nil` if the option was not given.
  func count(_ option: OptionDeclaration) -> Int? { text(option).flatMap { Int($0) } }

  /// Returns the option's value as a duration; `nil` if the option was not given.
  func duration(_ option: OptionDeclaration) -> Duration? {
    text(option).flatMap { try? DurationText.parse($0) }
  }

  /// Returns the option's value as a case of an enum; `nil` if the option was not given.
  func choice<Choice: RawRepresentable<String>>(_ option: OptionDeclaration, as type: Choice.Type) -> Choice?
  {
    text(option).flatMap(Choice.init(rawValue:))
  }
}
