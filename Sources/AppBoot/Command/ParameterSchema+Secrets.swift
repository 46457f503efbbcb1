extension ParameterSchema {
  /// True if a value of the schema can contain a ``Secret``.
  var holdsSecret: Bool {
    switch self {
    case .secret: true
    case .array(let inner), .dictionary(let inner, _), .optional(let inner), .nonEmpty(let inner):
      inner.holdsSecret
    case .object(let fields), .oneOf(let fields): fields.contains { $0.schema.holdsSecret }
    case .anyOf(let shapes): shapes.contains(where: \.holdsSecret)
    case .string, .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .any: false
    }
  }

  /// Calls a function with each member of a value, at any depth, whose key is not in the schema.
  func forEachUnknown(in value: JSONValue, _ body: (JSONValue) -> Void) {
    switch self {
    case .array(let inner):
      for element in value.elements { inner.forEachUnknown(in: element, body) }
    case .dictionary(let inner, _):
      for member in value.members { inner.forEachUnknown(in: member.value, body) }
    case .optional(let inner), .nonEmpty(let inner): inner.forEachUnknown(in: value, body)
    case .object(let fields), .oneOf(let fields):
      for (key, member) in value.members {
        if let field = fields.first(where: { key == $0.name }) {
          field.schema.forEachUnknown(in: member, body)
        } else {
          body(member)
        }
      }
    case .anyOf(let shapes):
      shapes.first { $0.accepts(value.kind) }?.forEachUnknown(in: value, body)
    case .string, .secret, .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .any:
      break
    }
  }
}
