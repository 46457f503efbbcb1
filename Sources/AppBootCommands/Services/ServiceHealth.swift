import AppBootLifecycle
import AppBoot

/// The health of a service: that of one in Swift is reported with ``RunningService/report(_:)``, that of a process is
/// the answer of its ``LivenessProbe``.
public enum ServiceHealth: Sendable, Hashable {
  /// The service can do its work. The text is its status, for example "12 connections"; empty for none.
  case healthy(String = "")
  /// The service cannot do its work. The text is the reason, for example "no connection to the database".
  case unhealthy(String)

  /// True for ``healthy(_:)``.
  public var isHealthy: Bool { if case .healthy = self { true } else { false } }

  /// The status or the reason.
  public var text: String {
    switch self {
    case .healthy(let text), .unhealthy(let text): text
    }
  }

  /// The maximum number of bytes of a text.
  private static let limit = 500

  /// Returns the health with a text that shows no secret and is not too long for an answer to `status`.
  func masked(by secrets: Secrets) -> ServiceHealth {
    let text = secrets.masking(text).cut(to: Self.limit)
    return isHealthy ? .healthy(text) : .unhealthy(text)
  }

  /// The health in messages, for example "healthy: 12 connections".
  package var words: String { (isHealthy ? "healthy" : "unhealthy") + (text.isEmpty ? "" : ": \(text)") }

  /// Writes the health as members of the JSON object that is open in the writer.
  func write(to writer: inout JSONWriter) {
    writer.member("health", isHealthy ? "healthy" : "unhealthy")
    if !text.isEmpty { writer.member("statusText", text) }
  }
}
