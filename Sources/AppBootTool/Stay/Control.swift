import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem

/// A namespace for the protocol of the control socket.
enum Control {
  static let version = 1
  /// The maximum length of a request and of an answer, in bytes.
  static let limit = 1 << 20
  static let socketName = "control.sock"
  static let lockName = "control.lock"
  static let stateName = "status.json"
  /// The words for a service that was started after a change of the manifest.
  static let renewed = "using its entry from the changed manifest"

  /// Returns the line that answers a successful request: `{ "version": 1, "KEY": JSON }`.
  static func answer(_ key: String, _ json: String) -> String {
    JSONWriter.object { writer in
      writer.member("version", version)
      writer.member(key, json: json)
    }
  }

  /// Reads the next line, and returns it without its line feed; `nil` if it is longer than ``limit``.
  ///
  /// If the peer closes the connection, the line ends there.
  ///
  /// - Throws: `SystemError` if reading fails or the deadline passes.
  static func readLine(_ socket: StreamSocket, until deadline: Int64?) throws(SystemError) -> [UInt8]? {
    var line: [UInt8] = []
    while line.count <= limit {
      let bytes = try socket.read(until: deadline)
      if bytes.isEmpty { return line }
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return line + bytes[..<end] }
      line += bytes
    }
    return nil
  }
}

/// A request from another process to an app that stays. It is sent as one line of JSON.
enum ControlRequest: Sendable, Hashable {
  case status
  /// Asks for the events of the app as lines, until the client closes the connection or the app ends.
  case watch
  /// Ends the app. The answer comes when everything that it started has ended.
  case end
  case emit(event: String, payload: String?, url: String?, scene: String?)
  case service(ServiceAction, id: String)

  /// Returns the line of JSON, without its line feed.
  ///
  /// - Parameter manifest: The path of the manifest that the app must have; `nil` for any app.
  func json(toAppOf manifest: String?) -> String {
    JSONWriter.object { writer in
      writer.member("version", Control.version)
      if let manifest { writer.member("manifest", manifest) }
      switch self {
      case .status: writer.member("request", "status")
      case .watch: writer.member("request", "watch")
      case .end: writer.member("request", "end")
      case .emit(let event, let payload, let url, let scene):
        writer.member("request", "emit")
        writer.member("event", event)
        if let payload { writer.member("payload", payload) }
        if let url { writer.member("url", url) }
        if let scene { writer.member("scene", scene) }
      case .service(let action, let id):
        writer.member("request", action.name)
        writer.member("service", id)
        if case .kill(let signal) = action { writer.member("signal", Signals.name(signal)) }
      }
    }
  }

  /// Reads a request.
  ///
  /// - Parameter manifest: The path of the app's manifest; `nil` for none. A request to an app of another manifest is
  ///   an error.
  init(json line: [UInt8], manifest: String? = nil) throws(ControlError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: SourceText(name: "request", bytes: line))
    } catch {
      throw .malformed("it is not JSON: \(error.diagnostics.first?.message ?? "it cannot be read")")
    }
    let root = document.root
    if let doubled = document.duplicateKeys.first {
      throw .malformed("the key \"\(doubled.key.cut(to: 80))\" occurs twice")
    }
    guard root.kind == .object else { throw .malformed("it is not an object") }
    let version = try? root["version"]?.integer(as: Int.self)
    guard version == Control.version else { throw .malformed("its version must be \(Control.version)") }
    if let asked = try Self.text("manifest", root), !ManifestScope.isSame(asked, manifest) {
      throw ControlError(kind: .otherManifest, message: manifest ?? "another manifest")
    }
    switch root["request"]?.string {
    case "status": self = .status
    case "watch": self = .watch
    case "end": self = .end
    case "emit":
      guard let event = root["event"]?.string else { throw .malformed("it has no \"event\"") }
      self = .emit(
        event: event, payload: try Self.text("payload", root), url: try Self.text("url", root),
        scene: try Self.text("scene", root))
    case "stop": self = try .service(.stop, id: Self.service(root))
    case "restart": self = try .service(.restart, id: Self.service(root))
    case "start": self = try .service(.start, id: Self.service(root))
    case "kill":
      guard let signal = root["signal"]?.string.flatMap(Signals.number) else {
        throw .malformed("its \"signal\" must be the name of a signal")
      }
      self = try .service(.kill(signal), id: Self.service(root))
    case let name: throw .malformed(name.map { "unknown request \"\($0)\"" } ?? "it has no \"request\"")
    }
  }

  private static func service(_ root: JSONValue) throws(ControlError) -> String {
    guard let id = root["service"]?.string else { throw .malformed("it has no \"service\"") }
    return id
  }

  private static func text(_ key: String, _ root: JSONValue) throws(ControlError) -> String? {
    guard let member = root[key], !member.isNull else { return nil }
    guard let text = member.string else { throw .malformed("its \(key) must be a string") }
    return text
  }
}

/// An error with which the app answers a request that it does not carry out. Its kind decides the client's exit code.
struct ControlError: ReportableError, Hashable {
  enum Kind: String {
    /// The request does not follow the protocol.
    case malformed
    /// The event is wrong: its name, its payload, its URL or its scene.
    case usage
    /// The app's state does not allow the request, for example because the scene is unknown or the app is ending.
    case refused
    /// The app has another manifest than the request names. The message is the app's manifest.
    case otherManifest
  }

  let kind: Kind
  let message: String

  var exit: ToolExit { [.malformed, .usage].contains(kind) ? .usage : .preconditionMissing }

  static func malformed(_ reason: String) -> Self {
    Self(kind: .malformed, message: "malformed request: \(reason)")
  }
  static func usage(_ message: String) -> Self { Self(kind: .usage, message: message) }
  static func refused(_ message: String) -> Self { Self(kind: .refused, message: message) }

  /// The refusal of an app that is ending.
  static let ending = refused("the app is ending")

  /// The line that answers the request: `{ "version": 1, "error": { "kind", "message" } }`.
  var json: String {
    JSONWriter.object { writer in
      writer.member("version", Control.version)
      writer.object("error") { writer in
        writer.member("kind", kind.rawValue)
        // It may quote the request.
        writer.member("message", message.cut(to: Control.limit / 8))
      }
    }
  }
}
