/// A command whose standard output other steps can insert with `{step.ID.output}`.
package protocol OutputProviding: Command {}

extension ContextKey<String> {
  /// The key for the standard output of a step, without its final newline.
  package static func output(ofStep id: String) -> Self { Self("step.\(id).output") }

  /// Returns the id of the step if a name is that of a step's output; `nil` for any other name.
  static func step(ofOutput name: String) -> String? {
    guard name.hasPrefix("step."), name.hasSuffix(".output"), name.utf8.count > "step..output".utf8.count
    else {
      return nil
    }
    return String(name.dropFirst("step.".count).dropLast(".output".count))
  }
}
