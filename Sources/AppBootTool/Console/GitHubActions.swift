import AppBoot
import AppBootSystem

/// The job of GitHub Actions in which the tool runs ("Workflow commands for GitHub Actions", GitHub).
struct GitHubActions {
  private let summaryFile: String?

  /// Creates the job of this process; returns `nil` outside of GitHub Actions.
  init?() {
    guard Self.isRunning else { return nil }
    summaryFile = ProcessEnvironment.value(of: "GITHUB_STEP_SUMMARY").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// True if GitHub's runner reads the tool's output.
  static var isRunning: Bool { ProcessEnvironment.value(of: "GITHUB_ACTIONS") == "true" }

  /// True if the reader of the output is a CI runner that interprets lines as commands: GitHub's, Azure's or
  /// TeamCity's.
  static var readsCommands: Bool {
    isRunning
      || ["TF_BUILD", "TEAMCITY_VERSION"].contains { ProcessEnvironment.value(of: $0)?.isEmpty == false }
  }

  /// Returns a file's path relative to the repository's root, as annotations need it.
  ///
  /// Returns the path unchanged outside of GitHub Actions, or if the file is not in the repository.
  static func path(of name: String) -> String {
    guard isRunning, let root = ProcessEnvironment.value(of: "GITHUB_WORKSPACE").flatMap(FileSystem.resolve),
      let file = FileSystem.resolve(name), file.hasPrefix(root + "/")
    else { return name }
    return String(file.dropFirst(root.count + 1))
  }

  /// Returns the text inside markers that keep GitHub's runner from interpreting its lines as workflow commands.
  func inert(_ text: String) -> String {
    let token = SecureRandom.hexadecimal(bytes: 16)
    return "::stop-commands::\(token)\n\(text)::\(token)::\n"
  }

  /// Appends Markdown to the summary of the job. Does nothing if the job has no summary.
  func append(summary: String) throws(SystemError) {
    guard let summaryFile else { return }
    try AppendFile(summaryFile).append(Array(summary.utf8))
  }
}
