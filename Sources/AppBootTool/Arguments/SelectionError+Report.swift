import AppBoot

extension SelectionError: ReportableError {
  var message: String { problem }
  var exit: ToolExit { .usage }

  func help(tool: String) -> String? {
    if let suggestions { return suggestions }
    guard known.count <= 20 else { return "`\(tool) list` shows the steps" }
    return "the steps are \(known.map(ParsedArguments.asListed).joined(separator: ", "))"
  }
}
