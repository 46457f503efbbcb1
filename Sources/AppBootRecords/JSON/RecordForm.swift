import AppBoot

/// The form of a member's value in a record's JSON: how it is written and read, and its JSON Schema.
struct RecordForm<Value> {
  /// Writes a value.
  let write: (Value, inout JSONWriter) -> Void
  /// Reads the value of the member with this name of an object.
  let read: (JSONValue, RecordObject, String) throws(RecordError) -> Value
  /// Writes the members of the value's schema.
  let schema: (inout JSONWriter) -> Void
  /// A placeholder value, for collecting the schema.
  let placeholder: () -> Value
  /// The type of the value if it is an object, or of its elements if it is an array of objects; `nil` for other values.
  var part: (any RecordPart.Type)?

  /// The form of a value that a writer computes from others. A reader accepts any value, and computes its own.
  var derived: Self {
    Self(
      write: write, read: { [placeholder] _, _, _ in placeholder() }, schema: schema,
      placeholder: placeholder)
  }
}

extension RecordForm<String> {
  static var text: Self {
    Self(
      write: { $1.value($0) },
      read: { value, object, name throws(RecordError) in
        guard let text = value.string else {
          throw object.damaged("expected a string, found \(value.kind)", at: name)
        }
        return text
      },
      schema: { $0.member("type", "string") }, placeholder: { "" })
  }

  /// A word from a list. A reader accepts other words too, because a later version can add words.
  static func word(of words: [String]) -> Self {
    Self(
      write: text.write, read: text.read, schema: { $0.member("enum", words) }, placeholder: { words[0] })
  }
}

extension RecordForm<Bool> {
  static var flag: Self {
    Self(
      write: { $1.value($0) },
      read: { value, object, name throws(RecordError) in
        guard let flag = value.bool else { throw object.damaged("expected true or false", at: name) }
        return flag
      },
      schema: { $0.member("type", "boolean") }, placeholder: { false })
  }
}

extension RecordForm {
  /// An array of values of a form.
  static func array<Element>(of element: RecordForm<Element>) -> Self where Value == [Element] {
    Self(
      write: { values, writer in writer.array { for value in values { element.write(value, &$0) } } },
      read: { value, object, name throws(RecordError) in
        var values: [Element] = []
        for json in try object.elements(of: value, at: name) {
          var place = object
          place.index = values.count
          values.append(try element.read(json, place, name))
        }
        return values
      },
      schema: { writer in
        writer.member("type", "array")
        writer.object("items") { element.schema(&$0) }
      },
      placeholder: { [] }, part: element.part)
  }

  /// An array of objects.
  static func parts<Part: RecordPart>() -> Self where Value == [Part] { array(of: .part) }
}

extension RecordForm<[String]> {
  static var texts: Self { array(of: .text) }
}

extension RecordForm<[LaunchLabel]> {
  /// Labels as an object of texts. A reader sorts them by name.
  static var labels: Self {
    Self(
      write: { labels, writer in writer.object { for label in labels { $0.member(label.name, label.value) } }
      },
      read: { value, object, name throws(RecordError) in
        guard value.kind == .object else {
          throw object.damaged("expected an object, found \(value.kind)", at: name)
        }
        var labels: [LaunchLabel] = []
        for (key, member) in value.members {
          guard let text = member.string else { throw object.damaged("expected strings only", at: name) }
          labels.append(LaunchLabel(key.string, text))
        }
        return labels.sorted { $0.name < $1.name }
      },
      schema: { writer in
        writer.member("type", "object")
        writer.object("additionalProperties") { $0.member("type", "string") }
      },
      placeholder: { [] })
  }
}

extension RecordForm where Value: FixedWidthInteger {
  /// An integer in a range. The schema has only the lower bound.
  static func integer(in range: ClosedRange<Value>) -> Self {
    Self(
      write: { $1.value($0) },
      read: { value, object, name throws(RecordError) in
        let number: Value
        do throws(JSONNumberError) {
          number = try value.integer()
        } catch {
          throw object.damaged(error.description, at: name)
        }
        guard range.contains(number) else {
          throw object.damaged(
            "\(number) is not between \(range.lowerBound) and \(range.upperBound)", at: name)
        }
        return number
      },
      schema: { writer in
        writer.member("type", "integer")
        writer.member("minimum", range.lowerBound)
      },
      placeholder: { range.lowerBound })
  }
}

extension RecordForm<Int> {
  /// The number of an attempt or of another thing that is counted from 1.
  static var count: Self { .integer(in: 1...Int(Int32.max)) }
}

extension RecordForm<Int32> {
  /// The identifier of a process.
  static var pid: Self { .integer(in: 1...Int32.max) }
}

extension RecordForm<Int64> {
  /// A configured duration in nanoseconds.
  static var duration: Self { .integer(in: 0...Int64.max) }

  /// A time since the launch began, or a measured duration, in nanoseconds.
  static var time: Self { .time(notBefore: nil) }

  /// A time since the launch began.
  ///
  /// - Parameter start: The earliest valid time; `nil` for none. A reader rejects earlier times.
  static func time(notBefore start: Int64?) -> Self {
    let integer = Self.integer(in: 0...LaunchRecord.longestTime)
    return Self(
      write: integer.write,
      read: { value, object, name throws(RecordError) in
        let time = try integer.read(value, object, name)
        if let start, time < start {
          throw object.damaged("\"\(name)\" is earlier than the time before it", at: name)
        }
        return time
      },
      schema: { writer in
        integer.schema(&writer)
        writer.member("maximum", LaunchRecord.longestTime)
      },
      placeholder: { 0 })
  }
}

extension RecordForm where Value: RawRepresentable<String> & CaseIterable {
  /// A case of an enumeration, by its raw value.
  static func choice(_ first: Value) -> Self {
    Self(
      write: { $1.value($0.rawValue) },
      read: { value, object, name throws(RecordError) in
        let word = try RecordForm<String>.text.read(value, object, name)
        guard let choice = Value(rawValue: word) else {
          throw object.damaged("there is no \(name) \"\(word)\"", at: name)
        }
        return choice
      },
      schema: { $0.member("enum", Value.allCases.map(\.rawValue)) }, placeholder: { first })
  }
}

extension RecordForm where Value: RecordPart {
  /// An object.
  static var part: Self {
    Self(
      write: { part, writer in writer.object { _ = Value.coded(part, by: &$0) } },
      read: { value, object, _ throws(RecordError) in
        var inner = try RecordObject(value)
        inner.index = object.index
        return try Value.coded(nil, by: &inner)
      },
      schema: { $0.member("$ref", "#/$defs/\(Value.definition)") },
      placeholder: {
        var schema = RecordSchema()
        return Value.coded(nil, by: &schema)
      },
      part: Value.self)
  }
}
