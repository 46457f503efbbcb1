import AppBoot
import AppBootSystem

/// What another process asks of one that stays: one line of JSON.
enum ControlRequest: Sendable, Hashable {
  case status
  case emit(event: String, payload: String?, url: String?, scene: String?)

  /// The line without its line feed.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", Control.version)
      switch self {
      case .status: writer.member("request", "status")
      case .emit(let event, let payload, let url, let scene):
        writer.member("request", "emit")
        writer.member("event", event)
        if let payload { writer.member("payload", payload) }
        if let url { writer.member("url", url) }
        if let scene { writer.member("scene", scene) }
      }
    }
    return writer.text
  }

  init(json line: [UInt8]) throws(ControlError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: SourceText(name: "request", bytes: line))
    } catch {
      throw .malformed("it is not JSON: \(error.diagnostics.first?.message ?? "it cannot be read")")
    }
    let root = document.root
    if let doubled = document.duplicateKeys.first {
      throw .malformed("it has the key \"\(doubled.key.cut(to: 80))\" twice")
    }
    guard root.kind == .object else { throw .malformed("it is no object") }
    let version = try? root["version"]?.integer(as: Int.self)
    guard version == Control.version else { throw .malformed("its version is not \(Control.version)") }
    switch root["request"]?.string {
    case "status": self = .status
    case "emit":
      guard let event = root["event"]?.string else { throw .malformed("it names no event") }
      self = .emit(
        event: event, payload: try Self.text("payload", root), url: try Self.text("url", root),
        scene: try Self.text("scene", root))
    case let name: throw .malformed("it asks for \(name.map { "\"\($0)\"" } ?? "nothing")")
    }
  }

  private static func text(_ key: String, _ root: JSONValue) throws(ControlError) -> String? {
    guard let member = root[key], !member.isNull else { return nil }
    guard let text = member.string else { throw .malformed("its \(key) is no string") }
    return text
  }
}

/// Why a request was not carried out; the kind decides how whoever asked ends.
enum ControlError: Error, Sendable, Hashable {
  /// The request is no request.
  case malformed(String)
  /// The event or what came with it is wrong.
  case usage(String)
  /// The app cannot take it as it stands: no such scene, launched already, ending.
  case refused(String)

  var kind: String {
    switch self {
    case .malformed: "malformed"
    case .usage: "usage"
    case .refused: "refused"
    }
  }

  var message: String {
    switch self {
    case .malformed(let reason): "the request cannot be understood: \(reason)"
    case .usage(let message), .refused(let message): message
    }
  }

  init?(kind: String?, message: String) {
    switch kind {
    case "malformed", "usage": self = .usage(message)
    case "refused": self = .refused(message)
    default: return nil
    }
  }

  /// The answer: `{ "version": 1, "error": { "kind", "message" } }`.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", Control.version)
      writer.key("error")
      writer.object { writer in
        writer.member("kind", kind)
        // It may repeat what was asked for.
        writer.member("message", message.cut(to: Control.limit / 8))
      }
    }
    return writer.text
  }
}

/// What both ends of the control socket go by.
enum Control {
  static let version = 1
  /// The longest request and the longest answer, in bytes.
  static let limit = 1 << 20
  static let socketName = "control.sock"
  static let lockName = "control.lock"
  static let stateName = "status.json"

  /// The answer to a request that was carried out: `{ "version": 1, "KEY": JSON }`.
  static func answer(_ key: String, _ json: String) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", version)
      writer.key(key)
      writer.raw(json.utf8)
    }
    return writer.text
  }

  /// Reads a line of at most ``limit`` bytes; `nil` where it is longer, empty where the other end has left.
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
