import AppBoot
import AppBootSystem

/// A namespace for functions that return the labels of a launch: those of the arguments, of environment variables and
/// of the CI server.
enum LabelArguments {
  /// The maximum number of labels in the arguments.
  static let mostLabels = 16
  /// The maximum number of bytes of a label's value.
  static let longestValue = 200
  private static let longestName = 40

  /// The name of the label that needs no value: its value is the name of the machine.
  private static let host = "host.name"

  /// Returns the labels, sorted by name. The first source of a label counts: the arguments, `APPBOOT_LABELS`, the
  /// variables of OpenTelemetry, the CI server.
  ///
  /// - Parameter seed: The seed for the label `order`; `nil` for no such label.
  /// - Throws: ``UsageError`` if a label of the arguments or of `APPBOOT_LABELS` is invalid.
  static func labels(
    _ arguments: ParsedArguments, seed: Int? = nil,
    variable: (String) -> String? = ProcessEnvironment.value(of:)
  ) throws(UsageError) -> [LaunchLabel] {
    let seeds = seed.map { ["order=--shuffle=\($0)"] } ?? []
    let given = (seeds + (arguments[.label] ?? [])).map { $0.splitAtEquals() }
    var labels = try self.labels(given, of: Option<[String]>.label.spelling)
    let variables = try self.labels((variable("APPBOOT_LABELS") ?? "").members, of: "APPBOOT_LABELS")
    for label in variables + resourceLabels(variable) + serverLabels(variable)
    where !labels.contains(where: { $0.name == label.name }) {
      labels.append(label)
    }
    return labels.count < 2 ? labels : labels.sorted { $0.name < $1.name }
  }

  private static func labels(
    _ members: [(name: String, value: String?)], of source: String
  ) throws(UsageError) -> [LaunchLabel] {
    var labels: [LaunchLabel] = []
    for (name, attached) in members {
      let value = attached ?? (name == host ? Host.name : nil)
      if let problem = problem(name, value) ?? (labels.count < mostLabels ? nil : tooMany) {
        throw .notALabel(
          option: source, value: attached.map { "\(name)=\($0)" } ?? name, problem: problem)
      }
      guard !labels.contains(where: { $0.name == name }) else { throw .repeatedLabel(name) }
      labels.append(LaunchLabel(name, value?.trimmed ?? ""))
    }
    return labels
  }

  private static var tooMany: String { "at most \(mostLabels) labels are allowed" }

  private static func problem(_ name: String, _ value: String?) -> String? {
    guard let value else { return "it has no \"=\"" }
    let isName = name.utf8.allSatisfy { $0.isWord || ".-".utf8.contains($0) }
    guard !name.isEmpty, name.utf8.count <= longestName, isName else {
      return "a name has 1 to \(longestName) ASCII letters, digits, dots, dashes and underscores"
    }
    if value.trimmed.isEmpty { return "the value is empty" }
    return isValue(value) ? nil : "a value has at most \(longestValue) bytes and no control characters"
  }

  private static func isValue(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestValue && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// Returns the labels of OpenTelemetry's variables. If launches are sent, the name of the machine is one of them.
  ///
  /// Attributes that cannot be labels are left out, and all after ``mostLabels``.
  private static func resourceLabels(_ variable: (String) -> String?) -> [LaunchLabel] {
    let service = variable("OTEL_SERVICE_NAME").map { [("service.name", $0 as String?)] } ?? []
    let own = TraceEndpoint(variable: variable) == nil ? [] : [(host, Host.name)]
    var labels: [LaunchLabel] = []
    for (name, value) in service + (variable("OTEL_RESOURCE_ATTRIBUTES") ?? "").members + own {
      guard labels.count < mostLabels else { break }
      guard let value, problem(name, value) == nil, !labels.contains(where: { $0.name == name }) else {
        continue
      }
      labels.append(LaunchLabel(name, value.trimmed))
    }
    return labels
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
    func value(_ name: String) -> String? { (variable(name)?.trimmed).flatMap { isValue($0) ? $0 : nil } }
    guard signs.contains(where: { value($0) != nil }),
      let server = servers.first(where: { value($0.commit) != nil }), let commit = value(server.commit)
    else { return [] }
    let branch = server.branches.compactMap(value).first
    return [LaunchLabel("commit", commit)] + (branch.map { [LaunchLabel("branch", $0)] } ?? [])
  }
}
