import AppBoot
import AppBootReports

/// The help texts of the tool and of its subcommands. They are made from the declarations.
struct HelpText {
  let tool: String
  let style: TextStyle

  private var width: Int { min(style.width ?? 100, 100) }

  /// Returns the summary of the tool and the list of its subcommands.
  func overview(of subcommands: [any Subcommand.Type], _ own: [ToolSubcommand]) -> String {
    let rows = subcommands.map { ($0.name, $0.abstract) }
    var text = "\(heading("usage:")) \(tool) SUBCOMMAND [MANIFEST] [options]\n\n"
    text += wrapped(
      "Boots an app from a manifest of commands: in order, timed, with a reason for every failure.")
    if !own.isEmpty {
      text += "\n\(heading("subcommands of \(tool):"))\n" + table(own.map { ($0.name, $0.help) })
    }
    text += "\n\(heading("subcommands:"))\n" + table(rows) + "\n"
    return text
      + wrapped("`\(tool) help SUBCOMMAND` explains a subcommand. The default manifest is commands.json.")
  }

  /// Returns the help of an app's own subcommand. Its arguments are known to the app only.
  func text(of own: ToolSubcommand) -> String {
    "\(heading("usage:")) \(tool) \(own.name) [arguments]\n\n" + wrapped(own.help)
  }

  /// Returns the help of one subcommand: usage, abstract, arguments, options and discussion.
  func text(of subcommand: any Subcommand.Type) -> String {
    let operands = subcommand.operands.map { $0.isRequired ? " \($0.name)" : " [\($0.name)]" }.joined()
    let options = subcommand.options
    var text =
      "\(heading("usage:")) \(tool) \(subcommand.name)\(operands)\(options.isEmpty ? "" : " [options]")"
    text += subcommand.takesCommand ? " [-- COMMAND ARGS]\n\n" : "\n\n"
    text += wrapped(subcommand.abstract)
    if !subcommand.operands.isEmpty {
      text += "\n\(heading("arguments:"))\n" + table(subcommand.operands.map { ($0.name, $0.help) })
    }
    text += "\n\(heading("options:"))\n" + table(options.map(row) + [("-h, --help", "Show this help.")])
    if !subcommand.discussion.isEmpty {
      text += "\n" + wrapped(subcommand.discussion)
    }
    return text
  }

  private func wrapped(_ text: String) -> String {
    style.wrap(text, to: width).joined(separator: "\n") + "\n"
  }

  private func heading(_ text: String) -> String { style.paint(text, .heading) }

  private func row(_ option: OptionDeclaration) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? ""
    let value = option.placeholder.map { " \($0)" } ?? ""
    return ("\(short)\(option.spelling)\(value)", option.help)
  }

  /// Returns rows as two columns. The help of a long name begins on the next line.
  private func table(_ rows: [(name: String, help: String)]) -> String {
    let column = min(rows.map(\.name.count).max() ?? 0, 26) + 4
    let indent = String(repeating: " ", count: column)
    return rows.map { name, help in
      let lines = style.wrap(help, to: max(20, width - column))
      let isLong = name.count + 4 > column
      let left = isLong ? "  \(name)\n\(indent)" : DisplayWidth.pad("  \(name)", to: column)
      return left + lines.joined(separator: "\n\(indent)") + "\n"
    }.joined()
  }
}
