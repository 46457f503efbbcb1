/// A place in Swift source code: the line that declares a part of a plan.
package struct CodePlace: Sendable, Hashable, CustomStringConvertible {
  /// The file as `#fileID` has it: the module and the file's name.
  let fileID: String
  /// The line, from 1.
  let line: Int

  /// The place as `Shop/Launch.swift:12`.
  package var description: String { "\(fileID):\(line)" }
}
