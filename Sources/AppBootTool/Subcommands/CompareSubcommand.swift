import AppBootReports

/// The subcommand `compare`, which compares two sets of launches for each step and for the whole launch.
enum CompareSubcommand: Subcommand {
  static let name = "compare"
  static let abstract =
    "Compares two sets of launches: slower, faster, unchanged or inconclusive, for the launch and each step."
  static let discussion = """
    BASE and HEAD are each a record's file, a file with one record per line, or a directory of such files. A decision \
    needs several launches of each side. The decisions are those of `check --baseline`: Docs/check.md has the rule.

    Different outcomes come first, for example if launches fail on one side only.
    """
  static let operands: [Operand] = [
    Operand(name: "BASE", help: "The records to compare with; - is standard input.", isRequired: true),
    Operand(name: "HEAD", help: "The records to compare.", isRequired: true),
  ]
  static var options: [any OptionDeclaration] {
    [format, CheckOptions.maxSlowdown, exitCode, .output, .open, .color]
  }

  static let format = Option<ComparisonFormat>.format()

  static let exitCode = Option(
    "exit-code", .flag, "Exit with 1 if launches fail more than in BASE, and with 5 if something is slower."
  )

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Compared, whatever the decision.",
    .commandFailed:
      "With --exit-code: launches fail and none of BASE does, or a larger share fails (Fisher's "
      + "exact test, one-sided, 5 %).",
    .invalidManifest: "A file is not a record, or its version is newer.",
    .preconditionMissing: "A file cannot be read or written.",
    .overBudget: "With --exit-code: something is slower.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let paths = arguments.operands
    guard paths.count == 2 else {
      throw UsageError.missingArgument(paths.isEmpty ? "BASE" : "HEAD", subcommand: name)
    }
    let format = arguments[format] ?? (arguments.isSet(.open) ? .html : .text)
    let output = try ReportOutput(arguments, isPage: format == .html)
    try ResultFile.checkApart([(.output, output.file)], from: [(paths[0], "BASE"), (paths[1], "HEAD")])
    let options = Comparison.Options(arguments)
    let warn = { (words: String) in tool.warn(words) }
    let base = try RecordSets.sessions(paths[0], warn: warn)
    let head = try RecordSets.read(paths[1], warn: warn)
    let comparison = Comparison(base: base, head: head, options: options)
    let text =
      format == .text
      ? ComparisonText(style: output.style(tool)).text(of: comparison)
      : format.render(comparison, base: base.flatMap(\.self), head: head)
    try output.write(text, tool)
    guard arguments.isSet(exitCode) else { return .succeeded }
    return comparison.launchChange?.failsMore == true
      ? .commandFailed : comparison.isSlower ? .overBudget : .succeeded
  }
}
