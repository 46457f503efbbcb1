extension ParameterSchema {
  /// Reports each part of a value that does not match this schema.
  func validate(_ value: JSONValue, as name: String, into problems: inout Diagnostics) {
    switch self {
    case .any: return
    case .string, .secret, .pattern: expect(value.kind == .string, value, name, &problems)
    case .boolean: expect(value.bool != nil, value, name, &problems)
    case .duration, .timeout: validateDuration(value, name, &problems)
    case .number: validateNumber(value, name, &problems)
    case .integer(let minimum, let maximum):
      validateInteger(value, minimum, maximum, name, &problems)
    case .enumeration(let cases): validateCase(value, cases, name, &problems)
    case .array(let element):
      guard expect(value.kind == .array, value, name, &problems) else { return }
      for (index, item) in value.elements.enumerated() {
        element.validate(item, as: "\(name)[\(index)]", into: &problems)
      }
    case .dictionary(let element, _):
      guard expect(value.kind == .object, value, name, &problems) else { return }
      for (key, item) in value.members {
        element.validate(item, as: "\(name).\(key.string.excerpt)", into: &problems)
      }
    case .object(let fields), .oneOf(let fields):
      guard expect(value.kind == .object, value, name, &problems) else { return }
      Self.validate(
        fields, of: value, at: value.range, as: "\"\(name)\"", prefix: "\(name).", into: &problems)
    case .optional(let wrapped):
      if value.kind != .null { wrapped.validate(value, as: name, into: &problems) }
    case .nonEmpty(let wrapped): wrapped.validate(value, as: name, into: &problems)
    case .anyOf(let shapes): validateAny(shapes, value, name, &problems)
    }
  }

  /// Reports the unknown and missing keys of an object, and the values that do not match the schemas of their fields.
  static func validate(
    _ fields: [ParameterField], of object: JSONValue?, at range: SourceRange, as what: String, prefix: String,
    besides properties: @autoclosure () -> [String] = [], into problems: inout Diagnostics
  ) {
    var given: Set<String> = []
    var plain: [String]?
    if let object {
      for (key, value) in object.members {
        if let field = fields.first(where: { key == $0.name }) {
          given.insert(field.name)
          field.schema.validate(value, as: prefix + field.name, into: &problems)
        } else if !key.hasPrefix("x-") {
          let names = plain ?? properties()
          plain = names
          problems.append(at: key.range) {
            if names.contains(key.string) { return .plainProperty(key.string, key.range, in: what) }
            let isAttribute = prefix.isEmpty && ManifestReader.entryKeys.contains(key.string)
            return isAttribute
              ? .misplacedKey(key.string, key.range, in: what)
              : .unknownKey(key.string, key.range, among: fields.map(\.name), of: what)
          }
        }
      }
    }
    for field in fields where field.isRequired && !given.contains(field.name) {
      let help = field.help.isEmpty ? field.schema.description : "\(field.schema.description): \(field.help)"
      problems.append(.error("\(what) needs \"\(field.name)\"", at: range, help: help))
    }
  }

  @discardableResult
  private func expect(
    _ holds: Bool, _ value: JSONValue, _ name: String, _ problems: inout Diagnostics
  ) -> Bool {
    if !holds {
      problems.append(at: value.range) {
        .error(
          "\"\(name)\" must be \(description), not \(value.kind)", at: value.range,
          help: help(insteadOf: value, as: name))
      }
    }
    return holds
  }

  private func validateDuration(_ value: JSONValue, _ name: String, _ problems: inout Diagnostics) {
    guard let text = value.string else {
      let help = value.kind == .number ? DurationTextError.units(for: value.found) : nil
      problems.append(at: value.range) {
        .error("\"\(name)\" must be \(description), not \(value.kind)", at: value.range, help: help)
      }
      return
    }
    do {
      _ = try DurationText.parse(text)
    } catch {
      problems.append(.durationProblem(error, name, value.range))
    }
  }

  private func validateNumber(_ value: JSONValue, _ name: String, _ problems: inout Diagnostics) {
    guard expect(value.kind == .number, value, name, &problems) else { return }
    do {
      _ = try value.double()
    } catch {
      problems.append(.error("\"\(name)\" is out of range: \(error)", at: value.range))
    }
  }

  private func validateInteger(
    _ value: JSONValue, _ minimum: Int64, _ maximum: UInt64, _ name: String, _ problems: inout Diagnostics
  ) {
    guard value.kind == .number else { return _ = expect(false, value, name, &problems) }
    let number: Int128
    do {
      number = try value.integer(as: Int128.self)
    } catch .notAnInteger {
      problems.append(.error("\"\(name)\" must be \(description), not \(value.found)", at: value.range))
      return
    } catch {
      number = Int128.max
    }
    if number < Int128(minimum) || number > Int128(maximum) {
      let range = "from \(minimum) to \(maximum)"
      problems.append(
        .error("\"\(name)\" must be a whole number \(range), not \(value.found)", at: value.range))
    }
  }

  private func validateCase(
    _ value: JSONValue, _ cases: [String], _ name: String, _ problems: inout Diagnostics
  ) {
    guard let text = value.string else { return _ = expect(false, value, name, &problems) }
    if !cases.contains(text) {
      problems.append(at: value.range) { .notOneOf(cases, text, name, value.range) }
    }
  }

  /// Reports a value that matches no alternative.
  ///
  /// The errors are those of the first alternative of the value's kind, unless the value could be written so that it
  /// matches another one.
  private func validateAny(
    _ shapes: [ParameterSchema], _ value: JSONValue, _ name: String, _ problems: inout Diagnostics
  ) {
    var closest = Diagnostics()
    for shape in shapes {
      var found = Diagnostics()
      shape.validate(value, as: name, into: &found)
      if found.total == 0 { return }
      if shape.accepts(value.kind), closest.total == 0 { closest = found }
    }
    if closest.total == 0 || ParameterSchema.anyOf(shapes).help(insteadOf: value, as: name) != nil {
      expect(false, value, name, &problems)
    } else {
      problems.append(contentsOf: closest)
    }
  }

  /// Returns whether values of a kind can match the schema.
  func accepts(_ kind: JSONValue.Kind) -> Bool {
    switch self {
    case .string, .secret, .pattern, .duration, .timeout, .enumeration: kind == .string
    case .integer, .number: kind == .number
    case .boolean: kind == .bool
    case .array: kind == .array
    case .dictionary, .object, .oneOf: kind == .object
    case .optional(let wrapped): kind == .null || wrapped.accepts(kind)
    case .nonEmpty(let wrapped): wrapped.accepts(kind)
    case .anyOf(let shapes): shapes.contains { $0.accepts(kind) }
    case .any: true
    }
  }
}

extension Diagnostic {
  /// Returns the error for a key that is the name of a stored property, but not of a parameter.
  fileprivate static func plainProperty(_ name: String, _ range: SourceRange, in what: String) -> Diagnostic {
    .error(
      "\"\(name.excerpt)\" is a stored property of \(what), but not a parameter", at: range,
      help: "declare it with @Parameter in Swift, or remove it here")
  }
}
