import AppBoot
import AppBootReports
import AppBootSystem

/// `compare`: two sets of launches, per step and in all.
enum CompareSubcommand: Subcommand {
  static let name = "compare"
  static let abstract =
    "Says of two sets of launches what is faster, slower or inconclusive, per step and in all."
  static var discussion: String {
    """
    BASE and HEAD are each a record's file, a file with one record a line, or a directory of such files. A verdict takes \
    several launches of each: one against one says nothing about noise, and compare says so.

    Exit codes: 0 compared, whatever the verdict; 3 a file is not a record, or one of a newer version; 4 it cannot be read \
    or written. To fail on a slow-down use `check --baseline`.
    """
  }
  static var operands: [Operand] {
    [
      Operand(name: "BASE", help: "The records to compare with; - is standard input.", isRequired: true),
      Operand(name: "HEAD", help: "The records to compare.", isRequired: true),
    ]
  }
  static var options: [OptionDeclaration] { [format, .output, .color] }

  static let format = OptionDeclaration(
    "format", .choice(ComparisonFormat.allCases.map(\.rawValue)), "The form. Default: text.")

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let paths = arguments.operands
    guard paths.count == 2 else {
      throw UsageError.missingArgument(paths.isEmpty ? "BASE" : "HEAD", subcommand: name)
    }
    let format = arguments.choice(format, as: ComparisonFormat.self) ?? .text
    let file = try ResultFile(.output, of: arguments)
    let sets = try paths.map { path in
      try RecordSets.read(path) { tool.warn($0, color: arguments.color) }
    }
    let comparison = Comparison(base: sets[0], head: sets[1])
    if let file {
      try file.write(format.render(comparison))
    } else if format == .text {
      tool.output.write(ComparisonText(style: tool.outputStyle(arguments.color)).text(of: comparison))
    } else {
      tool.output.write(format.render(comparison))
    }
    return .succeeded
  }
}
