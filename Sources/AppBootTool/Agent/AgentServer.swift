import AppBoot
import AppBootRecords
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
        id, "error", #"{"code":\#(error.code),"message":\#(error.message.asJSON)}"#)
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
      + #"\#(name.asJSON),"version":\#(version.asJSON)},"instructions":"#
      + "\(instructions.asJSON)}"
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
    let page = AnswerPage.text(of: output, from: Int(offset)).asJSON
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

/// A tool that an agent can call: a subcommand, with the arguments that the agent chooses.
struct AgentTool {
  /// The meaning of the subcommand's positional arguments.
  enum Source {
    /// The manifest follows the arguments of the agent.
    case manifest
    /// The manifest follows if it can be read. Otherwise the state directory is the source.
    case records
    /// The agent names files in the directory of records.
    case files
  }

  /// An argument of a tool: an option of the subcommand, or a positional argument.
  struct Argument {
    let name: String
    let help: String
    let value: ValueKind
    /// The option as it is written on the command line; `nil` for a positional argument.
    let spelling: String?
    let isRequired: Bool
    /// True if the value is a list of texts.
    private let isList: Bool

    /// Creates an argument for an option. A required one has a name and a help of its own.
    init(_ option: any OptionDeclaration, requiredAs name: String? = nil, help: String? = nil) {
      self.name = name ?? option.name
      self.help = help ?? option.help
      value = option.kind
      (spelling, isRequired, isList) = (option.spelling, name != nil, option is Option<[String]>)
    }

    fileprivate init(_ operand: Operand) {
      (name, spelling, isRequired, isList) = (operand.name.lowercased(), nil, operand.isRequired, false)
      help = if case .file = operand.value { "The name of a file of records." } else { operand.help }
      value = .text(operand.name)
    }

    /// The argument as a member of a JSON Schema's `properties`.
    fileprivate var json: String {
      let type =
        switch value {
        case .flag: #""boolean""#
        case .count:
          #""integer","minimum":\#(ValueKind.counts.lowerBound),"maximum":"#
            + "\(ValueKind.counts.upperBound)"
        case _ where isList: #""array","items":{"type":"string"}"#
        case .choice(let words):
          #""string","enum":[\#(words.map(\.asJSON).joined(separator: ","))]"#
        default: #""string""#
        }
      return #""\#(name)":{"description":\#(help.asJSON),"type":\#(type)}"#
    }

    /// Returns the value as texts of a command line; `nil` if it has another type. A flag that is off has no text.
    fileprivate func texts(_ json: JSONValue) -> [String]? {
      if isList {
        let texts = json.elements.compactMap(\.string)
        return json.kind == .array && texts.count == json.elements.count ? texts : nil
      }
      switch value {
      case .flag: return json.bool.map { $0 ? [""] : [] }
      case .count: return (try? json.integer(as: Int.self)).map { [String($0)] }
      default: return json.string.map { [$0] }
      }
    }
  }

  let name: String
  let subcommand: any Subcommand.Type
  let help: String
  let arguments: [Argument]
  let source: Source
  /// Options that the command line always has, before those of the agent.
  var fixed: [String] = []
  /// The exits besides success whose output is an answer, not a failure of the call.
  let answers: [ToolExit]
  var changesApp = false

  init(
    _ name: String, _ subcommand: any Subcommand.Type, _ options: [any OptionDeclaration] = [],
    required: Argument? = nil, help: String? = nil, source: Source = .manifest, answers: [ToolExit] = []
  ) {
    (self.name, self.subcommand, self.source, self.answers) = (name, subcommand, source, answers)
    self.help = help ?? subcommand.abstract
    // An agent reads the latest launch.
    let places = ["MANIFEST", "SOURCE", "-N"]
    // Where steps follow the manifest, the agent has an option for them.
    let hasManifest = subcommand.operands.contains { $0.name == "MANIFEST" }
    let operands = subcommand.operands.filter { operand in
      source == .files || !places.contains(operand.name) && !(hasManifest && operand.isRepeated)
    }
    arguments = operands.map { Argument($0) } + [required].compactMap(\.self) + options.map { Argument($0) }
  }

  /// The tool as an element of the answer to `tools/list`.
  var json: String {
    let offset =
      #""\#(Self.offset)":{"description":"The byte to begin at; -8192 shows the last 8 KB. Default: 0.","#
      + #""type":"integer"}"#
    let properties = (arguments.map(\.json) + [offset]).joined(separator: ",")
    let required = arguments.filter(\.isRequired).map { $0.name.asJSON }.joined(separator: ",")
    return #"{"name":"\#(name)","description":\#(help.asJSON),"inputSchema":{"type":"object","#
      + #""properties":{\#(properties)},"required":[\#(required)],"additionalProperties":false},"#
      + #""annotations":{"readOnlyHint":\#(!changesApp)}}"#
  }

  /// The name of the argument of every tool that selects the part of a long answer.
  static let offset = "offset"

  /// Returns the command line that answers a call, without the executable.
  ///
  /// - Throws: ``RPCError`` for an argument that is missing, unknown or of another type, and what the parser of the
  ///   subcommand throws.
  func commandLine(_ call: JSONValue?, _ place: AgentPlace) throws -> [String] {
    let members = (call?.members ?? []).filter { !$0.value.isNull && !($0.key == Self.offset) }
    if let other = members.first(where: { member in !arguments.contains { member.key == $0.name } }) {
      let names = (arguments.map(\.name) + [Self.offset]).joined(separator: ", ")
      throw RPCError.arguments("\(name) has no argument \"\(other.key.string.excerpt)\": it has \(names)")
    }
    var options = ["--color=never"] + fixed
    if subcommand.options.contains(where: { $0.name == Option<String>.state.name }) {
      options.append("--state=\(place.state)")
    }
    var operands: [String] = []
    for argument in arguments {
      guard let value = members.first(where: { $0.key == argument.name })?.value else {
        if argument.isRequired { throw RPCError.arguments("\(name) needs the argument \"\(argument.name)\"") }
        continue
      }
      guard let texts = argument.texts(value) else {
        throw RPCError.arguments("the argument \"\(argument.name)\" of \(name) must not be \(value.kind)")
      }
      if let spelling = argument.spelling {
        options += texts.map { argument.value == .flag ? spelling : "\(spelling)=\($0)" }
      } else {
        operands += try source == .files ? texts.map(place.record) : texts
      }
    }
    // The manifest has its place only after all positional arguments before it.
    let isComplete = operands.count == arguments.count { $0.spelling == nil }
    if isComplete, let manifest = place.manifest,
      source == .manifest || source == .records && StateSource.isManifest(manifest)
    {
      operands.append(manifest)
    }
    let line = options + ["--"] + operands
    _ = try ArgumentParser.parse(line, for: subcommand)
    return [subcommand.name] + line
  }
}

/// The files that the tools of an agent read. The agent cannot name others.
struct AgentPlace {
  /// The path of the manifest; `nil` for the tool's plan in code.
  let manifest: String?
  let state: String
  /// The directory with the files of records that can be compared.
  let records: String

  /// Returns the path of a file of records.
  ///
  /// - Throws: ``RPCError`` if the directory has no file with the name.
  func record(_ name: String) throws -> String {
    let files = try RecordArchive.list(records)
    if let file = files.first(where: { FileSystem.lastComponent($0) == name }) { return file }
    let names = files.map(FileSystem.lastComponent).joined(separator: ", ")
    throw RPCError.arguments("there are no records \"\(name.excerpt)\": the files are \(names)")
  }
}
