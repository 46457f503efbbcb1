import AppBoot
import AppBootBase
import AppBootSystem

extension ManifestUnreadable: ReportableError {
  var message: String { description }

  func help(tool: String) -> String? {
    let inside = FileSystem.join(path, ParsedArguments.defaultManifest)
    if FileSystem.exists(inside) { return "name the manifest in it: \(inside)" }
    guard isMissing else { return nil }
    if path == ParsedArguments.defaultManifest {
      return "`\(tool) init` writes a \(ParsedArguments.defaultManifest) to start from"
    }
    if path.contains("=") { return "set a variable before the tool: \(path) \(tool) run" }
    guard isStep else { return nil }
    return
      "\"\(path)\" is a step of \(ParsedArguments.defaultManifest): --only \(ParsedArguments.asListed(path))"
  }

  /// True if the path is the id of a step in the default manifest.
  private var isStep: Bool {
    guard let manifest = try? Manifest(reading: ParsedArguments.defaultManifest)
    else {
      return false
    }
    return manifest.commands.contains { $0.id == path }
  }
}
