/// The declaration of an option. Parsing, help, suggestions and completions read it.
struct OptionDeclaration: Sendable {
  /// The kind of value that follows the option's name.
  enum Value: Sendable, Hashable {
    /// No value. The option is a flag.
    case flag
    /// Any text. The associated value is the placeholder that help shows.
    case text(String)
    /// A text that begins with a step's id. The associated value is the placeholder.
    case step(String)
    /// The path of a file, or of a directory of files. The associated value is the placeholder.
    case file(String)
    /// The path of a directory. The associated value is the placeholder.
    case directory(String)
    /// The name of an event. The associated value is the placeholder.
    case event(String)
    /// A word from a list.
    case choice([String])
    /// Step ids separated by commas. The option can be repeated. The associated value is the placeholder.
    case list(String)
    /// A whole number within ``counts``. The associated value is the placeholder.
    case count(String)
    /// A count that may be left out, and otherwise follows `=`. The associated value is the placeholder.
    case optionalCount(String)
    /// A duration, for example `250ms`. The associated value is the placeholder.
    case duration(String)
  }

  /// The range of a count. Its upper bound is so small that calculations with counts do not overflow.
  static let counts = 1...1_000_000

  /// The name without its dashes.
  let name: String
  /// The letter of the option's short form; `nil` if it has none.
  let short: Character?
  let value: Value
  let help: String
  /// True if few users need the option. The help lists it after the others.
  private(set) var isAdvanced = false

  init(_ name: String, short: Character? = nil, _ value: Value, _ help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
  }

  /// The same option, as one that few users need.
  var advanced: OptionDeclaration {
    var option = self
    option.isAdvanced = true
    return option
  }

  /// The option as it is written on the command line, for example `--format`.
  var spelling: String { "--\(name)" }

  /// The value as help shows it, with the character before it; empty for a flag.
  var valueHelp: String {
    if case .optionalCount(let name) = value { return "[=\(name)]" }
    return placeholder.map { " \($0)" } ?? ""
  }

  /// The value's placeholder in help; `nil` for a flag.
  var placeholder: String? {
    switch value {
    case .flag: nil
    case .text(let name), .step(let name), .file(let name), .directory(let name), .event(let name),
      .list(let name), .count(let name), .optionalCount(let name), .duration(let name):
      name
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
