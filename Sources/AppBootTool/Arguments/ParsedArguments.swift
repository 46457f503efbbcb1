import AppBoot

/// What a subcommand was called with, checked against its declarations.
struct ParsedArguments: Sendable, Hashable {
  /// What is no option, in order.
  var operands: [String] = []
  /// The values of each option that was given, in order; an empty text for one without a value.
  var values: [String: [String]] = [:]
  /// Whether help was asked for.
  var wantsHelp = false

  /// The manifest that an operand names, by its place among them; the one of this directory where there is none.
  func manifest(at place: Int = 0) -> String { operands.dropFirst(place).first ?? "commands.json" }

  /// Whether the option was given.
  func isSet(_ option: OptionDeclaration) -> Bool { values[option.name] != nil }

  /// The option's value, the last one where it was given more than once.
  func text(_ option: OptionDeclaration) -> String? { values[option.name]?.last }

  /// The option's words, of all times it was given; `nil` where it was not.
  func list(_ option: OptionDeclaration) -> [String]? {
    values[option.name]?.flatMap(Self.words)
  }

  /// A word as a list takes it: the other way round.
  static func asListed(_ word: String) -> String {
    word.reduce(into: "") { $0 += $1 == "," || $1 == "\\" ? "\\\($1)" : "\($1)" }
  }

  /// The words between commas; a backslash makes a comma, or a backslash, part of the word.
  private static func words(_ text: String) -> [String] {
    var words = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        words[words.count - 1] += character == "," || character == "\\" ? "\(character)" : "\\\(character)"
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "," {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    if isEscaped { words[words.count - 1] += "\\" }
    return words.filter { !$0.isEmpty }
  }

  /// The option's number.
  func count(_ option: OptionDeclaration) -> Int? { text(option).flatMap { Int($0) } }

  /// The option's duration.
  func duration(_ option: OptionDeclaration) -> Duration? {
    text(option).flatMap { try? DurationText.parse($0) }
  }

  /// The option's word as the case that it names.
  func choice<Choice: RawRepresentable<String>>(_ option: OptionDeclaration, as type: Choice.Type) -> Choice?
  {
    text(option).flatMap(Choice.init(rawValue:))
  }
}
