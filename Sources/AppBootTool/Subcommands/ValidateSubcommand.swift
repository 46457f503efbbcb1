import AppBoot
import AppBootReports
import AppBootSystem

/// `validate`: reports every problem in a manifest.
enum ValidateSubcommand: Subcommand {
  static let name = "validate"
  static let abstract = "Reports every problem in a manifest, with its place and its fix."
  static var discussion: String {
    """
    The github format writes workflow commands, which become annotations at the manifest's lines.

    Exit codes: 0 valid, even with warnings; 3 invalid; 4 the file cannot be read.
    """
  }
  static var operands: [Operand] { [.manifest] }
  static var options: [OptionDeclaration] { [format, .quiet, .color] }

  static let format = OptionDeclaration(
    "format", .choice(DiagnosticRenderer.Format.allCases.map(\.rawValue)),
    "The output format: for people, for editors, or for annotations. Default: text.")

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let path = arguments.manifest()
    let format = arguments.choice(format, as: DiagnosticRenderer.Format.self) ?? .text
    let (source, problems, count) = try problems(of: path, tool.registry)
    let style = tool.outputStyle(arguments.color)
    var renderer = DiagnosticRenderer(style)
    renderer.fileNamed = GitHubActions.path
    tool.output.write(renderer.render(problems, in: source, as: format))
    let errors = problems.filter { $0.severity == .error }.count
    if format == .text, !arguments.isSet(.quiet) {
      let name = style.visible(source.name)
      tool.output.write(
        errors == 0
          ? "\(name): \(style.paint("valid", .success)), \(count) command\(count == 1 ? "" : "s")\n"
          : "\(name): \(style.paint("\(errors) error\(errors == 1 ? "" : "s")", .failure))\n")
    }
    return errors == 0 ? .succeeded : .invalidManifest
  }

  /// Returns the problems, and the number of entries in the manifest.
  private static func problems(
    of path: String, _ registry: CommandRegistry
  ) throws -> (SourceText, [Diagnostic], count: Int) {
    let manifest: Manifest
    do {
      manifest = try Manifest(reading: path)
    } catch let error as ManifestError {
      return (error.source, error.diagnostics, 0)
    }
    let count = manifest.events.reduce(manifest.commands.count) { $0 + $1.entries.count }
    let builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
    return (manifest.source, builder.problems(), count)
  }
}
