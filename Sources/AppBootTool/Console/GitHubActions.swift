import AppBoot
import AppBootSystem

/// The job of GitHub Actions that the tool runs in ("Workflow commands for GitHub Actions", GitHub).
struct GitHubActions {
  private let summaryFile: String?

  /// Creates the job of this process; `nil` outside of GitHub Actions.
  init?() {
    guard Self.isRunning else { return nil }
    summaryFile = ProcessEnvironment.value(of: "GITHUB_STEP_SUMMARY").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// True if GitHub's runner reads the tool's output.
  static var isRunning: Bool { ProcessEnvironment.value(of: "GITHUB_ACTIONS") == "true" }

  /// True if a runner that takes lines of the output for commands reads it: GitHub's, Azure's or TeamCity's.
  static var readsCommands: Bool {
    isRunning
      || ["TF_BUILD", "TEAMCITY_VERSION"].contains { ProcessEnvironment.value(of: $0)?.isEmpty == false }
  }

  /// Returns a file's path from the repository's root, as annotations need it.
  ///
  /// Returns the name unchanged outside of GitHub Actions, or if the file is outside of the repository.
  static func path(of name: String) -> String {
    guard isRunning, let root = ProcessEnvironment.value(of: "GITHUB_WORKSPACE").flatMap(FileSystem.resolve),
      let file = FileSystem.resolve(name), file.hasPrefix(root + "/")
    else { return name }
    return String(file.dropFirst(root.count + 1))
  }

  /// Returns the text wrapped so that GitHub's runner interprets no line of it as a workflow command.
  func inert(_ text: String) throws(SystemError) -> String {
    let token = try SecureRandom.hexadecimal(bytes: 16)
    return "::stop-commands::\(token)\n\(text)::\(token)::\n"
  }

  /// Appends Markdown to the job summary, if the job has one.
  func append(summary: String) throws(SystemError) {
    guard let summaryFile else { return }
    try AppendFile(summaryFile).append(Array(summary.utf8))
  }
}
