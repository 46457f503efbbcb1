import AppBoot
import AppBootLifecycle

/// An error with which the app answers a request that it does not carry out. Its kind decides the client's exit code.
enum ControlError: ReportableError, Hashable {
  /// The request does not follow the protocol.
  case malformed(String)
  /// The event is wrong: its name, its payload, its URL or its scene.
  case usage(String)
  /// The app's state does not allow the request, for example because the scene is unknown or the app is ending.
  case refused(String)
  /// The app has another manifest than the request names. The value is the app's.
  case otherManifest(String)

  /// The reason of a refusal because the app is ending.
  static let ending = "the app is ending"

  var kind: String {
    switch self {
    case .malformed: "malformed"
    case .usage: "usage"
    case .refused: "refused"
    case .otherManifest: "otherManifest"
    }
  }

  var message: String {
    switch self {
    case .malformed(let reason): "malformed request: \(reason)"
    case .usage(let message), .refused(let message): message
    case .otherManifest(let manifest): manifest
    }
  }

  var exit: ToolExit {
    switch self {
    case .malformed, .usage: .usage
    case .refused, .otherManifest: .preconditionMissing
    }
  }

  init?(kind: String?, message: String) {
    switch kind {
    case "malformed", "usage": self = .usage(message)
    case "refused": self = .refused(message)
    case "otherManifest": self = .otherManifest(message)
    default: return nil
    }
  }

  /// The line that answers the request: `{ "version": 1, "error": { "kind", "message" } }`.
  var json: String {
    JSONWriter.object { writer in
      writer.member("version", Control.version)
      writer.key("error")
      writer.object { writer in
        writer.member("kind", kind)
        // It may quote the request.
        writer.member("message", message.cut(to: Control.limit / 8))
      }
    }
  }
}
