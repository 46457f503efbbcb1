/// An option of a subcommand, declared once: the source of parsing, help and suggestions.
struct OptionDeclaration: Sendable {
  /// What stands behind the option's name.
  enum Value: Sendable, Hashable {
    /// Nothing: the option is on where it is given.
    case none
    /// Any text; named in the help.
    case text(String)
    /// One of these words.
    case choice([String])
    /// Words, separated by commas; the option may be given more than once.
    case list(String)
    /// A whole number within ``counts``.
    case count(String)
    /// A duration such as `250ms`.
    case duration(String)
  }

  /// What a count may be: far more than anybody starts, and so little that no reckoning with it overflows.
  static let counts = 1...1_000_000

  /// The name without its dashes.
  let name: String
  /// The one letter that means the same.
  let short: Character?
  let value: Value
  let help: String

  init(_ name: String, short: Character? = nil, _ value: Value, _ help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
  }

  /// The option as people write it: `--format`.
  var spelling: String { "--\(name)" }

  /// What stands for the value in the help; `nil` for an option without one.
  var placeholder: String? {
    switch value {
    case .none: nil
    case .text(let name), .list(let name), .count(let name), .duration(let name): name
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
