import AppBoot
import AppBootReports
import AppBootSystem

/// The subcommand `help`, which prints the help of the tool or of a subcommand.
enum HelpSubcommand: Subcommand {
  static let name = "help"
  static let abstract = "Shows this help, or the help of a subcommand or a topic."
  static var operands: [Operand] {
    let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    return [
      Operand(
        name: "SUBCOMMAND", help: "The subcommand, a command, a key of the manifest, or a topic: \(topics).",
        value: .subcommand)
    ]
  }
  static var options: [any OptionDeclaration] { [format] }

  static let format = Option<Format>.format(
    "The output format; markdown and man are the help of all subcommands. Default: text.")

  enum Format: String, CaseIterable {
    case text, markdown, man
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    if let format = arguments[format], format != .text {
      if !arguments.operands.isEmpty { throw UsageError.conflict("SUBCOMMAND", "--format \(format)") }
      tool.output.write(
        format == .man
          ? HelpManual(tool: tool.name, version: tool.version).page : HelpMarkdown(tool: tool.name).page)
      return .succeeded
    }
    let help = HelpText(tool: tool.name, style: tool.outputStyle)
    guard let name = arguments.operands.first else {
      tool.output.write(help.overview(tool.ownSubcommands))
      return .succeeded
    }
    if let own = tool.ownSubcommands.first(where: { $0.name == name }) {
      tool.output.write(help.text(of: own))
    } else if let topic = HelpTopic(rawValue: name) {
      tool.output.write(help.text(of: topic))
    } else if let subcommand = Subcommands.named(name) {
      tool.output.write(help.text(of: subcommand))
    } else if let command = tool.registry[name] {
      tool.output.write(CatalogueText(style: tool.outputStyle).page(command))
    } else if HelpTopic.manifest.keys.contains(name) {
      tool.output.write(help.text(of: .manifest))
    } else {
      let others =
        tool.ownSubcommands.map(\.name) + HelpTopic.allCases.map(\.rawValue) + tool.registry.names
        + HelpTopic.manifest.keys
      tool.output.write(help.text(of: try Subcommands.require(name, besides: others)))
    }
    return .succeeded
  }
}

/// The help texts of the tool and of its subcommands. They are made from the declarations.
struct HelpText {
  let tool: String
  let style: TextStyle

  private var width: Int { min(style.width ?? 100, 100) }

  /// Returns the summary of the tool and the list of its subcommands, with those of the app.
  func overview(_ own: [ToolSubcommand]) -> String {
    var text = "\(heading("usage:")) \(tool) SUBCOMMAND [MANIFEST] [options]\n\n"
    text += wrapped(
      "Boots an app from a manifest of commands: in order, timed, with a reason for every failure.")
    text += section(
      "examples",
      [
        ("\(tool) init && \(tool) run", "Write a starter manifest, and run it."),
        ("\(tool) check --against ../main", "Fail if the launch is slower than that of another checkout."),
      ])
    text += section("subcommands of \(tool)", own.map { ($0.name, $0.help) })
    // The names of all groups have one column.
    let column = Subcommands.all.map { $0.name.count }.max() ?? 0
    for (group, subcommands) in Subcommands.groups {
      text += section(group, subcommands.map { ($0.name, $0.abstract) }, column: column)
    }
    text += section("help topics", HelpTopic.allCases.map { ($0.rawValue, $0.abstract) }, column: column)
    return text + "\n"
      + wrapped(
        "`\(tool) help NAME` explains a subcommand or a topic. The default manifest is commands.json or "
          + "commands.jsonc, here or in the nearest directory above that only you can change. "
          + "`\(tool) -C DIR SUBCOMMAND` changes the directory first.")
  }

  /// Returns the help of a topic: its text, and its tables.
  func text(of topic: HelpTopic) -> String {
    let tables = topic.tables.map { title, fields in
      section(title, fields.map { ($0.name, "\($0.help) (\($0.schema.description))") })
    }
    let blocks = topic.text.split(separator: "\n\n").map { block in
      let lines = block.split(separator: "\n")
      // The lines of examples stay as they are.
      return block.hasPrefix("  ") ? lines.map { "\($0)\n" }.joined() : wrapped(lines.joined(separator: " "))
    }
    return blocks.joined(separator: "\n") + tables.joined()
  }

  /// Returns the help of an app's own subcommand. Its arguments are known to the app only.
  func text(of own: ToolSubcommand) -> String {
    "\(heading("usage:")) \(tool) \(own.name) [arguments]\n\n" + wrapped(own.help)
  }

  /// Returns the help of one subcommand: usage, abstract, tables and discussion.
  func text(of subcommand: any Subcommand.Type) -> String {
    let usage = style.wrap("usage: " + Self.usage(of: subcommand, tool: tool), to: width).joined(
      separator: "\n  ")
    var text = heading("usage:") + usage.dropFirst("usage:".count) + "\n\n"
    text += wrapped(subcommand.abstract)
    for (title, rows) in Self.tables(of: subcommand) { text += section(title, rows) }
    if !subcommand.discussion.isEmpty { text += "\n" + wrapped(subcommand.discussion) }
    return text
  }

  /// Returns the form of a subcommand's command lines.
  static func usage(of subcommand: any Subcommand.Type, tool: String) -> String {
    let operands = subcommand.operands.map { operand in
      let name = operand.name + (operand.isRepeated ? "..." : "")
      return operand.isRequired ? " \(name)" : " [\(name)]"
    }.joined()
    return "\(tool) \(subcommand.name)\(operands)\(subcommand.options.isEmpty ? "" : " [options]")"
      + (subcommand.takesCommand ? " [-- COMMAND ARGS]" : "")
  }

  /// Returns the tables of a subcommand's help that have rows: arguments, options and exit codes.
  static func tables(
    of subcommand: any Subcommand.Type
  ) -> [(title: String, rows: [(name: String, help: String)])] {
    let common = subcommand.options.filter { !$0.isAdvanced }.map(row) + [("-h, --help", "Show this help.")]
    let tables = [
      ("arguments", subcommand.operands.map { ($0.name, $0.help) }),
      ("options", common),
      ("advanced options", subcommand.options.filter(\.isAdvanced).map(row)),
      ("exit codes", subcommand.exits.map { ($0.label, $1) }),
    ]
    return tables.filter { !$0.1.isEmpty }
  }

  /// Returns a heading and a table; an empty text if the table has no rows.
  private func section(_ title: String, _ rows: [(name: String, help: String)], column: Int = 0) -> String {
    guard !rows.isEmpty else { return "" }
    let rows = rows.map { ($0.name, $0.help) }
    return "\n\(heading("\(title):"))\n"
      + style.definitions(rows, indent: 2, least: column, most: 26, width: width)
  }

  private func wrapped(_ text: String) -> String {
    style.wrap(text, to: width).joined(separator: "\n") + "\n"
  }

  private func heading(_ text: String) -> String { style.paint(text, .heading) }

  /// Returns an option as it is written, and its help.
  private static func row(_ option: any OptionDeclaration) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? ""
    return ("\(short)\(option.spelling)\(option.valueHelp)", option.help)
  }
}

/// A writer of the help of all subcommands as Markdown, as in `Docs/cli.md`.
struct HelpMarkdown {
  let tool: String

  /// Returns the page.
  var page: String {
    """
    # The command line

    `\(tool) help SUBCOMMAND` explains a subcommand. `\(tool) help --format markdown` prints this page.

    """
      + Subcommands.groups.map { group, subcommands in
        "\n## \(group.prefix(1).uppercased())\(group.dropFirst())\n" + subcommands.map(section).joined()
      }.joined()
  }

  private func section(_ subcommand: any Subcommand.Type) -> String {
    var text = "\n### \(subcommand.name)\n\n\(subcommand.abstract)\n"
    text += "\n```\n\(HelpText.usage(of: subcommand, tool: tool))\n```\n"
    if !subcommand.discussion.isEmpty { text += "\n\(subcommand.discussion)\n" }
    for (title, rows) in HelpText.tables(of: subcommand) {
      text += "\n| \(title) | |\n|---|---|\n"
      for (name, help) in rows {
        text += "| \(CatalogueMarkdown.cell("`\(name)`")) | \(CatalogueMarkdown.cell(help)) |\n"
      }
    }
    return text
  }
}

/// A writer of the help of all subcommands as a page of man(1), in the macros of man(7).
struct HelpManual {
  let tool: String
  let version: String

  /// Returns the page.
  var page: String {
    var text = ".TH \(tool.uppercased()) 1 \"\" \"\(tool) \(version)\"\n.SH NAME\n"
    text += "\(Self.escaped(tool)) \\- boots an app from a manifest of commands\n"
    text += ".SH SYNOPSIS\n.B \(Self.escaped(tool))\n[\\-C DIR] SUBCOMMAND [MANIFEST] [options]\n"
    for (group, subcommands) in Subcommands.groups {
      text += ".SH \(Self.escaped(group.uppercased()))\n" + subcommands.map(section).joined()
    }
    return text
  }

  private func section(_ subcommand: any Subcommand.Type) -> String {
    var text = ".SS \(Self.escaped(HelpText.usage(of: subcommand, tool: tool)))\n"
    text += Self.escaped(subcommand.abstract) + "\n"
    for paragraph in subcommand.discussion.split(separator: "\n\n") {
      text += ".PP\n" + Self.escaped(String(paragraph)) + "\n"
    }
    for (title, rows) in HelpText.tables(of: subcommand) {
      text += ".PP\n\(Self.escaped(title)):\n"
      for (name, help) in rows { text += ".TP\n.B \(Self.escaped(name))\n\(Self.escaped(help))\n" }
    }
    return text
  }

  /// Returns a text in which no line is a request, and a dash stays a dash.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isRequest = line.hasPrefix(".") || line.hasPrefix("'")
      let text = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return (isRequest ? "\\&" : "") + text
    }.joined(separator: "\n")
  }
}
