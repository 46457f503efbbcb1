import AppBoot

extension JSONWriter {
  /// Returns the text of an object on one line.
  static func object(_ members: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(members)
    return writer.text
  }

  /// Writes a member whose value is a text of JSON.
  mutating func member(_ name: String, json: String) {
    key(name)
    raw(json.utf8)
  }
}
