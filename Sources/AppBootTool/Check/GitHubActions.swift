import AppBoot
import AppBootSystem

/// What a check does by itself where it runs in GitHub Actions ("Workflow commands for GitHub Actions", GitHub).
struct GitHubActions {
  private let summaryFile: String?

  /// `nil` elsewhere.
  init?() {
    guard Self.isRunning else { return nil }
    summaryFile = ProcessEnvironment.value(of: "GITHUB_STEP_SUMMARY").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether what is written is read by GitHub's runner.
  static var isRunning: Bool { ProcessEnvironment.value(of: "GITHUB_ACTIONS") == "true" }

  /// The path of a file as annotations want it, from the repository's root; elsewhere, and outside of it, as it is named.
  static func path(of name: String) -> String {
    guard isRunning, let root = ProcessEnvironment.value(of: "GITHUB_WORKSPACE").flatMap(FileSystem.resolve),
      let file = FileSystem.resolve(name), file.hasPrefix(root + "/")
    else { return name }
    return String(file.dropFirst(root.count + 1))
  }

  /// A text in which nothing is taken for a workflow command, whatever a step printed.
  func inert(_ text: String) throws(SystemError) -> String {
    let token = try SecureRandom.hexadecimal(bytes: 16)
    return "::stop-commands::\(token)\n\(text)::\(token)::\n"
  }

  /// Adds to the summary of the job's step.
  func append(summary: String) throws(SystemError) {
    guard let summaryFile else { return }
    try AppendFile(summaryFile).append(Array(summary.utf8))
  }
}
