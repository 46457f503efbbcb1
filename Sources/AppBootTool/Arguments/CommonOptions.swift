import AppBoot

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
