import AppBoot

/// An error in the name, the payload, the URL or the scene of an event.
package enum LifecycleEventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A part of an event that can be missing or unexpected. The command line has an option of the same name.
  package enum Part: String, Sendable, Hashable, CaseIterable {
    /// The payload, which is the option `--payload`.
    case payload
    /// The URL, which is the option `--url`.
    case url
    /// The scene, which is the option `--scene`.
    case scene
  }

  /// The name of the event is unknown.
  case unknownEvent(String, suggestion: String?, known: [String])
  /// The event requires this part.
  case missing(Part, event: String)
  /// The event does not accept this part.
  case unexpected(Part, event: String)
  /// The payload is not JSON. `reason` is the first syntax error.
  case payloadNotJSON(event: String, reason: String)
  /// The payload does not have the form that the event requires. `expected` describes the form.
  case payloadMismatch(event: String, expected: String)
  /// The URL is empty, has spaces or control characters, or has no scheme. `problem` says which of these applies.
  case invalidURL(String, event: String, problem: String)
  /// The scene's name is empty, or longer than ``SceneID/longestName`` bytes. `bytes` is its length.
  case invalidScene(bytes: Int, event: String)

  /// The error message: the cause and the fix.
  package var description: String {
    switch self {
    case .unknownEvent(let name, let suggestion, let known):
      "unknown event \"\(name)\": "
        + (suggestion.map { "did you mean \"\($0)\"?" } ?? "the events are \(known.joined(separator: ", "))")
    case .missing(let part, let event): "\(event) needs a \(part.rawValue): give it with --\(part.rawValue)"
    case .unexpected(let part, let event):
      "\(event) takes no \(part.rawValue): remove --\(part.rawValue)"
    case .payloadNotJSON(let event, let reason): "the payload of \(event) is not JSON: \(reason)"
    case .payloadMismatch(let event, let expected): "the payload of \(event) must be \(expected)"
    case .invalidURL(let url, let event, let problem):
      "\"\(url)\" is not a valid URL for \(event): it \(problem)"
    case .invalidScene(let bytes, let event):
      "the scene's name for \(event) has \(bytes) bytes: it must have 1 to \(SceneID.longestName)"
    }
  }
}
