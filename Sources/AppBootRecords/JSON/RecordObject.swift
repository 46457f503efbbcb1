import AppBoot

/// An object of a record's JSON whose members are read one by one. A member with the value `null` counts as absent.
struct RecordObject {
  private let value: JSONValue
  /// The index of the object in its array; 0 if it is not in an array.
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

  private func member(_ key: String) -> JSONValue? {
    guard let member = value[key], !member.isNull else { return nil }
    return member
  }

  private func missing(_ key: String) -> RecordError { damaged("\"\(key)\" is missing") }

  // MARK: - Texts

  func optionalString(_ key: String) throws(RecordError) -> String? {
    guard let member = member(key) else { return nil }
    guard let string = member.string else {
      throw damaged("expected a string, found \(member.kind)", at: key)
    }
    return string
  }

  func string(_ key: String) throws(RecordError) -> String {
    guard let string = try optionalString(key) else { throw missing(key) }
    return string
  }

  func strings(_ key: String) throws(RecordError) -> [String] {
    var strings: [String] = []
    for element in try elements(key) {
      guard let string = element.string else { throw damaged("expected strings only", at: key) }
      strings.append(string)
    }
    return strings
  }

  func choice<Choice: RawRepresentable<String>>(_ key: String) throws(RecordError) -> Choice? {
    guard let name = try optionalString(key) else { return nil }
    guard let choice = Choice(rawValue: name) else {
      throw damaged("the value \"\(name)\" is unknown", at: key)
    }
    return choice
  }

  func flag(_ key: String) throws(RecordError) -> Bool {
    guard let member = member(key) else { return false }
    guard let flag = member.bool else { throw damaged("expected true or false", at: key) }
    return flag
  }

  // MARK: - Numbers

  func integer<Number: FixedWidthInteger>(
    _ key: String, in range: ClosedRange<Number>
  ) throws(RecordError) -> Number? {
    guard let member = member(key) else { return nil }
    let number: Number
    do {
      number = try member.integer()
    } catch {
      throw damaged(error.description, at: key)
    }
    guard range.contains(number) else {
      throw damaged("\(number) is not between \(range.lowerBound) and \(range.upperBound)", at: key)
    }
    return number
  }

  func required<Number: FixedWidthInteger>(
    _ key: String, in range: ClosedRange<Number>
  ) throws(RecordError) -> Number {
    guard let number = try integer(key, in: range) else { throw missing(key) }
    return number
  }

  /// Returns a member that is a time, in nanoseconds since the launch began; `nil` if it is absent.
  ///
  /// - Throws: ``RecordError`` if the member is not a valid time, or if the time is before `start`.
  func time(_ key: String, notBefore start: Int64? = nil) throws(RecordError) -> Int64? {
    guard let time = try integer(key, in: 0...StartupRecord.longestTime) else { return nil }
    if let start, time < start { throw damaged("\"\(key)\" is earlier than the time before it", at: key) }
    return time
  }

  func requiredTime(_ key: String) throws(RecordError) -> Int64 {
    guard let time = try time(key) else { throw missing(key) }
    return time
  }

  /// Returns a member that is a duration in nanoseconds; `nil` if it is absent.
  func span(_ key: String) throws(RecordError) -> Int64? { try integer(key, in: 0...Int64.max) }

  /// Returns a member that is a list of measured times in nanoseconds; empty if it is absent.
  func times(_ key: String) throws(RecordError) -> [Int64] {
    var times: [Int64] = []
    for element in try elements(key) {
      guard let time = try? element.integer(as: Int64.self), (0...StartupRecord.longestTime).contains(time)
      else {
        throw damaged("expected whole numbers between 0 and \(StartupRecord.longestTime) only", at: key)
      }
      times.append(time)
    }
    return times
  }

  /// Returns a member that is a list of measured times in any unit, or `null`; empty if it is absent.
  func optionalTimes(_ key: String) throws(RecordError) -> [Int64?] {
    var times: [Int64?] = []
    for element in try elements(key) {
      if element.isNull {
        times.append(nil)
      } else if let time = try? element.integer(as: Int64.self),
        (0...StartupRecord.longestTime / 1000).contains(time)
      {
        times.append(time)
      } else {
        throw damaged("expected whole numbers and null only", at: key)
      }
    }
    return times
  }

  /// Returns a member that is an object of texts as labels, sorted by name; empty if it is absent.
  func labels(_ key: String) throws(RecordError) -> [LaunchLabel] {
    guard let member = member(key) else { return [] }
    guard member.kind == .object else { throw damaged("expected an object, found \(member.kind)", at: key) }
    var labels: [LaunchLabel] = []
    for (name, value) in member.members {
      guard let text = value.string else { throw damaged("expected strings only", at: key) }
      labels.append(LaunchLabel(name.string, text))
    }
    return labels.sorted { $0.name < $1.name }
  }

  // MARK: - Objects

  func object(_ key: String) throws(RecordError) -> RecordObject? {
    guard let member = member(key) else { return nil }
    return try RecordObject(member)
  }

  func objects(_ key: String) throws(RecordError) -> [RecordObject] {
    var objects: [RecordObject] = []
    for element in try elements(key) { objects.append(try RecordObject(element)) }
    return objects
  }

  private func elements(_ key: String) throws(RecordError) -> [JSONValue] {
    guard let member = member(key) else { return [] }
    guard member.kind == .array else { throw damaged("expected an array, found \(member.kind)", at: key) }
    return Array(member.elements)
  }
}
