/// The declaration of an option, which parsing, help, suggestions and completions read.
struct OptionDeclaration: Sendable {
  /// The kind of value that follows the option's name.
  enum Value: Sendable, Hashable {
    /// No value: the option is a flag.
    case flag
    /// Any text; with the placeholder that help shows.
    case text(String)
    /// The path of a file, or of a directory of files; with its placeholder.
    case file(String)
    /// The path of a directory; with its placeholder.
    case directory(String)
    /// The name of an event; with its placeholder.
    case event(String)
    /// A choice of words.
    case choice([String])
    /// Ids of steps separated by commas; the option is repeatable.
    case list(String)
    /// A whole number within ``counts``.
    case count(String)
    /// A duration, for example `250ms`.
    case duration(String)
  }

  /// The range of a count. Its upper bound is small enough that arithmetic does not overflow.
  static let counts = 1...1_000_000

  /// The name without its dashes.
  let name: String
  /// The short form of the name, one letter.
  let short: Character?
  let value: Value
  let help: String

  init(_ name: String, short: Character? = nil, _ value: Value, _ help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
  }

  /// The option on the command line: `--format`.
  var spelling: String { "--\(name)" }

  /// The value's placeholder in help; `nil` for a flag.
  var placeholder: String? {
    switch value {
    case .flag: nil
    case .text(let name), .file(let name), .directory(let name), .event(let name), .list(let name),
      .count(let name), .duration(let name):
      name
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
