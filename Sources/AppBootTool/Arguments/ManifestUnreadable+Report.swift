import AppBoot
import AppBootSystem

extension ManifestUnreadable: ReportableError {
  var message: String { description }

  func help(tool: String) -> String? {
    guard isMissing else { return nil }
    if path == ParsedArguments.defaultManifest {
      return "`\(tool) init` writes a \(ParsedArguments.defaultManifest) to start from"
    }
    return isStep ? "\"\(path)\" is a step of \(ParsedArguments.defaultManifest): \(call(of: tool))" : nil
  }

  private func call(of tool: String) -> String { "\(tool) run --only \(ParsedArguments.asListed(path))" }

  /// True if the path is the id of a step in the default manifest.
  private var isStep: Bool {
    guard let manifest = try? Manifest(reading: ParsedArguments.defaultManifest)
    else {
      return false
    }
    return manifest.commands.contains { $0.id == path }
  }
}
