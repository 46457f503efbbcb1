import AppBoot

/// A parser of a subcommand's arguments: `--name value`, `--name=value`, `-n`, `--`. It reads the option declarations.
struct ArgumentParser {
  /// The subcommand's name in messages; empty for options before the subcommand.
  let subcommand: String
  let options: [OptionDeclaration]
  /// The names of the positional arguments.
  let operands: [String]
  /// True if a command line may follow `--`. Otherwise, positional arguments follow `--`.
  var takesCommand = false

  private var parsed = ParsedArguments()
  private var rest: ArraySlice<String> = []

  init(subcommand: String, options: [OptionDeclaration], operands: [String]) {
    self.subcommand = subcommand
    self.options = options
    self.operands = operands
  }

  static func parse(
    _ arguments: some Sequence<String>, for subcommand: any Subcommand.Type
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(
      subcommand: subcommand.name, options: subcommand.options, operands: subcommand.operands.map(\.name))
    parser.takesCommand = subcommand.takesCommand
    return try parser.parse(arguments)
  }

  mutating func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedArguments {
    rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      if argument == "--", takesCommand {
        guard !rest.isEmpty || parsed.wantsHelp else { throw .missingCommand }
        parsed.command = Array(rest)
        rest = []
      } else if argument == "--" {
        while let operand = rest.popFirst() { try take(operand: operand) }
      } else if argument == "--help" || argument == "-h" {
        parsed.wantsHelp = true
      } else if argument.hasPrefix("--") {
        try take(long: argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        try take(short: argument)
      } else {
        try take(operand: argument)
      }
    }
    return parsed
  }

  private mutating func take(operand: String) throws(UsageError) {
    guard parsed.operands.count < operands.count || parsed.wantsHelp else {
      throw .unexpectedArgument(operand, subcommand: subcommand)
    }
    parsed.operands.append(operand)
  }

  private mutating func take(long argument: String) throws(UsageError) {
    let parts = argument.splitAtEquals()
    guard let option = options.first(where: { $0.spelling == parts.name }) else { throw unknown(parts.name) }
    try take(option, attached: parts.value)
  }

  /// Parses a short option, or several short options without values, as in `-qv`. A value may follow its letter, as in
  /// `-j4`.
  private mutating func take(short argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      if letter == "h" {
        parsed.wantsHelp = true
        continue
      }
      guard let option = options.first(where: { $0.short == letter }) else { throw unknown(argument) }
      guard option.placeholder != nil, !letters.isEmpty else {
        try take(option, attached: nil)
        continue
      }
      let value = letters.unicodeScalars
      return try take(option, attached: String(value.first == "=" ? value.dropFirst() : value[...]))
    }
  }

  private func unknown(_ spelling: String) -> UsageError {
    .unknownOption(spelling, subcommand: subcommand, known: options.map(\.spelling) + ["--help"])
  }

  private mutating func take(_ option: OptionDeclaration, attached: String?) throws(UsageError) {
    guard let placeholder = option.placeholder else {
      if let attached { throw .needlessValue(option: option.spelling, value: attached) }
      parsed.values[option.name] = [""]
      return
    }
    if case .optionalCount = option.value, attached == nil {
      parsed.values[option.name] = [""]
      return
    }
    guard let value = attached ?? nextValue(), !value.isEmpty else {
      throw .missingValue(option: option.spelling, placeholder: placeholder)
    }
    try check(value, of: option, placeholder)
    parsed.values[option.name, default: []].append(value)
  }

  /// Removes and returns the next argument; `nil` if there is none, or if it is a long option.
  private mutating func nextValue() -> String? {
    guard let next = rest.first, !next.hasPrefix("--") else { return nil }
    rest.removeFirst()
    return next
  }

  private func check(_ value: String, of option: OptionDeclaration, _ placeholder: String) throws(UsageError)
  {
    switch option.value {
    case .flag, .text, .step, .file, .directory, .event: return
    case .choice(let choices):
      if !choices.contains(value) {
        throw .notAChoice(option: option.spelling, value: value, choices: choices)
      }
    case .list:
      if value.allSatisfy({ $0 == "," }) {
        throw .missingValue(option: option.spelling, placeholder: placeholder)
      }
    case .count, .optionalCount:
      guard let count = Int(value), OptionDeclaration.counts.contains(count) else {
        throw .notACount(option: option.spelling, value: value)
      }
    case .duration: try checkDuration(value, of: option)
    }
  }

  private func checkDuration(_ value: String, of option: OptionDeclaration) throws(UsageError) {
    let duration: Duration
    do {
      duration = try DurationText.parse(value)
    } catch {
      throw .notADuration(option: option.spelling, error)
    }
    if duration <= .zero { throw .zeroDuration(option: option.spelling) }
  }
}

extension String {
  /// The text before and after the first `=`, also if a combining mark follows it.
  func splitAtEquals() -> (name: String, value: String?) {
    guard let equals = unicodeScalars.firstIndex(of: "=") else { return (self, nil) }
    return (String(self[..<equals]), String(self[unicodeScalars.index(after: equals)...]))
  }
}
