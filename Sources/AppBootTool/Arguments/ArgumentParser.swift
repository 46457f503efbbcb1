import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootSystem

/// A parser of a subcommand's arguments: `--name value`, `--name=value`, `-n`, `--`. It reads the option declarations.
struct ArgumentParser {
  /// The subcommand's name in messages; empty for options before the subcommand.
  let subcommand: String
  let options: [any OptionDeclaration]
  /// The names of the positional arguments.
  let operands: [String]
  /// True if one of the positional arguments can be given several times.
  var repeatsOperand = false
  /// True if a command line may follow `--`. Otherwise, positional arguments follow `--`.
  var takesCommand = false

  private var parsed = ParsedArguments()
  private var rest: ArraySlice<String> = []

  init(subcommand: String, options: [any OptionDeclaration], operands: [String]) {
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
    parser.repeatsOperand = subcommand.operands.contains(where: \.isRepeated)
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
      } else if argument.hasPrefix("-"), argument != "-",
        !operands.contains("-N") || ParsedArguments.launchNumber(in: argument) == nil
      {
        try take(short: argument)
      } else {
        try take(operand: argument)
      }
    }
    return parsed
  }

  private mutating func take(operand: String) throws(UsageError) {
    guard parsed.operands.count < operands.count || repeatsOperand || parsed.wantsHelp else {
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
      guard option.kind.placeholder != nil, !letters.isEmpty else {
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

  private mutating func take(_ option: any OptionDeclaration, attached: String?) throws(UsageError) {
    guard let placeholder = option.kind.placeholder else {
      if let attached { throw .needlessValue(option: option.spelling, value: attached) }
      parsed.values[option.name] = [""]
      return
    }
    if case .optionalCount = option.kind, attached == nil {
      parsed.values[option.name] = [""]
      return
    }
    guard let value = attached ?? nextValue(), !value.isEmpty else {
      throw .missingValue(option: option.spelling, placeholder: placeholder)
    }
    try option.check(value)
    parsed.values[option.name, default: []].append(value)
  }

  /// Removes and returns the next argument; `nil` at the end, and for a long option.
  private mutating func nextValue() -> String? {
    guard let next = rest.first, !next.hasPrefix("--") else { return nil }
    rest.removeFirst()
    return next
  }
}

/// The arguments of one call of the tool, after they were checked against a subcommand's declarations.
struct ParsedArguments: Sendable, Hashable {
  /// The positional arguments, in order.
  var operands: [String] = []
  /// The values of each option in order, by the option's name. A flag has one empty text.
  var values: [String: [String]] = [:]
  /// The command line after `--`; `nil` without `--`.
  var command: [String]?
  /// True if the steps of `--to` were arguments of their own.
  var hasSteps = false
  /// True if the arguments include `--help`.
  var wantsHelp = false
  /// True if the tool has a plan in code.
  var hasPlan = false
  /// True if the subcommand uses the tool's plan in code, because no argument names a manifest.
  var usesPlan: Bool { hasPlan && operands.isEmpty }

  /// The names of a default manifest. The first one that exists is read.
  private static let names = ["commands.json", "commands.jsonc"]

  /// The path of the manifest that is read if the arguments contain no path: `commands.json` or `commands.jsonc`, in
  /// the working directory or in the nearest directory above it. Directories that others can change are not searched.
  static var defaultManifest: String {
    var directory = ""
    while let path = FileSystem.resolve(directory.isEmpty ? "." : directory) {
      let manifest = directory + defaultManifest(in: directory)
      if FileSystem.exists(manifest) { return manifest }
      guard path != "/", (try? FileSystem.checkOwn(directory: directory + "..")) != nil else { break }
      directory += "../"
    }
    return names[0]
  }

  /// Returns the name of the default manifest in a directory.
  static func defaultManifest(in directory: String) -> String {
    names.first { FileSystem.exists(FileSystem.join(directory, $0)) } ?? names[0]
  }

  /// Returns the path of the manifest: the positional argument at an index, or ``defaultManifest`` if there is none.
  ///
  /// A plan in code has the same state and history as `commands.json`.
  func manifest(at place: Int = 0) -> String {
    operands.dropFirst(place).first ?? (hasPlan ? Self.names[0] : Self.defaultManifest)
  }

  /// Returns the arguments with the manifest as their only positional argument, and the steps in `--to`.
  ///
  /// A positional argument is the manifest if it is `-`, has a slash, or ends with `.json` or `.jsonc`. Without such an
  /// argument, it can also be the name of a file, or of a directory with a manifest.
  ///
  /// - Parameter takesSteps: True if other positional arguments are steps.
  /// - Throws: ``UsageError`` if an argument can be both, or if there are two manifests.
  func resolved(takesSteps: Bool, subcommand: String) throws(UsageError) -> ParsedArguments {
    var (resolved, steps) = (self, [String]())
    resolved.operands = self[.file].map { [$0] } ?? []
    let hasManifest = isSet(.file) || operands.contains(where: Self.isPath)
    for operand in operands {
      if takesSteps, isSet(.file) || !Self.isPath(operand) {
        guard !hasManifest, Self.isManifest(operand) else {
          steps.append(operand)
          continue
        }
        if Self.hasStep(operand) { throw .stepOrManifest(operand) }
      }
      guard resolved.operands.isEmpty else { throw .unexpectedArgument(operand, subcommand: subcommand) }
      resolved.operands = [operand]
    }
    if let path = resolved.operands.first, path != "-", FileSystem.isDirectory(path) {
      let manifest = FileSystem.join(path, Self.defaultManifest(in: path))
      if FileSystem.exists(manifest) { resolved.operands = [manifest] }
    }
    guard !steps.isEmpty else { return resolved }
    for option in [.only, .to] as [Option<[String]>] where isSet(option) {
      throw .conflict("STEP", option.spelling)
    }
    if steps.contains("") { throw .missingValue(option: "an empty argument", placeholder: "STEP") }
    resolved.values[Option<[String]>.to.name] = steps.map(StepArgument.listed)
    resolved.hasSteps = true
    return resolved
  }

  /// Returns the number of an argument such as `-2`, which selects a launch; `nil` for another one.
  static func launchNumber(in operand: String) -> Int? {
    guard operand.hasPrefix("-"), let number = Int(operand.dropFirst()), number > 0 else { return nil }
    return number
  }

  /// Returns the number of the launch that an argument such as `-2` selects, and removes the argument.
  mutating func takeLaunchNumber() -> Int? {
    let number = operands.lazy.compactMap(Self.launchNumber).first
    operands.removeAll { Self.launchNumber(in: $0) != nil }
    return number
  }

  /// Returns whether an argument can only be a path.
  private static func isPath(_ operand: String) -> Bool {
    operand == "-" || operand.utf8.contains(UInt8(ascii: "/"))
      || [".json", ".jsonc"].contains(where: operand.hasSuffix) || operand == "." || operand == ".."
  }

  /// Returns whether a path is a file, or a directory with a manifest.
  private static func isManifest(_ path: String) -> Bool {
    FileSystem.isDirectory(path)
      ? FileSystem.exists(FileSystem.join(path, defaultManifest(in: path))) : FileSystem.exists(path)
  }

  /// Returns whether the default manifest has a step with an id.
  private static func hasStep(_ id: String) -> Bool {
    (try? Manifest(reading: defaultManifest))?.commands.contains { $0.id == id } == true
  }

  /// Returns whether the option was given.
  func isSet(_ option: some OptionDeclaration) -> Bool { values[option.name] != nil }

  /// Checks that an option was not given together with options that it excludes.
  ///
  /// - Throws: ``UsageError/conflict(_:_:)``.
  func check(_ option: some OptionDeclaration, excludes others: any OptionDeclaration...) throws(UsageError) {
    for other in others where isSet(option) && isSet(other) {
      throw .conflict(option.spelling, other.spelling)
    }
  }

  /// The option's value; `nil` if the option or its value was not given. If it was repeated, the last one counts.
  subscript<Value>(option: Option<Value>) -> Value? {
    values[option.name]?.last.flatMap { try? option.read($0) }
  }

  /// The option's values, including its repetitions; `nil` if the option was not given.
  subscript<Element>(option: Option<[Element]>) -> [Element]? {
    values[option.name]?.flatMap { (try? option.read($0)) ?? [] }
  }

  /// Splits a list at its commas. A comma or backslash after a backslash belongs to a word, as
  /// ``StepArgument/listed(_:)`` writes it.
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
}

extension String {
  /// The text before and after the first `=`, also if a combining mark follows it.
  func splitAtEquals() -> (name: String, value: String?) {
    guard let equals = unicodeScalars.firstIndex(of: "=") else { return (self, nil) }
    return (String(self[..<equals]), String(self[unicodeScalars.index(after: equals)...]))
  }

  /// The members of a list in an environment variable: `NAME=VALUE,NAME=VALUE`, without the spaces around them.
  ///
  /// The value of a member without `=` is `nil`. In a value, `%2C` is a comma (W3C Baggage).
  var members: [(name: String, value: String?)] {
    split(separator: ",").compactMap { member in
      let (name, value) = String(member).splitAtEquals()
      let trimmed = name.trimmed
      return trimmed.isEmpty && value == nil ? nil : (trimmed, value?.trimmed.percentDecoded)
    }
  }

  /// The text without the white space around it.
  var trimmed: String {
    String(String(drop(while: \.isWhitespace).reversed()).drop(while: \.isWhitespace).reversed())
  }
}
