import AppBoot

/// A topic of `help` that is not a subcommand: the keys of a manifest, or a concept.
enum HelpTopic: String, CaseIterable {
  case manifest, order, failure, variables, secrets, services

  /// The keys in the tables of the topic.
  var keys: [String] { tables.flatMap { $0.fields.map(\.name) } }

  /// The topic in one line.
  var abstract: String {
    switch self {
    case .manifest: "The keys of a manifest and of its entries."
    case .order: "In which order steps run, and which run in parallel."
    case .failure: "What a failure does: attempts, timeouts, undo."
    case .variables: "Where values come from: the environment, files, other steps."
    case .secrets: "Which values are hidden."
    case .services: "Processes that keep running: readiness, restarts, stopping."
    }
  }

  /// The tables of the topic.
  var tables: [(title: String, fields: [ParameterField])] {
    guard self == .manifest else { return [] }
    return [
      ("keys of the manifest", ManifestReader.keys.map(\.field)),
      ("keys of an entry", ManifestEntry.keys.map(\.field)),
      ("in place of command and with", ManifestEntry.shellKeys.map(\.field).filter(\.isRequired)),
      ("keys of when; all must hold", LaunchCondition.keys.map(\.field)),
      ("keys of unless; exactly one", UnlessCondition.keys.map(\.field)),
      ("keys of retry", RetryPolicy.keys.map(\.field)),
    ]
  }

  /// The text of the topic, with an example: paragraphs, and blocks of indented lines, between empty lines.
  var text: String {
    switch self {
    case .manifest: HelpFiles.manifest
    case .order: HelpFiles.order
    case .failure: HelpFiles.failure
    case .variables: HelpFiles.variables
    case .secrets: HelpFiles.secrets
    case .services: HelpFiles.services
    }
  }
}
