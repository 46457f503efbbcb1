import AppBoot
import AppBootReports
import AppBootSchema
import AppBootSystem

/// The subcommand `validate`, which reports all problems in a manifest.
enum ValidateSubcommand: Subcommand {
  static let name = "validate"
  static let abstract = "Reports every problem in a manifest, with its place and its fix."
  static let discussion = """
    The github format writes workflow commands, which become annotations at the manifest's lines.
    """
  static var operands: [Operand] { [.manifest] }
  static var options: [any OptionDeclaration] { [format, strict, .file, .quiet, .color] }

  static let format = Option<DiagnosticRenderer.Format>.format(
    "The output format: for people, for editors, or for annotations. Default: text.")

  static let strict = Option("strict", .flag, "Exit with 3 for warnings, too.")

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Valid, even with warnings.",
    .invalidManifest: "Invalid, or with --strict: it has warnings.",
    .preconditionMissing: "The file cannot be read.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let path = arguments.manifest()
    let format = arguments[format] ?? .text
    if arguments.usesPlan, let make = tool.plan {
      guard format == .text else {
        throw UsageError.conflict("--format \(format.rawValue)", "a plan in code")
      }
      return validate(try make(), isStrict: arguments.isSet(strict), isQuiet: arguments.isSet(.quiet), tool)
    }
    let (source, found, count) = try problems(of: path, tool.registry)
    let style = tool.outputStyle
    var renderer = DiagnosticRenderer(style)
    renderer.fileNamed = GitHubActions.path
    tool.output.write(renderer.render(found.shown, in: source, as: format))
    let (errors, warnings) = (found.errorCount, found.warningCount)
    if format == .text, !arguments.isSet(.quiet) {
      let verdict =
        errors == 0 ? style.paint("valid", .success) : style.paint(Self.count(errors, "error"), .failure)
      let counts = [
        warnings == 0 ? nil : style.paint(Self.count(warnings, "warning"), .warning),
        errors == 0 ? Self.count(count, "command") : nil,
      ]
      let facts = [verdict] + counts.compactMap(\.self)
      tool.output.write("\(style.visible(source.name)): \(facts.joined(separator: ", "))\n")
    }
    let isValid = errors == 0 && (warnings == 0 || !arguments.isSet(strict))
    return isValid ? .succeeded : .invalidManifest
  }

  /// Shows the warnings about a plan in code. Its mistakes are errors when it is made.
  private static func validate(
    _ plan: LaunchPlan, isStrict: Bool, isQuiet: Bool, _ tool: ToolContext
  ) -> ToolExit {
    let (style, warnings) = (tool.outputStyle, plan.warnings)
    for warning in warnings {
      tool.output.write("\(style.paint("warning:", .warning)) \(style.block(warning.description))\n")
    }
    if !isQuiet {
      let count = plan.events.values.reduce(plan.count) { $0 + $1.count }
      let facts = [
        style.paint("valid", .success),
        warnings.isEmpty ? nil : style.paint(Self.count(warnings.count, "warning"), .warning),
        Self.count(count, "command"),
      ]
      let text = facts.compactMap(\.self).joined(separator: ", ")
      tool.output.write("\(style.visible(plan.outline.name)): \(text)\n")
    }
    return warnings.isEmpty || !isStrict ? .succeeded : .invalidManifest
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Returns the manifest's text, its problems, and the number of its entries.
  private static func problems(
    of path: String, _ registry: CommandRegistry
  ) throws -> (SourceText, Diagnostics, count: Int) {
    let manifest: Manifest
    do {
      manifest = try Manifest(reading: path)
    } catch let error as PlanError {
      guard let source = error.source else { throw error }
      var found = Diagnostics()
      found.append(contentsOf: error.diagnostics)
      return (source, found, 0)
    }
    let count = manifest.events.reduce(manifest.commands.count) { $0 + $1.entries.count }
    let builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
    let problems = builder.problems()
    return (builder.shownSource, problems, count)
  }
}
