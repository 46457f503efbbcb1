/// A command or a group of parameters that takes exactly one of them.
///
/// Its parameters are optional. Its `validate(_:)` calls ``ParameterValidation/requireExactlyOne(of:)``.
package protocol ExclusiveParameters {}

extension ParameterValidation {
  /// Rejects parameters that are not exactly one.
  ///
  /// - Parameter parameters: Each parameter's name, and whether it has a value.
  package mutating func requireExactlyOne(of parameters: [(name: String, hasValue: Bool)]) {
    let given = parameters.filter { $0.hasValue || !isDecoded($0.name) }.map(\.name)
    if given.isEmpty {
      let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
      reject("give exactly one of \(names)")
    }
    for name in given.dropFirst() {
      reject("\"\(given[0])\" is given already: keep one of the two", at: .key(name))
    }
  }
}
