import AppBoot

/// The declaration of an option. Parsing, help, suggestions and completions read it.
struct OptionDeclaration: Sendable {
  /// The kind of the value of an option or of a positional argument.
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
    case .command, .subcommand: "NAME"
    case .text(let name), .step(let name), .file(let name), .directory(let name), .event(let name),
      .list(let name), .count(let name), .optionalCount(let name), .duration(let name):
      name
    case .choice(let words): words.joined(separator: "|")
    }
  }
}

/// The options that several subcommands share.
extension OptionDeclaration {
  static let only = OptionDeclaration(
    "only", .list("ID,…"),
    "Only these steps; repeatable. In an id, write \\, for a comma and \\\\ for a backslash.")
  static let to = OptionDeclaration(
    "to", .list("ID,…"), "Only these steps and all steps that they need, written as for --only.")
  static let skip = OptionDeclaration("skip", .list("ID,…"), "All but these steps, written as for --only.")
  static let launch = OptionDeclaration(
    "launch", .choice(LaunchReason.allCases.map(\.rawValue)), "The reason of the launch. Default: normal.")
  static let url = OptionDeclaration(
    "url", .text("URL"), "The URL to open; it sets the launch reason to url.")
  static let event = OptionDeclaration(
    "event", .event("EVENT"), "Use this event's handlers in place of the launch.")
  static let payload = OptionDeclaration(
    "payload", .text("JSON"), "The event's payload; - reads standard input.")
  static let scene = OptionDeclaration("scene", .text("ID"), "The scene of the event.")
  static let jobs = OptionDeclaration(
    "jobs", short: "j", .count("N"),
    "The number of background steps that run at once. Default: the number of available processors."
  )
  static let shuffle = OptionDeclaration(
    "shuffle", .optionalCount("SEED"),
    "Run one step at a time, in a random order that the manifest allows. The seed repeats it. --jobs N allows more."
  )
  static let timeout = OptionDeclaration(
    "timeout", .duration("DURATION"), "The launch timeout, in place of the manifest's.")
  static let state = OptionDeclaration(
    "state", .directory("DIR"),
    "The state directory. Default: APPBOOT_STATE, or .appboot next to the manifest.")
  static let noState = OptionDeclaration(
    "no-state", .flag, "No state: ignore earlier launches, and save nothing for later ones.")
  static let safeMode = OptionDeclaration(
    "safe-mode", .flag,
    "Run in safe mode, as after crashes: skip the step that crashed, unless the launch needs it.")
  static let quiet = OptionDeclaration("quiet", short: "q", .flag, "Print failures only.")
  static let verbose = OptionDeclaration(
    "verbose", short: "v", .flag,
    "Print more: lanes, attempts, spans, and the output of the steps as it comes.")
  static let label = OptionDeclaration(
    "label", .text("NAME=VALUE"),
    "Add a label to the record, for example version=2.1; repeatable. host.name alone adds the machine's name. CI "
      + "servers set commit and branch.")
  static let output = OptionDeclaration(
    "output", short: "o", .file("FILE"), "Write to a file, not to standard output.")
  static let open = OptionDeclaration(
    "open", .flag, "Show the page in the browser. Without --output it is a temporary file.")
  /// The option `--format` of the subcommands whose output is for people or for programs.
  static let textOrJSON = OptionDeclaration.format(TextOrJSON.self)
  static let color = OptionDeclaration(
    "color", .choice(ColorChoice.allCases.map(\.rawValue)),
    "When to use colours; auto obeys NO_COLOR and FORCE_COLOR. Default: auto.")
}

/// The formats of an output for people or for programs.
private enum TextOrJSON: String, CaseIterable {
  case text, json
}

extension OptionDeclaration {
  /// Returns the option `--format` whose values are the cases of an enum.
  static func format<Format: CaseIterable & RawRepresentable<String>>(
    _ formats: Format.Type, _ help: String = "The output format. Default: text."
  ) -> OptionDeclaration {
    OptionDeclaration("format", .choice(formats.allCases.map(\.rawValue)), help)
  }
}

extension ParsedArguments {
  /// True if the output is for programs.
  var wantsJSON: Bool { choice(.textOrJSON, as: TextOrJSON.self) == .json }
  var color: ColorChoice { choice(.color, as: ColorChoice.self) ?? .auto }
}
