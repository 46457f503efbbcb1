import AppBoot

// The options that several subcommands share.

extension OptionDeclaration where Self == Option<Void> {
  static var noState: Self {
    Option("no-state", .flag, "No state: ignore earlier launches, and save nothing for later ones.")
  }
  static var safeMode: Self {
    Option(
      "safe-mode", .flag,
      "Run in safe mode, as after crashes: skip the step that crashed, unless the launch needs it.")
  }
  static var quiet: Self { Option("quiet", short: "q", .flag, "Print failures only.") }
  static var verbose: Self {
    Option(
      "verbose", short: "v", .flag,
      "Print more: lanes, attempts, spans, and the output of the steps as it comes.")
  }
  static var open: Self {
    Option("open", .flag, "Show the page in the browser. Without --output it is a temporary file.")
  }
}

extension OptionDeclaration where Self == Option<String> {
  static var url: Self { Option("url", .text("URL"), "The URL to open; it sets the launch reason to url.") }
  static var event: Self {
    Option("event", .event("EVENT"), "Use this event's handlers in place of the launch.")
  }
  static var payload: Self {
    Option("payload", .text("JSON"), "The event's payload; - reads standard input.")
  }
  static var scene: Self { Option("scene", .text("ID"), "The scene of the event.") }
  static var state: Self {
    Option(
      "state", .directory("DIR"),
      "The state directory. Default: APPBOOT_STATE, or .appboot next to the manifest.")
  }
  static var file: Self {
    Option("file", short: "f", .file("FILE"), "The path of the manifest, in place of MANIFEST.")
  }
  /// The option ``file`` of a subcommand that takes steps.
  static var fileBesideSteps: Self {
    Option("file", short: "f", .file("FILE"), "The path of the manifest. All arguments are then steps.")
  }
  static var output: Self {
    Option("output", short: "o", .file("FILE"), "Write to a file, not to standard output.")
  }
}

extension OptionDeclaration where Self == Option<[String]> {
  static var only: Self {
    Option(
      "only", .list("ID,…"),
      "Only these steps, without the steps that they need; repeatable. In an id, write \\, for a comma and \\\\ for "
        + "a backslash."
    )
  }
  static var to: Self {
    Option("to", .list("ID,…"), "Only these steps and all steps that they need, written as for --only.")
  }
  static var skip: Self { Option("skip", .list("ID,…"), "All but these steps, written as for --only.") }
  static var environment: Self {
    Option(
      "env", short: "e", .texts("NAME=VALUE"),
      "Set a variable for the launch; repeatable. It replaces the manifest's value.")
  }
  static var environmentFiles: Self {
    Option("env-file", .files("FILE"), "Set the variables in a file, as with --env; repeatable.")
  }
  static var label: Self {
    Option(
      "label", .texts("NAME=VALUE"),
      "Add a label to the record, for example version=2.1; repeatable. host.name alone adds the machine's name. CI "
        + "servers set commit and branch.")
  }
}

extension OptionDeclaration where Self == Option<Int> {
  static var jobs: Self {
    Option(
      "jobs", short: "j", .count("N"),
      "The number of background steps that run at once. Default: the number of available processors.")
  }
  static var shuffle: Self {
    Option(
      "shuffle", .optionalCount("SEED"),
      "Run one step at a time, in a random order that the manifest allows. The seed repeats it. --jobs N allows more."
    )
  }
}

extension OptionDeclaration where Self == Option<Duration> {
  static var timeout: Self {
    Option("timeout", .duration("DURATION"), "The launch timeout, in place of the manifest's.")
  }
}

extension OptionDeclaration where Self == Option<LaunchReason> {
  static var launch: Self { Option("launch", .choice, "The reason of the launch. Default: normal.") }
}

extension OptionDeclaration where Self == Option<ColorChoice> {
  static var color: Self {
    Option("color", .choice, "When to use colours; auto obeys NO_COLOR and FORCE_COLOR. Default: auto.")
  }
}

/// The formats of an output for people or for programs.
enum TextOrJSON: String, CaseIterable {
  case text, json
}

extension OptionDeclaration where Self == Option<TextOrJSON> {
  /// The option `--format` of the subcommands whose output is for people or for programs.
  static var textOrJSON: Self { .format() }
}

extension ParsedArguments {
  /// True if the output is for programs.
  var wantsJSON: Bool { self[.textOrJSON] == .json }
  var color: ColorChoice { self[.color] ?? .auto }
}
