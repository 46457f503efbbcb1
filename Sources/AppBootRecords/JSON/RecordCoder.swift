import AppBoot

/// A coder that writes, reads or describes the members of an object in a record's JSON.
///
/// A ``RecordPart`` declares each member once, by passing its value to a coder. A writer writes the value and returns
/// it. A reader ignores the value and returns the one from the JSON. A schema records the member and returns a default.
/// If the value of an optional member is `nil`, `false` or an empty array, the JSON does not have the member.
protocol RecordCoder {
  /// The error of a reader; `Never` for writers and schemas.
  associatedtype Problem: Error

  /// The index of a reader's object in its array; 0 outside of an array, and for writers and schemas.
  var index: Int { get }

  mutating func text(_ name: String, _ value: String?, _ help: String) throws(Problem) -> String?
  mutating func requiredText(_ name: String, _ value: String?, _ help: String) throws(Problem) -> String
  mutating func texts(_ name: String, _ value: [String], _ help: String) throws(Problem) -> [String]
  /// Codes an array of texts that is written even if it is empty.
  mutating func requiredTexts(_ name: String, _ value: [String], _ help: String) throws(Problem) -> [String]
  mutating func integer(
    _ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String
  ) throws(Problem) -> Int?
  mutating func requiredInteger(
    _ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String
  ) throws(Problem) -> Int
  /// Codes a time since the launch began, or a measured duration, in nanoseconds.
  ///
  /// - Parameter start: The earliest valid time; `nil` for none. A reader rejects earlier times.
  mutating func time(
    _ name: String, _ value: Int64?, notBefore start: Int64?, _ help: String
  ) throws(Problem) -> Int64?
  mutating func requiredTime(_ name: String, _ value: Int64?, _ help: String) throws(Problem) -> Int64
  /// Codes labels as an object of texts.
  mutating func labels(
    _ name: String, _ value: [LaunchLabel], _ help: String
  ) throws(Problem) -> [LaunchLabel]
  /// Codes a configured duration in nanoseconds.
  mutating func duration(_ name: String, _ value: Int64?, _ help: String) throws(Problem) -> Int64?
  mutating func flag(_ name: String, _ value: Bool, _ help: String) throws(Problem) -> Bool
  /// Codes a choice that is always written. A reader returns `absent` if the JSON does not have it.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ value: Choice?, ifAbsent absent: Choice, _ help: String
  ) throws(Problem) -> Choice
  mutating func part<Part: RecordPart>(
    _ name: String, _ value: Part?, _ help: String
  ) throws(Problem) -> Part?
  mutating func parts<Part: RecordPart>(
    _ name: String, _ value: [Part], _ help: String
  ) throws(Problem) -> [Part]
}

/// An object in a record's JSON. Its members are declared once for writing, reading and the schema.
protocol RecordPart: Sendable {
  /// The name of the object's definition in the schema.
  static var definition: String { get }

  /// Passes each member to the coder. Returns the part that consists of the coder's values.
  ///
  /// - Parameter part: The part to write; `nil` to read or describe a part.
  static func coded<Coder: RecordCoder>(_ part: Self?, by coder: inout Coder) throws(Coder.Problem) -> Self
}

// MARK: - Writing

extension JSONWriter: RecordCoder {
  typealias Problem = Never

  var index: Int { 0 }

  mutating func text(_ name: String, _ value: String?, _ help: String) -> String? {
    if let value { member(name, value) }
    return value
  }

  mutating func requiredText(_ name: String, _ value: String?, _ help: String) -> String {
    text(name, value, help) ?? ""
  }

  mutating func texts(_ name: String, _ value: [String], _ help: String) -> [String] {
    if !value.isEmpty { member(name, value) }
    return value
  }

  mutating func requiredTexts(_ name: String, _ value: [String], _ help: String) -> [String] {
    member(name, value)
    return value
  }

  mutating func integer(_ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String) -> Int? {
    if let value { member(name, value) }
    return value
  }

  mutating func requiredInteger(
    _ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String
  ) -> Int {
    integer(name, value, in: range, help) ?? range.lowerBound
  }

  mutating func time(_ name: String, _ value: Int64?, notBefore start: Int64?, _ help: String) -> Int64? {
    duration(name, value, help)
  }

  mutating func requiredTime(_ name: String, _ value: Int64?, _ help: String) -> Int64 {
    duration(name, value, help) ?? 0
  }

  mutating func labels(_ name: String, _ value: [LaunchLabel], _ help: String) -> [LaunchLabel] {
    guard !value.isEmpty else { return value }
    key(name)
    object { writer in for label in value { writer.member(label.name, label.value) } }
    return value
  }

  mutating func duration(_ name: String, _ value: Int64?, _ help: String) -> Int64? {
    if let value { member(name, value) }
    return value
  }

  mutating func flag(_ name: String, _ value: Bool, _ help: String) -> Bool {
    if value { member(name, true) }
    return value
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ value: Choice?, ifAbsent absent: Choice, _ help: String
  ) -> Choice {
    let value = value ?? absent
    member(name, value.rawValue)
    return value
  }

  mutating func part<Part: RecordPart>(_ name: String, _ value: Part?, _ help: String) -> Part? {
    guard let value else { return nil }
    key(name)
    write(value)
    return value
  }

  mutating func parts<Part: RecordPart>(_ name: String, _ value: [Part], _ help: String) -> [Part] {
    guard !value.isEmpty else { return value }
    key(name)
    array { writer in for part in value { writer.write(part) } }
    return value
  }

  /// Writes a part as an object.
  mutating func write(_ part: some RecordPart) { object { $0.writeMembers(of: part) } }

  /// Writes the members of a part into the object that is open in the writer.
  mutating func writeMembers<Part: RecordPart>(of part: Part) { _ = Part.coded(part, by: &self) }
}

// MARK: - Reading

extension RecordObject: RecordCoder {
  typealias Problem = RecordError

  mutating func text(_ name: String, _ value: String?, _ help: String) throws(RecordError) -> String? {
    try optionalString(name)
  }

  mutating func requiredText(_ name: String, _ value: String?, _ help: String) throws(RecordError) -> String {
    try string(name)
  }

  mutating func texts(_ name: String, _ value: [String], _ help: String) throws(RecordError) -> [String] {
    try strings(name)
  }

  mutating func requiredTexts(
    _ name: String, _ value: [String], _ help: String
  ) throws(RecordError) -> [String] {
    try strings(name)
  }

  mutating func integer(
    _ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String
  ) throws(RecordError) -> Int? {
    try integer(name, in: range)
  }

  mutating func requiredInteger(
    _ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String
  ) throws(RecordError) -> Int {
    try required(name, in: range)
  }

  mutating func time(
    _ name: String, _ value: Int64?, notBefore start: Int64?, _ help: String
  ) throws(RecordError) -> Int64? {
    try time(name, notBefore: start)
  }

  mutating func requiredTime(_ name: String, _ value: Int64?, _ help: String) throws(RecordError) -> Int64 {
    try requiredTime(name)
  }

  mutating func labels(
    _ name: String, _ value: [LaunchLabel], _ help: String
  ) throws(RecordError) -> [LaunchLabel] {
    try labels(name)
  }

  mutating func duration(_ name: String, _ value: Int64?, _ help: String) throws(RecordError) -> Int64? {
    try span(name)
  }

  mutating func flag(_ name: String, _ value: Bool, _ help: String) throws(RecordError) -> Bool {
    try flag(name)
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ value: Choice?, ifAbsent absent: Choice, _ help: String
  ) throws(RecordError) -> Choice {
    try choice(name) ?? absent
  }

  mutating func part<Part: RecordPart>(
    _ name: String, _ value: Part?, _ help: String
  ) throws(RecordError) -> Part? {
    try part(name)
  }

  mutating func parts<Part: RecordPart>(
    _ name: String, _ value: [Part], _ help: String
  ) throws(RecordError) -> [Part] {
    var parts: [Part] = []
    for var object in try objects(name) {
      object.index = parts.count
      parts.append(try Part.coded(nil, by: &object))
    }
    return parts
  }

  /// Reads the part that is the value of a member; `nil` if the object does not have the member.
  func part<Part: RecordPart>(_ name: String) throws(RecordError) -> Part? {
    guard var object = try object(name) else { return nil }
    return try Part.coded(nil, by: &object)
  }

  /// Reads a part whose members are members of this object itself.
  func members<Part: RecordPart>() throws(RecordError) -> Part {
    var object = self
    return try Part.coded(nil, by: &object)
  }
}
