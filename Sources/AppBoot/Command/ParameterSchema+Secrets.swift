extension ParameterSchema {
  /// True if a value of the schema can contain a ``Secret``.
  var holdsSecret: Bool {
    switch self {
    case .secret: true
    case .array(let inner), .dictionary(let inner, _), .optional(let inner), .nonEmpty(let inner),
      .definition(_, let inner):
      inner.holdsSecret
    case .object(let fields), .oneOf(let fields): fields.contains { $0.schema.holdsSecret }
    case .anyOf(let shapes): shapes.contains(where: \.holdsSecret)
    case .string, .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .any: false
    }
  }
}
