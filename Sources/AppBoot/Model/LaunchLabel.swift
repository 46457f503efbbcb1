/// A label of a launch: a name and a value that the user or the CI server chose, for example `branch` and `main`.
package struct LaunchLabel: Sendable, Hashable {
  /// The label's name.
  package let name: String
  /// The label's value.
  package let value: String

  /// Creates a label.
  package init(_ name: String, _ value: String) {
    (self.name, self.value) = (name, value)
  }
}
