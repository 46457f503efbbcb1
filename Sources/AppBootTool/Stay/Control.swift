import AppBoot
import AppBootSystem

/// A namespace for the protocol of the control socket.
enum Control {
  static let version = 1
  /// The maximum length of a request and of an answer, in bytes.
  static let limit = 1 << 20
  static let socketName = "control.sock"
  static let lockName = "control.lock"
  static let stateName = "status.json"

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
