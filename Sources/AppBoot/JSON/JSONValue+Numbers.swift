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
  /// Returns the number as an exact integer. Takes O(length), even for large exponents.
  ///
  /// `1.0` and `1e2` are integers (JSON Schema 2020-12), `1.5` is not. Nothing is rounded.
  ///
  /// - Throws: ``JSONNumberError`` if the value is not an integer, or does not fit in the type.
  package func integer<T: FixedWidthInteger>(as type: T.Type = T.self) throws(JSONNumberError) -> T {
    let node = node
    guard node.kind == .number else { throw .notANumber(kind) }
    let parts = number
    guard parts.isInteger else { throw .notAnInteger(shortText) }
    guard let value = parts.value(as: type) else {
      throw .outOfRange(shortText, lowest: String(T.min), highest: String(T.max))
    }
    return value
  }

  /// Returns the nearest `Double`.
  ///
  /// - Throws: ``JSONNumberError`` if the value is not a number, or if the `Double` would be infinite.
  package func double() throws(JSONNumberError) -> Double {
    guard node.kind == .number else { throw .notANumber(kind) }
    guard let value = Double(text), value.isFinite else {
      let limit = Double.greatestFiniteMagnitude
      throw .outOfRange(shortText, lowest: "\(-limit)", highest: "\(limit)")
    }
    return value
  }

  /// Returns whether two numbers have the same value, for example `1.0` and `10e-1`. Takes O(length), and rounds
  /// nothing.
  ///
  /// Numbers with exponents beyond 10^12 are equal only if their texts are equal.
  package func isSameNumber(as other: JSONValue) -> Bool {
    guard kind == .number, other.kind == .number else { return false }
    return text == other.text || number.isSame(as: other.number)
  }

  private var number: JSONNumber { JSONNumber(storage.source.bytes[bytes]) }

  /// The number as it is written in the text. A very long number is shortened.
  private var shortText: String {
    guard bytes.count > 40 else { return text }
    return String(decoding: storage.source.bytes[bytes.prefix(40)], as: UTF8.self) + "…"
  }
}

/// A decimal number as its sign, its significant digits and a power of ten.
struct JSONNumber {
  private let isNegative: Bool
  private let digits: ArraySlice<UInt8>
  /// The power of ten of the last significant digit.
  private let scale: Int
  /// False if the exponent was too large, and was limited to ``exponentLimit``.
  private let isExact: Bool

  /// Parses a number, which must follow the grammar of RFC 8259.
  init(_ bytes: ArraySlice<UInt8>) {
    var mantissa = bytes
    var exponent = 0
    if let mark = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      mantissa = bytes[..<mark]
      exponent = JSONNumber.exponent(bytes[(mark + 1)...])
    }
    isExact = abs(exponent) < JSONNumber.exponentLimit
    isNegative = mantissa.first == UInt8(ascii: "-")
    if isNegative { mantissa = mantissa.dropFirst() }
    let point = mantissa.firstIndex(of: UInt8(ascii: "."))
    let fraction = point.map { mantissa.endIndex - $0 - 1 } ?? 0

    let isSignificant = { (byte: UInt8) in byte != UInt8(ascii: "0") && byte != UInt8(ascii: ".") }
    guard let first = mantissa.firstIndex(where: isSignificant),
      let last = mantissa.lastIndex(where: isSignificant)
    else {
      (digits, scale) = ([], 0)
      return
    }
    digits = mantissa[first...last]
    var dropped = mantissa.endIndex - 1 - last
    if let point, point > last { dropped -= 1 }
    scale = exponent - fraction + dropped
  }

  /// The maximum absolute value of an exponent. Larger ones are limited to it.
  private static let exponentLimit = 1_000_000_000_000

  private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var value = 0
    for byte in bytes where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "+") {
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), exponentLimit)
    }
    return isNegative ? -value : value
  }

  /// Returns whether two numbers have the same value; false if they are not 0 and an exponent was limited.
  func isSame(as other: JSONNumber) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && other.digits.isEmpty }
    let isDigit = { (byte: UInt8) in byte != UInt8(ascii: ".") }
    return isExact && other.isExact && isNegative == other.isNegative && scale == other.scale
      && digits.lazy.filter(isDigit).elementsEqual(other.digits.lazy.filter(isDigit))
  }

  /// True if the number has no fraction.
  var isInteger: Bool { digits.isEmpty || scale >= 0 }

  /// Returns the integer; `nil` if it does not fit in the type.
  func value<T: FixedWidthInteger>(as type: T.Type) -> T? {
    var result: T = 0
    for byte in digits where byte != UInt8(ascii: ".") {
      guard let next = append(T(truncatingIfNeeded: byte - UInt8(ascii: "0")), to: result) else { return nil }
      result = next
    }
    guard result != 0 else { return digits.isEmpty ? 0 : nil }
    for _ in 0..<max(scale, 0) {
      guard let next = append(0, to: result) else { return nil }
      result = next
    }
    return result
  }

  private func append<T: FixedWidthInteger>(_ digit: T, to value: T) -> T? {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    guard !overflow else { return nil }
    let (sum, carry) =
      isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
    return carry ? nil : sum
  }
}
