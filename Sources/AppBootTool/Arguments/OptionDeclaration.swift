import AppBoot

/// The declaration of an option. Parsing, help, suggestions and completions read it.
protocol OptionDeclaration: Sendable {
  /// The name without its dashes.
  var name: String { get }
  /// The letter of the option's short form; `nil` if it has none.
  var short: Character? { get }
  var kind: ValueKind { get }
  var help: String { get }
  /// True if few users need the option. The help lists it after the others.
  var isAdvanced: Bool { get }
  /// Checks the text of one value.
  func check(_ text: String) throws(UsageError)
}

extension OptionDeclaration {
  /// The option as it is written on the command line, for example `--format`.
  var spelling: String { "--\(name)" }

  /// The value as help shows it, with the character before it; empty for a flag.
  var valueHelp: String {
    if case .optionalCount(let name) = kind { return "[=\(name)]" }
    return kind.placeholder.map { " \($0)" } ?? ""
  }
}

/// An option with a typed value, which ``ParsedArguments`` returns.
struct Option<Value>: OptionDeclaration {
  let name: String
  let short: Character?
  private let value: OptionValue<Value>
  let help: String
  private(set) var isAdvanced = false

  init(_ name: String, short: Character? = nil, _ value: OptionValue<Value>, _ help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
  }

  var kind: ValueKind { value.kind }

  /// The same option, as one that few users need.
  var advanced: Self {
    var option = self
    option.isAdvanced = true
    return option
  }

  /// Parses the text of one value.
  func read(_ text: String) throws(UsageError) -> Value { try value.read(text, spelling) }

  func check(_ text: String) throws(UsageError) { _ = try read(text) }
}

/// The kind of the value of an option or of a positional argument.
enum ValueKind: Sendable, Hashable {
  /// No value. The option is a flag.
  case flag
  /// A text that shells cannot complete. The associated value is the placeholder that help shows.
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
  /// The name of a registered command, or what `help` explains. Only positional arguments have these values.
  case command, subcommand
  /// Step ids separated by commas. The option can be repeated. The associated value is the placeholder.
  case list(String)
  /// A whole number within ``counts``. The associated value is the placeholder.
  case count(String)
  /// A count that may be left out, and otherwise follows `=`. The associated value is the placeholder.
  case optionalCount(String)
  /// A duration, for example `250ms`. The associated value is the placeholder.
  case duration(String)

  /// The range of a count. Its upper bound is so small that calculations with counts do not overflow.
  static let counts = 1...1_000_000

  /// The value's placeholder in help; `nil` for a flag.
  var placeholder: String? {
    switch self {
    case .flag: nil
    case .command, .subcommand: "NAME"
    case .text(let name), .step(let name), .file(let name), .directory(let name), .event(let name),
      .list(let name), .count(let name), .optionalCount(let name), .duration(let name):
      name
    case .choice(let words): words.joined(separator: "|")
    }
  }
}

/// The kind of an option's value, and how its text is read.
struct OptionValue<Value>: Sendable {
  let kind: ValueKind
  /// Parses a text. Errors name the option as it is written, for example `--jobs`.
  let read: @Sendable (_ text: String, _ option: String) throws(UsageError) -> Value
}

extension OptionValue<Void> {
  static var flag: Self { Self(kind: .flag) { _, _ in } }
}

extension OptionValue<String> {
  static func text(_ name: String) -> Self { any(.text(name)) }
  static func step(_ name: String) -> Self { any(.step(name)) }
  static func file(_ name: String) -> Self { any(.file(name)) }
  static func directory(_ name: String) -> Self { any(.directory(name)) }
  static func event(_ name: String) -> Self { any(.event(name)) }

  private static func any(_ kind: ValueKind) -> Self { Self(kind: kind) { text, _ in text } }
}

/// Values of options that can be repeated: ``ParsedArguments`` joins the lists.
extension OptionValue<[String]> {
  static func texts(_ name: String) -> Self { Self(kind: .text(name)) { text, _ in [text] } }
  static func files(_ name: String) -> Self { Self(kind: .file(name)) { text, _ in [text] } }
  static func steps(_ name: String) -> Self { Self(kind: .step(name)) { text, _ in [text] } }

  static func list(_ name: String) -> Self {
    Self(kind: .list(name)) { (text, option) throws(UsageError) in
      let words = ParsedArguments.words(text)
      if words.isEmpty { throw .missingValue(option: option, placeholder: name) }
      return words
    }
  }
}

extension OptionValue<Int> {
  static func count(_ name: String) -> Self { number(.count(name)) }
  static func optionalCount(_ name: String) -> Self { number(.optionalCount(name)) }

  private static func number(_ kind: ValueKind) -> Self {
    Self(kind: kind) { (text, option) throws(UsageError) in
      guard let count = Int(text), ValueKind.counts.contains(count) else {
        throw .notACount(option: option, value: text)
      }
      return count
    }
  }
}

extension OptionValue<Duration> {
  static func duration(_ name: String) -> Self {
    Self(kind: .duration(name)) { (text, option) throws(UsageError) in
      let duration: Duration
      do throws(DurationTextError) {
        duration = try DurationText.parse(text)
      } catch {
        throw .notADuration(option: option, error)
      }
      if duration <= .zero { throw .zeroDuration(option: option) }
      return duration
    }
  }
}

extension OptionValue<Double> {
  /// A percentage from 0 % to 1000 %, for example `2.5%`, as a fraction.
  static func percentage(_ name: String) -> Self {
    Self(kind: .text(name)) { (text, option) throws(UsageError) in
      let digits = text.dropLast()
      guard text.hasSuffix("%"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
        let value = Double(digits), value <= 1000
      else { throw .notAPercentage(option: option, value: text) }
      return value / 100
    }
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
  /// A case of an enum, written as its raw value.
  static var choice: Self {
    let choices = Value.allCases.map(\.rawValue)
    return Self(kind: .choice(choices)) { (text, option) throws(UsageError) in
      guard let value = Value(rawValue: text) else {
        throw .notAChoice(option: option, value: text, choices: choices)
      }
      return value
    }
  }
}

extension Option where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
  /// Returns the option `--format` whose values are the cases of an enum.
  static func format(_ help: String = "The output format. Default: text.") -> Self {
    Self("format", .choice, help)
  }
}
