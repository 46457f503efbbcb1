import AppBoot
import AppBootSystem

/// A namespace for functions that return the labels of a launch: those of the arguments and those of the CI server.
enum LabelArguments {
  /// The maximum number of labels in the arguments.
  static let mostLabels = 16
  /// The maximum number of bytes of a label's value.
  static let longestValue = 200
  private static let longestName = 40

  /// Returns the labels, sorted by name. A label of the arguments replaces that of the CI server.
  ///
  /// - Throws: ``UsageError`` if a label is invalid.
  static func labels(
    _ arguments: ParsedArguments, variable: (String) -> String? = ProcessEnvironment.value(of:)
  ) throws(UsageError) -> [LaunchLabel] {
    var labels: [LaunchLabel] = []
    for text in arguments.values[OptionDeclaration.label.name] ?? [] {
      let label = try label(text)
      guard !labels.contains(where: { $0.name == label.name }) else { throw .repeatedLabel(label.name) }
      guard labels.count < mostLabels else { throw invalid(text, "at most \(mostLabels) labels are allowed") }
      labels.append(label)
    }
    for label in serverLabels(variable) where !labels.contains(where: { $0.name == label.name }) {
      labels.append(label)
    }
    return labels.count < 2 ? labels : labels.sorted { $0.name < $1.name }
  }

  private static func label(_ text: String) throws(UsageError) -> LaunchLabel {
    let (name, attached) = text.splitAtEquals()
    guard let value = attached else { throw invalid(text, "it has no \"=\"") }
    let isName = name.utf8.allSatisfy { $0.isWord || ".-".utf8.contains($0) }
    guard !name.isEmpty, name.utf8.count <= longestName, isName else {
      throw invalid(
        text, "a name has 1 to \(longestName) ASCII letters, digits, dots, dashes and underscores")
    }
    guard !value.isEmpty else { throw invalid(text, "the value is empty") }
    guard isValue(value) else {
      throw invalid(text, "a value has at most \(longestValue) bytes and no control characters")
    }
    return LaunchLabel(name, value)
  }

  private static func invalid(_ text: String, _ problem: String) -> UsageError {
    .notALabel(option: OptionDeclaration.label.spelling, value: text, problem: problem)
  }

  private static func isValue(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestValue && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  // MARK: - CI servers

  /// The variables with the commit and the branch of each CI server, first that of a pull request.
  ///
  /// Sources: "Default environment variables" (GitHub), "Predefined CI/CD variables" (GitLab), "Environment variables"
  /// (Buildkite), "Built-in environment variables" (CircleCI), "Predefined variables" (Azure Pipelines), "Git plugin"
  /// (Jenkins).
  private static let servers: [(commit: String, branches: [String])] = [
    ("GITHUB_SHA", ["GITHUB_HEAD_REF", "GITHUB_REF_NAME"]),
    ("CI_COMMIT_SHA", ["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME", "CI_COMMIT_BRANCH"]),
    ("BUILDKITE_COMMIT", ["BUILDKITE_BRANCH"]),
    ("CIRCLE_SHA1", ["CIRCLE_BRANCH"]),
    ("BUILD_SOURCEVERSION", ["BUILD_SOURCEBRANCHNAME"]),
    ("GIT_COMMIT", ["GIT_BRANCH"]),
  ]

  /// The variables of which at least one is set on a CI server.
  private static let signs = ["CI", "TF_BUILD", "JENKINS_URL"]

  /// Returns the labels `commit` and `branch` of a CI server; an empty array elsewhere.
  private static func serverLabels(_ variable: (String) -> String?) -> [LaunchLabel] {
    func value(_ name: String) -> String? { variable(name).flatMap { isValue($0) ? $0 : nil } }
    guard signs.contains(where: { value($0) != nil }),
      let server = servers.first(where: { value($0.commit) != nil }), let commit = value(server.commit)
    else { return [] }
    let branch = server.branches.compactMap(value).first
    return [LaunchLabel("commit", commit)] + (branch.map { [LaunchLabel("branch", $0)] } ?? [])
  }
}
