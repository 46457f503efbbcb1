/// A command or a parameter group of which exactly one parameter must be set.
///
/// The parameters are optional. The type's `validate(_:)` calls ``ParameterValidation/requireExactlyOne(of:)``.
package protocol ExclusiveParameters {}

extension ParameterValidation {
  /// Rejects the parameters unless exactly one of them has a value.
  ///
  /// - Parameter parameters: The name of each parameter, and whether it has a value.
  package mutating func requireExactlyOne(of parameters: [(name: String, hasValue: Bool)]) {
    let given = parameters.filter { $0.hasValue || !isDecoded($0.name) }.map(\.name)
    if given.isEmpty {
      let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
      reject("give exactly one of \(names)")
    }
    for name in given.dropFirst() {
      reject("give only one of \"\(given[0])\" and \"\(name)\"", at: .key(name))
    }
  }
}
