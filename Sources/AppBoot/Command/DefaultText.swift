/// A writer of a parameter's default value as JSON, for help and the schema.
enum DefaultText {
  static func json(of value: Any) -> String? {
    switch value {
    case let text as String: quoted(text)
    case let flag as Bool: flag ? "true" : "false"
    case let number as any BinaryInteger: number.description
    case let number as Double: number.isFinite ? number.description : nil
    case let number as Float: number.isFinite ? number.description : nil
    case let duration as Duration: quoted(DurationText.exact(duration))
    case let color as AppColor: quoted(color.description)
    case let raw as any RawRepresentable: json(raw: raw)
    default: json(collection: value)
    }
  }

  private static func json<Raw: RawRepresentable>(raw: Raw) -> String? { json(of: raw.rawValue) }

  private static func json(collection value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.flatMap { json(of: $0.value) }
    case .collection: return list(mirror.children.map { json(of: $0.value) }, "[", "]")
    // A set has another order in every process, and the documents that are printed must not.
    case .set:
      return list(mirror.children.map { json(of: $0.value) }.sorted { $0 ?? "" < $1 ?? "" }, "[", "]")
    case .dictionary: return (value as? [String: Any]).flatMap(object)
    case .enum: return CaseNames.of(type(of: value)) == nil ? nil : quoted("\(value)")
    default: return nil
    }
  }

  private static func object(_ members: [String: Any]) -> String? {
    list(
      members.sorted { $0.key < $1.key }.map { key, value in json(of: value).map { "\(quoted(key)): \($0)" }
      },
      "{", "}")
  }

  private static func list(_ items: [String?], _ opening: String, _ closing: String) -> String? {
    items.contains(nil) ? nil : opening + items.compactMap(\.self).joined(separator: ", ") + closing
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(text)
    return writer.text
  }
}
