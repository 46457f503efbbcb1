import AppBoot

/// The options that more than one subcommand has.
extension OptionDeclaration {
  static let only = OptionDeclaration(
    "only", .list("ID,…"),
    "Only these steps; may be repeated. A comma or backslash in an id is written \\, or \\\\.")
  static let skip = OptionDeclaration("skip", .list("ID,…"), "Without these steps; as with --only.")
  static let launch = OptionDeclaration(
    "launch", .choice(LaunchReason.allCases.map(\.rawValue)), "Why the app is launched. Default: normal.")
  static let url = OptionDeclaration("url", .text("URL"), "The URL to open; the launch reason is url then.")
  static let event = OptionDeclaration(
    "event", .text("EVENT"), "The list of this event, in place of the launch.")
  static let payload = OptionDeclaration(
    "payload", .text("JSON"), "What comes with the event; - is standard input.")
  static let scene = OptionDeclaration("scene", .text("ID"), "The scene that the event is for.")
  static let jobs = OptionDeclaration(
    "jobs", .count("N"), "How many background steps run at once. Default: the processors it may use.")
  static let timeout = OptionDeclaration(
    "timeout", .duration("DURATION"), "The time limit of the launch, in place of the manifest's.")
  static let state = OptionDeclaration(
    "state", .text("DIR"), "Where state is kept. Default: APPBOOT_STATE, or .appboot beside the manifest.")
  static let noState = OptionDeclaration(
    "no-state", .none, "Without state: nothing is known of other launches, or kept for them.")
  static let safeMode = OptionDeclaration(
    "safe-mode", .none,
    "Boot as after launches that died: without the step they died in, if it can be spared.")
  static let quiet = OptionDeclaration("quiet", short: "q", .none, "Say only what failed.")
  static let verbose = OptionDeclaration(
    "verbose", short: "v", .none,
    "Say more: lanes, attempts, spans, and what the steps print as they print it.")
  static let output = OptionDeclaration(
    "output", short: "o", .text("FILE"), "Write to a file in place of standard output.")
  static let color = OptionDeclaration(
    "color", .choice(ColorChoice.allCases.map(\.rawValue)), "Whether to use colours. Default: auto.")
}

extension ParsedArguments {
  var color: ColorChoice { choice(.color, as: ColorChoice.self) ?? .auto }
}
