import AppBoot

/// Why a name and what came with it are no event.
public enum LifecycleEventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What can come with an event.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// `--payload`
    case payload
    /// `--url`
    case url
    /// `--scene`
    case scene
  }

  /// No event has this name.
  case unknownEvent(String, suggestion: String?, known: [String])
  /// The event cannot do without this.
  case missing(Part, event: String)
  /// The event has no use for this.
  case superfluous(Part, event: String)
  /// The payload is not JSON; with the first mistake.
  case payloadNotJSON(event: String, reason: String)
  /// The payload is something else than it should be; the words say what it should be.
  case payloadMismatch(event: String, expected: String)
  /// The URL is empty, has white space in it, or has no scheme; the words say which.
  case invalidURL(String, event: String, problem: String)
  /// The scene's name is empty, or longer than ``SceneID/longestName``; with how many bytes it has.
  case invalidScene(bytes: Int, event: String)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .unknownEvent(let name, let suggestion, let known):
      "unknown event \"\(name)\": "
        + (suggestion.map { "did you mean \"\($0)\"?" } ?? "the events are \(known.joined(separator: ", "))")
    case .missing(let part, let event): "\(event) needs a \(part.rawValue): give it with --\(part.rawValue)"
    case .superfluous(let part, let event):
      "\(event) takes no \(part.rawValue): leave out --\(part.rawValue)"
    case .payloadNotJSON(let event, let reason): "the payload of \(event) is not JSON: \(reason)"
    case .payloadMismatch(let event, let expected): "the payload of \(event) must be \(expected)"
    case .invalidURL(let url, let event, let problem):
      "\"\(url)\" is not a URL that \(event) can take: it \(problem)"
    case .invalidScene(let bytes, let event):
      "the scene's name that came with \(event) has \(bytes) bytes: give it 1 to \(SceneID.longestName)"
    }
  }
}
