import AppBoot

/// An object of a record's JSON whose members are read one by one. A member with the value `null` counts as absent.
struct RecordObject {
  private let value: JSONValue
  /// The index of the object in its array, or that of the object around it; 0 outside of arrays.
  var index = 0

  init(_ value: JSONValue) throws(RecordError) {
    self.value = value
    guard value.kind == .object else { throw damaged("expected an object, found \(value.kind)") }
  }

  /// Parses a text that is one object.
  init(parsing source: SourceText) throws(RecordError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: source)
    } catch {
      throw .notJSON(error.diagnostics, in: error.source)
    }
    try self.init(document.root)
  }

  /// Returns the error for an impossible value.
  ///
  /// - Parameter key: The member of this object with the value; `nil` for the object itself.
  func damaged(_ message: String, at key: String? = nil) -> RecordError {
    let range = key.flatMap { value[$0]?.range } ?? value.range
    // An object may be long; its first brace is enough to locate it.
    let place = key == nil ? SourceRange(start: range.start, end: range.start + 1) : range
    return .damaged(.error("damaged record: \(message)", at: place), in: value.source)
  }

  /// Returns the value of a member; `nil` if it is absent.
  func optional<Value>(_ key: String, _ form: RecordForm<Value>) throws(RecordError) -> Value? {
    guard let member = value[key], !member.isNull else { return nil }
    return try form.read(member, self, key)
  }

  /// Returns the value of a member that must be present.
  func required<Value>(_ key: String, _ form: RecordForm<Value>) throws(RecordError) -> Value {
    guard let value = try optional(key, form) else { throw damaged("\"\(key)\" is missing") }
    return value
  }

  func object(_ key: String) throws(RecordError) -> RecordObject? {
    guard let member = value[key], !member.isNull else { return nil }
    return try RecordObject(member)
  }

  /// Returns the objects of an array; none if it is absent.
  func objects(_ key: String) throws(RecordError) -> [RecordObject] {
    guard let member = value[key], !member.isNull else { return [] }
    var objects: [RecordObject] = []
    for element in try elements(of: member, at: key) { objects.append(try RecordObject(element)) }
    return objects
  }

  /// Returns the elements of the array that a member of this object is.
  func elements(of member: JSONValue, at key: String) throws(RecordError) -> [JSONValue] {
    guard member.kind == .array else { throw damaged("expected an array, found \(member.kind)", at: key) }
    return Array(member.elements)
  }
}
