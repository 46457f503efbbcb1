/// An error for tests.
package struct Mishap: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String = "out of paper") { self.description = description }
}
