/// An error in the conversion of a value to a number.
package struct JSONNumberError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mistake, in one line.
  package let description: String
}

extension JSONValue {
  /// Returns the number as an integer.
  ///
  /// `1.0` and `1e2` are integers (JSON Schema 2020-12), `1.5` is not. A number with a decimal point or an exponent is
  /// read as a `Double`.
  ///
  /// - Throws: ``JSONNumberError`` if the value is not an integer, or does not fit in the type.
  package func integer<T: FixedWidthInteger>(as type: T.Type = T.self) throws(JSONNumberError) -> T {
    let (signed, unsigned) = try integer()
    if let value = signed.flatMap(T.init(exactly:)) ?? unsigned.flatMap(T.init(exactly:)) { return value }
    throw JSONNumberError(description: "\(shortText) is not between \(T.min) and \(T.max)")
  }

  /// Returns the number in the two types that hold all integers of 64 bits; `nil` if it does not fit in the type.
  private func integer() throws(JSONNumberError) -> (signed: Int64?, unsigned: UInt64?) {
    try checkKind()
    if text.utf8.contains(where: { ".eE".utf8.contains($0) }), let number = Double(text), number.isFinite {
      guard number == number.rounded() else {
        throw JSONNumberError(description: "\(shortText) is not a whole number")
      }
      return (Int64(exactly: number), UInt64(exactly: number))
    }
    return (Int64(text), UInt64(text))
  }

  /// Returns the nearest `Double`.
  ///
  /// - Throws: ``JSONNumberError`` if the value is not a number, or if the `Double` would be infinite.
  package func double() throws(JSONNumberError) -> Double {
    try checkKind()
    guard let value = Double(text), value.isFinite else {
      let limit = Double.greatestFiniteMagnitude
      throw JSONNumberError(description: "\(shortText) is not between \(-limit) and \(limit)")
    }
    return value
  }

  private func checkKind() throws(JSONNumberError) {
    if kind != .number { throw JSONNumberError(description: "expected a number, found \(kind)") }
  }

  /// The number as it is written in the text. A very long number is shortened.
  private var shortText: String {
    bytes.count > 40 ? String(decoding: bytes.prefix(40), as: UTF8.self) + "…" : text
  }
}
