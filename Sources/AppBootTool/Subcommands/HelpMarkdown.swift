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
