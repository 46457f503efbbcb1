/// A writer of JSON text into a byte buffer. The caller writes keys and values in the right order.
///
/// ```swift
/// var json = JSONWriter(pretty: true)
/// json.object { $0.member("name", "Notes"); $0.key("steps"); $0.array { $0.value(1) } }
/// ```
package struct JSONWriter: Sendable {
  /// The text so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// True if each element is on its own line, indented by two spaces for each level.
  package let pretty: Bool
  private var depth = 0
  private var needsComma = false

  /// Creates an empty writer.
  package init(pretty: Bool = false) {
    self.pretty = pretty
  }

  /// The text so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Ends the line, so that the next value begins on a new line, as in JSON Lines.
  package mutating func endLine() {
    bytes.append(.lineFeed)
    if depth == 0 { needsComma = false }
  }

  // MARK: Nesting

  /// Writes an object. The closure writes its members.
  package mutating func object<Failure>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginObject()
    try members(&self)
    endObject()
  }

  /// Writes an array. The closure writes its elements.
  package mutating func array<Failure>(
    _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginArray()
    try elements(&self)
    endArray()
  }

  /// Begins an object. `endObject` ends it.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  /// Ends the object that `beginObject` began.
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  /// Begins an array. `endArray` ends it.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  /// Ends the array that `beginArray` began.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the key of a member. The value must be written next.
  package mutating func key(_ name: String) {
    separate()
    bytes.append(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    if pretty { bytes.append(UInt8(ascii: " ")) }
    needsComma = false
    isAfterKey = true
  }

  private var isAfterKey = false

  // MARK: Values

  /// Writes a string.
  package mutating func value(_ text: String) {
    separate()
    bytes.append(quoted: text)
  }

  /// Writes an integer.
  package mutating func value(_ number: some FixedWidthInteger) {
    separate()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes a number in its shortest exact form. Infinities and NaN, which JSON does not have, are written as null.
  package mutating func value(_ number: Double) {
    separate()
    bytes.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
  }

  /// Writes true or false.
  package mutating func value(_ flag: Bool) {
    separate()
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  /// Writes null.
  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes text that already is JSON. The text is not checked.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  // MARK: Members

  /// Writes a key and a string.
  package mutating func member(_ name: String, _ text: String) {
    key(name)
    value(text)
  }

  /// Writes a key and an integer.
  package mutating func member(_ name: String, _ number: some FixedWidthInteger) {
    key(name)
    value(number)
  }

  /// Writes a key and a number.
  package mutating func member(_ name: String, _ number: Double) {
    key(name)
    value(number)
  }

  /// Writes a key and true or false.
  package mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  /// Writes a key and an array of strings.
  package mutating func member(_ name: String, _ texts: some Sequence<String>) {
    key(name)
    array { json in
      for text in texts { json.value(text) }
    }
  }

  /// Writes a key and text that already is JSON. The text is not checked.
  package mutating func member(_ name: String, json: String) {
    key(name)
    raw(json.utf8)
  }

  /// Writes a key and an object. The closure writes its members.
  package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
    key(name)
    object(members)
  }

  /// Writes a key and an array. The closure writes its elements.
  package mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
    key(name)
    array(elements)
  }

  /// Returns the text of an object. The closure writes its members.
  package static func object(pretty: Bool = false, _ members: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.object(members)
    return writer.text
  }

  // MARK: Bytes

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    depth = max(0, depth - 1)
    if needsComma { breakLine() }
    bytes.append(bracket)
    needsComma = true
  }

  /// Writes the separator before the next key or value, if one is needed.
  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
    } else {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      if depth > 0 { breakLine() }
    }
    needsComma = true
  }

  private mutating func breakLine() {
    guard pretty else { return }
    bytes.append(.lineFeed)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
