/// An error in the conversion of a value to a number.
package enum JSONNumberError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The value is not a number.
  case notANumber(JSONValue.Kind)
  /// The number has a fraction.
  case notAnInteger(_ text: String)
  /// The number does not fit in the type. The other values are the type's limits.
  case outOfRange(_ text: String, lowest: String, highest: String)

  /// The mistake, in one line.
  package var description: String {
    switch self {
    case .notANumber(let kind): "expected a number, found \(kind)"
    case .notAnInteger(let text): "\(text) is not a whole number"
    case .outOfRange(let text, let lowest, let highest): "\(text) is not between \(lowest) and \(highest)"
    }
  }
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
    throw .outOfRange(shortText, lowest: "\(T.min)", highest: "\(T.max)")
  }

  /// Returns the number in the two types that hold all integers of 64 bits; `nil` if it does not fit in the type.
  private func integer() throws(JSONNumberError) -> (signed: Int64?, unsigned: UInt64?) {
    guard kind == .number else { throw .notANumber(kind) }
    if text.utf8.contains(where: { ".eE".utf8.contains($0) }), let number = Double(text), number.isFinite {
      guard number == number.rounded() else { throw .notAnInteger(shortText) }
      return (Int64(exactly: number), UInt64(exactly: number))
    }
    return (Int64(text), UInt64(text))
  }

  /// Returns the nearest `Double`.
  ///
  /// - Throws: ``JSONNumberError`` if the value is not a number, or if the `Double` would be infinite.
  package func double() throws(JSONNumberError) -> Double {
    guard kind == .number else { throw .notANumber(kind) }
    guard let value = Double(text), value.isFinite else {
      let limit = Double.greatestFiniteMagnitude
      throw .outOfRange(shortText, lowest: "\(-limit)", highest: "\(limit)")
    }
    return value
  }

  /// The number as it is written in the text. A very long number is shortened.
  private var shortText: String {
    bytes.count > 40 ? String(decoding: bytes.prefix(40), as: UTF8.self) + "…" : text
  }
}
