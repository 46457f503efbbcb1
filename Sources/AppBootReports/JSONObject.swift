import AppBoot

/// A value in the JSON of a report.
protocol JSONPart {
  func write(to writer: inout JSONWriter)
}

extension JSONPart {
  /// Returns the value as JSON on one line, or with each value on a line of its own. The text ends with a line feed.
  func text(pretty: Bool) -> String {
    var writer = JSONWriter(pretty: pretty)
    write(to: &writer)
    return writer.text + "\n"
  }
}

extension String: JSONPart { func write(to writer: inout JSONWriter) { writer.value(self) } }
extension Bool: JSONPart { func write(to writer: inout JSONWriter) { writer.value(self) } }
extension Int: JSONPart { func write(to writer: inout JSONWriter) { writer.value(self) } }
extension Int64: JSONPart { func write(to writer: inout JSONWriter) { writer.value(self) } }
extension Double: JSONPart { func write(to writer: inout JSONWriter) { writer.value(self) } }

extension Array: JSONPart where Element: JSONPart {
  func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for element in self { element.write(to: &writer) }
    }
  }
}

/// Text that already is JSON.
struct RawJSON: JSONPart {
  let text: String
  func write(to writer: inout JSONWriter) { writer.raw(text.utf8) }
}

/// An object in the JSON of a report. It leaves out members without a value.
struct JSONObject: JSONPart, ExpressibleByDictionaryLiteral {
  private var members: [(name: String, value: any JSONPart)]

  init<Value: JSONPart>(_ members: [(String, Value)]) {
    self.members = members.map { ($0, $1) }
  }

  init(dictionaryLiteral elements: (String, (any JSONPart)?)...) {
    members = elements.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Returns an object with the members of both, in their order.
  static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    var object = left
    object.members += right.members
    return object
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for (name, value) in members {
        writer.key(name)
        value.write(to: &writer)
      }
    }
  }
}
