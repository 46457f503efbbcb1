import AppBoot
import AppBootRecords
import AppBootSystem

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
    let value: OptionDeclaration.Value
    /// The option as it is written on the command line; `nil` for a positional argument.
    let spelling: String?
    let isRequired: Bool

    fileprivate init(_ option: OptionDeclaration) {
      (name, help, value) = (option.name, option.help, option.value)
      (spelling, isRequired) = (option.spelling, false)
    }

    /// Creates a required argument for an option, with a name and a help of its own.
    init(_ option: OptionDeclaration, requiredAs name: String, help: String) {
      (self.name, self.help, value) = (name, help, option.value)
      (spelling, isRequired) = (option.spelling, true)
    }

    fileprivate init(_ operand: Operand) {
      (name, spelling, isRequired) = (operand.name.lowercased(), nil, operand.isRequired)
      help = operand.values == .file ? "The name of a file of records." : operand.help
      value = .text(operand.name)
    }

    /// True if the value is a list of texts.
    private var isList: Bool {
      switch value {
      case .list: true
      case .step: !isRequired
      default: false
      }
    }

    /// The argument as a member of a JSON Schema's `properties`.
    fileprivate var json: String {
      let type =
        switch value {
        case .flag: #""boolean""#
        case .count:
          #""integer","minimum":\#(OptionDeclaration.counts.lowerBound),"maximum":"#
            + "\(OptionDeclaration.counts.upperBound)"
        case _ where isList: #""array","items":{"type":"string"}"#
        case .choice(let words):
          #""string","enum":[\#(words.map(JSONWriter.quoted).joined(separator: ","))]"#
        default: #""string""#
        }
      return #""\#(name)":{"description":\#(JSONWriter.quoted(help)),"type":\#(type)}"#
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
    _ name: String, _ subcommand: any Subcommand.Type, _ options: [OptionDeclaration] = [],
    required: Argument? = nil, help: String? = nil, source: Source = .manifest, answers: [ToolExit] = []
  ) {
    (self.name, self.subcommand, self.source, self.answers) = (name, subcommand, source, answers)
    self.help = help ?? subcommand.abstract
    let operands = subcommand.operands.filter {
      source == .files || !["MANIFEST", "SOURCE"].contains($0.name)
    }
    arguments = operands.map { Argument($0) } + [required].compactMap(\.self) + options.map { Argument($0) }
  }

  /// The tool as an element of the answer to `tools/list`.
  var json: String {
    let offset =
      #""\#(Self.offset)":{"description":"The byte to begin at; -8192 shows the last 8 KB. Default: 0.","#
      + #""type":"integer"}"#
    let properties = (arguments.map(\.json) + [offset]).joined(separator: ",")
    let required = arguments.filter(\.isRequired).map { JSONWriter.quoted($0.name) }.joined(separator: ",")
    return #"{"name":"\#(name)","description":\#(JSONWriter.quoted(help)),"inputSchema":{"type":"object","#
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
    if subcommand.options.contains(where: { $0.name == OptionDeclaration.state.name }) {
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
    if isComplete, source == .manifest || source == .records && StateSource.isManifest(place.manifest) {
      operands.append(place.manifest)
    }
    let line = options + ["--"] + operands
    _ = try ArgumentParser.parse(line, for: subcommand)
    return [subcommand.name] + line
  }
}

/// The files that the tools of an agent read. The agent cannot name others.
struct AgentPlace {
  let manifest: String
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
