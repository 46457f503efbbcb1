import AppBoot

/// A coder that writes, reads or describes the members of an object in a record's JSON.
///
/// A type of ``RecordMembers`` declares each member once, by passing its value to a coder. A writer writes the value
/// and returns it. A reader ignores the value and returns the one from the JSON. A schema records the member and
/// returns a placeholder.
protocol RecordCoder {
  /// The error of a reader; `Never` for writers and schemas.
  associatedtype Problem: Error

  /// The index of a reader's object in its array; 0 outside of an array, and for writers and schemas.
  var index: Int { get }

  /// Codes a member that the JSON has if the value is not `nil`.
  mutating func optional<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, _ help: String
  ) throws(Problem) -> Value?

  /// Codes a member that the JSON has always.
  ///
  /// - Parameter absent: The value for a JSON without the member; `nil` if a reader must reject it.
  mutating func required<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, ifAbsent absent: Value?, _ help: String
  ) throws(Problem) -> Value
}

extension RecordCoder {
  mutating func required<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, _ help: String
  ) throws(Problem) -> Value {
    try required(name, form, value, ifAbsent: nil, help)
  }

  /// Codes an array, or another collection, that the JSON has if it is not empty.
  mutating func list<Values: RangeReplaceableCollection>(
    _ name: String, _ form: RecordForm<Values>, _ values: Values?, _ help: String
  ) throws(Problem) -> Values {
    try optional(name, form, values.flatMap { $0.isEmpty ? nil : $0 }, help) ?? Values()
  }

  /// Codes a flag that the JSON has if it is true.
  mutating func flag(_ name: String, _ value: Bool?, _ help: String) throws(Problem) -> Bool {
    try optional(name, .flag, value == true ? true : nil, help) ?? false
  }
}

/// Members of an object in a record's JSON. They are declared once for writing, reading and the schema.
protocol RecordMembers: Sendable {
  /// Passes each member to the coder. Returns the part that consists of the coder's values.
  ///
  /// - Parameter part: The part to write; `nil` to read or describe a part.
  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self
}

/// All members of an object in a record's JSON.
protocol RecordPart: RecordMembers {
  /// The name of the object's definition in the schema.
  static var definition: String { get }
}

extension JSONWriter: RecordCoder {
  typealias Problem = Never

  var index: Int { 0 }

  mutating func optional<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, _ help: String = ""
  ) -> Value? {
    guard let value else { return nil }
    key(name)
    form.write(value, &self)
    return value
  }

  mutating func required<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, ifAbsent absent: Value?, _ help: String
  ) -> Value {
    optional(name, form, value ?? absent) ?? form.placeholder()
  }

  /// Writes the members of a part into the object that is open in the writer.
  mutating func members<Part: RecordMembers>(of part: Part) { _ = Part.coded(part, by: &self) }

  /// Writes a member whose value is a part.
  mutating func member<Part: RecordPart>(_ name: String, _ part: Part) { _ = optional(name, .part, part) }

  /// Returns an object as a line in UTF-8 with its line feed. The closure writes its members.
  static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] { Array((object(members) + "\n").utf8) }
}

extension RecordObject: RecordCoder {
  typealias Problem = RecordError

  mutating func optional<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, _ help: String
  ) throws(RecordError) -> Value? {
    try optional(name, form)
  }

  mutating func required<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, ifAbsent absent: Value?, _ help: String
  ) throws(RecordError) -> Value {
    if let absent { return try optional(name, form) ?? absent }
    return try required(name, form)
  }

  /// Reads a part whose members are members of this object itself.
  func members<Part: RecordMembers>() throws(RecordError) -> Part {
    var object = self
    return try Part.coded(nil, by: &object)
  }
}

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
