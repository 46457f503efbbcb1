// The row that pays for it: "appboot list of a DAG of 100,000 ÷ make -n" (Docs/performance.md). If entries shared no
// commands, the row would be 0.77 instead of 0.24 (goal 0.25), its memory 149 instead of 64 MB, and a step would cost
// a plan of a million steps 1.9 instead of 1.1 µs.

import AppBootSystem

/// A command type while a plan is assembled, with the last command of that type that was decoded.
///
/// A command that consists only of its parameters is a plain value. Entries with the same parameters as the last
/// command may share it. A command with further state (for example a class that stores data for its undo) is created
/// for each entry.
final class CommandKind {
  let description: CommandDescription
  let stepKind: StepKind
  let usesSecretVariables: Bool
  /// True if placeholders of variables in the parameters are replaced when a step runs.
  let replacesVariables: Bool
  private let execution: CommandExecution
  private var last: (parameters: JSONValue?, isCertain: Bool)?
  private var lastCommand: (any Command)?
  /// The number of entries of this type that had the same parameters as the entry before.
  private var repeats = 0
  /// True if the command consists only of its parameters.
  ///
  /// It is computed at its first use. That costs as much as decoding some dozens of entries, and a launch of a few
  /// steps does not need it.
  private lazy var isPlain = description.isPlain
  private static let fewRepeats = 32

  init(_ description: CommandDescription) {
    self.description = description
    execution = description.type.execution
    stepKind = execution.kind
    usesSecretVariables = execution.usesSecretVariables
    replacesVariables = description.type.replacesVariables
  }

  /// Returns the lane of a command of this type.
  func lane(of command: any Command) -> Lane { execution.lane(of: command, in: description.lane) }

  /// Returns the last command if an entry with these parameters can share it; `nil` if the entry must be decoded.
  ///
  /// - Parameter isCertain: True if the launch needs the command. Decoding then checks more.
  func command(like parameters: JSONValue?, isCertain: Bool) -> (any Command)? {
    guard let last, last.isCertain || !isCertain else { return nil }
    guard Self.isSame(parameters, last.parameters) else { return nil }
    repeats += 1
    return repeats > Self.fewRepeats && isPlain ? lastCommand : nil
  }

  func remember(_ command: any Command, with parameters: JSONValue?, isCertain: Bool) {
    last = (parameters, isCertain)
    lastCommand = command
  }

  /// Returns whether two values are written in the same way. They may be in two files.
  private static func isSame(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    let (bytes, others) = (one.bytes, other.bytes)
    guard bytes.count == others.count else { return false }
    return one.source.bytes.withUnsafeBufferPointer { text in
      other.source.bytes.withUnsafeBufferPointer { otherText in
        UnsafeBufferPointer(rebasing: text[bytes]).hasSameBytes(
          as: UnsafeBufferPointer(rebasing: otherText[others]))
      }
    }
  }
}
