/// An entry of a manifest: the name of a command, and the rules for how and when it runs.
package struct ManifestEntry: Sendable {
  /// The name of the command.
  package private(set) var command: String
  /// The place of the command's name.
  package private(set) var commandRange: SourceRange
  /// The id of the step: the entry's `id`, or else the name of the command.
  package private(set) var id: String
  /// The place of the `id`, or of the command's name if the entry has no `id`.
  package private(set) var idRange: SourceRange
  /// The value of `with`, which is an object; `nil` if the entry has no `with`.
  package internal(set) var parameters: JSONValue?
  /// The ids of the steps that must come before the entry; `nil` for the step of the entry above.
  package internal(set) var after: [Reference]?
  /// The values of the rare keys, including the defaults.
  package internal(set) var attributes = StepAttributes()
  /// The command of an entry in a plan that is written in code; `nil` for an entry of a manifest.
  var code: (any Command)?

  /// An id in the list of `after`, with its place.
  package struct Reference: Sendable {
    /// The id.
    package let id: String
    /// The place of the id.
    package let range: SourceRange
  }

  init(command: String, range: SourceRange) {
    self.command = command
    commandRange = range
    id = command
    idRange = range
  }

  /// Sets the name of the command. If the entry has no `id`, the name is also the step's id.
  mutating func name(_ command: String, at range: SourceRange) {
    if idRange == commandRange { (id, idRange) = (command, range) }
    (self.command, commandRange) = (command, range)
  }

  /// Makes the entry run a shell command with `RunProcess`. If the entry has no `id`, the beginning of the
  /// command is the step's id.
  mutating func run(_ script: JSONValue) {
    let text = script.string ?? ""
    name("RunProcess", at: script.range)
    if idRange == commandRange { id = text.beginning }
    parameters = script.wrapped(in: "arguments", asList: ["sh", "-c", text])
  }

  /// Sets the step's id.
  mutating func identify(_ id: String, at range: SourceRange) {
    (self.id, idRange) = (id, range)
  }
}

extension String {
  /// The first line, up to the last word that ends within 32 characters; the first 32 characters of a longer word.
  fileprivate var beginning: String {
    let line = drop { $0.isWhitespace }.prefix { !$0.isNewline }
    var beginning = line.prefix(32)
    if beginning.count < line.count, !line[beginning.endIndex].isWhitespace,
      let space = beginning.lastIndex(where: \.isWhitespace)
    {
      beginning = beginning[..<space]
    }
    while beginning.last?.isWhitespace == true { beginning.removeLast() }
    return String(beginning)
  }
}
