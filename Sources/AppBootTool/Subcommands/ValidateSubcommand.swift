import AppBoot
import AppBootReports
import AppBootSystem

/// `validate`: every problem in the manifest.
enum ValidateSubcommand: Subcommand {
  static let name = "validate"
  static let abstract = "Reports every problem in a manifest, with its place and what to do."
  static var discussion: String {
    "Exit codes: 0 valid, warnings included; 3 invalid; 4 the file cannot be read. The github format writes workflow "
      + "commands, which become annotations at the manifest's lines."
  }
  static var operands: [Operand] { [.manifest] }
  static var options: [OptionDeclaration] { [format, .quiet, .color] }

  static let format = OptionDeclaration(
    "format", .choice(DiagnosticRenderer.Format.allCases.map(\.rawValue)),
    "text for people, json for editors, github for annotations. Default: text.")

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

  /// What is wrong, and how many commands the manifest lists.
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
