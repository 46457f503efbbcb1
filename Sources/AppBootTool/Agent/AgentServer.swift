import AppBoot
import AppBootSystem

/// A server of the Model Context Protocol that answers one message of JSON-RPC 2.0 at a time.
struct AgentServer {
  /// The protocol versions that the server knows, oldest first.
  static let versions = ["2024-11-05", "2025-03-26", "2025-06-18"]

  /// The name of the executable.
  let name: String
  let version: String
  let tools: [AgentTool]
  let place: AgentPlace
  /// Runs a command line of the tool. Returns its output, and how it ended.
  let run: ([String]) throws -> (output: [UInt8], end: ProcessEnd)

  /// Returns the line that answers a message; `nil` for a notification.
  ///
  /// - Throws: ``Interruption`` if a signal ended the call of a tool. Other errors become answers.
  func answer(to line: [UInt8]) throws(Interruption) -> String? {
    var id = "null"
    do {
      let message: JSONValue
      do throws(JSONError) {
        message = try JSONDocument(parsing: SourceText(name: "message", bytes: line)).root
      } catch {
        throw RPCError(code: -32700, message: "not JSON: \(error.diagnostics.first?.message ?? "unreadable")")
      }
      guard let method = message["method"]?.string else {
        throw RPCError(code: -32600, message: "a message must be an object with a \"method\"")
      }
      guard let requestID = message["id"] else { return nil }
      guard [.string, .number].contains(requestID.kind) else {
        throw RPCError(code: -32600, message: "the \"id\" must be a string or a number")
      }
      id = requestID.text
      return Self.line(id, "result", try result(of: method, message["params"]))
    } catch let interruption as Interruption {
      throw interruption
    } catch {
      let error = RPCError(error, tool: name)
      return Self.line(
        id, "error", #"{"code":\#(error.code),"message":\#(JSONWriter.quoted(error.message))}"#)
    }
  }

  private static func line(_ id: String, _ key: String, _ json: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"\#(key)":\#(json)}"# + "\n"
  }

  /// Returns the result of a request as JSON.
  private func result(of method: String, _ parameters: JSONValue?) throws -> String {
    switch method {
    case "initialize": return initialization(parameters?["protocolVersion"]?.string)
    case "ping": return "{}"
    case "tools/list": return #"{"tools":[\#(tools.map(\.json).joined(separator: ","))]}"#
    case "tools/call": return try call(parameters)
    default: throw RPCError(code: -32601, message: "unknown method \"\(method.excerpt)\"")
    }
  }

  /// Returns the answer to `initialize`, with the client's version of the protocol if the server knows it.
  private func initialization(_ asked: String?) -> String {
    let known = Self.versions.first { $0 == asked } ?? Self.versions[Self.versions.count - 1]
    let instructions =
      "Call validate after each change of the manifest: its help lines say the fix. "
      + "No tool runs the steps: that is `\(name) run` in a shell."
    return #"{"protocolVersion":"\#(known)","capabilities":{"tools":{}},"serverInfo":{"name":"#
      + #"\#(JSONWriter.quoted(name)),"version":\#(JSONWriter.quoted(version))},"instructions":"#
      + "\(JSONWriter.quoted(instructions))}"
  }

  /// Returns the answer to `tools/call`: a page of the output of the tool's subcommand.
  private func call(_ parameters: JSONValue?) throws -> String {
    guard let called = parameters?["name"]?.string else {
      throw RPCError.arguments("tools/call needs the \"name\" of a tool")
    }
    guard let tool = tools.first(where: { $0.name == called }) else {
      let names = tools.map(\.name).joined(separator: ", ")
      throw RPCError.arguments("unknown tool \"\(called.excerpt)\": the tools are \(names)")
    }
    let arguments = parameters?["arguments"]
    guard [nil, .null, .object].contains(arguments?.kind) else {
      throw RPCError.arguments("the \"arguments\" must be an object")
    }
    let number = arguments?[AgentTool.offset].flatMap { $0.isNull ? nil : $0 }
    guard let offset = try? number?.integer(as: Int32.self) ?? 0 else {
      throw RPCError.arguments("the argument \"\(AgentTool.offset)\" must be a whole number")
    }
    var (output, end) = try run(tool.commandLine(arguments, place))
    if case .signalled = end { output += Array("\(tool.name) \(end.words)\n".utf8) }
    let isAnswer = ([.succeeded] + tool.answers).contains { end == .exited($0.code) }
    let page = JSONWriter.quoted(AnswerPage.text(of: output, from: Int(offset)))
    return #"{"content":[{"type":"text","text":\#(page)}],"isError":\#(!isAnswer)}"#
  }
}

/// A namespace for the pages of long answers.
enum AnswerPage {
  /// The maximum number of bytes of a page, in UTF-8.
  static let limit = 8192
  /// The bytes for the line that says how to read on.
  private static let noteSize = 64

  /// Returns the page of an output that begins at an offset. A negative offset counts from the end.
  ///
  /// A page ends at the end of a line if it has one. Its last line then has the offset of the next page.
  static func text(of output: [UInt8], from offset: Int) -> String {
    // Invalid UTF-8 in the output of steps is replaced first, so that offsets count bytes of the answer.
    let all = Array(String(decoding: output, as: UTF8.self).utf8)
    var start = min(all.count, offset < 0 ? max(0, all.count + offset) : offset)
    if offset < 0, start > 0, let end = all[start...].firstIndex(of: UInt8(ascii: "\n")) { start = end + 1 }
    while start < all.count, isInsideCharacter(all[start]) { start += 1 }
    guard all.count - start > limit else { return String(decoding: all[start...], as: UTF8.self) }
    var end = start + limit - noteSize
    if let line = all[start..<end].lastIndex(of: UInt8(ascii: "\n")) {
      end = line + 1
    } else {
      while isInsideCharacter(all[end]) { end -= 1 }
    }
    let page = String(decoding: all[start..<end], as: UTF8.self)
    return page + (page.hasSuffix("\n") ? "" : "\n") + "… \(all.count - end) more bytes: offset=\(end)"
  }

  private static func isInsideCharacter(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

/// An error of JSON-RPC 2.0.
struct RPCError: Error {
  let code: Int
  let message: String

  /// Returns the error for wrong parameters of a method.
  static func arguments(_ message: String) -> RPCError { RPCError(code: -32602, message: message) }
}

extension RPCError {
  /// Creates the JSON-RPC error for any error of a call.
  fileprivate init(_ error: any Error, tool: String) {
    if let known = error as? RPCError {
      self = known
    } else {
      let reportable = error.reportable
      let help = reportable.help(tool: tool).map { "; \($0)" } ?? ""
      self.init(code: error is UsageError ? -32602 : -32603, message: reportable.message + help)
    }
  }
}
