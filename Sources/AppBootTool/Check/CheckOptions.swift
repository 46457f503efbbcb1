/// The declarations of the options of `check`. `compare` uses `--max-slowdown` too.
enum CheckOptions {
  /// The minimum number of launches for a comparison with a baseline.
  static let fewestCompared = 10

  static let runs = OptionDeclaration(
    "runs", .count("N"),
    "The number of launches. Default: 5. A comparison needs at least \(fewestCompared), its default.")
  static let against = OptionDeclaration(
    "against", .file("BASE"),
    "Fail if it is slower than this base: a manifest, or a directory with the same one. Both launch in turns."
  )
  static let againstProgram = OptionDeclaration(
    "against-program", .file("FILE"), "Launch the base with this executable.")
  static let baseline = OptionDeclaration(
    "baseline", .file("RECORDS"), "Fail if it is slower than these records, a file or a directory.")
  static let maxSlowdown = OptionDeclaration(
    "max-slowdown", .text("PERCENT"), "The slowdown that is allowed. Default: 10%.")
  static let maxRuns = OptionDeclaration(
    "max-runs", .count("N"),
    "The most launches to confirm a slowdown, or orders to try; at least \(fewestCompared). Default: 8 times --runs, "
      + "at least 60."
  )
  static let prepare = OptionDeclaration(
    "prepare", .text("COMMAND"),
    "Run this shell command before each launch, untimed, for example to drop caches.")
  static let requireBaseline = OptionDeclaration(
    "require-baseline", .flag, "Fail if the comparison is inconclusive.")
  static let onFlaky = OptionDeclaration(
    "on-flaky", .choice(FlakyPolicy.allCases.map(\.rawValue)),
    "What to do if an allowed failure happens in some launches only, or a step needs a retry. Default: warn.")
  static let shuffle = OptionDeclaration(
    "shuffle", .flag,
    "Find a missing \"after\": run one step at a time, in orders in which each step comes before every other one."
  )
  static let record = OptionDeclaration(
    "record", .file("FILE"), "Write the records of the launches, one per line.")
  static let junit = OptionDeclaration("junit", .file("FILE"), "Write JUnit XML.")
  static let markdown = OptionDeclaration("markdown", .file("FILE"), "Write Markdown.")
  static let html = OptionDeclaration(
    "html", .file("FILE"), "Write an HTML page with the result.")
  static let open = OptionDeclaration(
    "open", .flag, "Show the page in the browser. Without --html it is a temporary file.")
}

/// The effect of a flaky step on a check whose launches succeed.
enum FlakyPolicy: String, Sendable, CaseIterable {
  case fail
  case warn
}
