extension ParameterSchema {
  /// Reports each part of a value that does not match this schema, but not the keys and members of its objects.
  func validate(_ value: JSONValue, at path: inout ParameterPath, into problems: inout Diagnostics) {
    switch self {
    case .any: return
    case .string, .secret, .pattern: expect(value.kind == .string, value, path, &problems)
    case .boolean: expect(value.bool != nil, value, path, &problems)
    case .duration, .timeout: validateDuration(value, path, &problems)
    case .number: validateNumber(value, path, &problems)
    case .integer(let minimum, let maximum):
      validateInteger(value, minimum, maximum, path, &problems)
    case .enumeration(let cases): validateCase(value, cases, path, &problems)
    case .array(let element):
      guard expect(value.kind == .array, value, path, &problems) else { return }
      for (index, item) in value.elements.enumerated() {
        path.append(.index(index))
        element.validate(item, at: &path, into: &problems)
        path.removeLast()
      }
    case .dictionary(let element, _):
      guard expect(value.kind == .object, value, path, &problems) else { return }
      for (key, item) in value.members {
        path.append(.key(key.string))
        element.validate(item, at: &path, into: &problems)
        path.removeLast()
      }
    case .object, .oneOf: expect(value.kind == .object, value, path, &problems)
    case .optional(let wrapped):
      if value.kind != .null { wrapped.validate(value, at: &path, into: &problems) }
    case .nonEmpty(let wrapped), .definition(_, let wrapped):
      wrapped.validate(value, at: &path, into: &problems)
    case .anyOf(let shapes): validateAny(shapes, value, &path, &problems)
    }
  }

  @discardableResult
  private func expect(
    _ holds: Bool, _ value: JSONValue, _ path: ParameterPath, _ problems: inout Diagnostics
  ) -> Bool {
    if !holds {
      problems.append(at: value.range) {
        .error(
          "\"\(path.name)\" must be \(description), not \(value.kind)", at: value.range,
          help: help(insteadOf: value, as: path.name))
      }
    }
    return holds
  }

  private func validateDuration(_ value: JSONValue, _ path: ParameterPath, _ problems: inout Diagnostics) {
    guard let text = value.string else {
      let help = value.kind == .number ? DurationTextError.units(for: value.found) : nil
      problems.append(at: value.range) {
        .error("\"\(path.name)\" must be \(description), not \(value.kind)", at: value.range, help: help)
      }
      return
    }
    do {
      _ = try DurationText.parse(text)
    } catch {
      problems.append(at: value.range) { .durationProblem(error, path.name, value.range) }
    }
  }

  private func validateNumber(_ value: JSONValue, _ path: ParameterPath, _ problems: inout Diagnostics) {
    guard expect(value.kind == .number, value, path, &problems) else { return }
    do {
      _ = try value.double()
    } catch {
      problems.append(at: value.range) {
        .error("\"\(path.name)\" is out of range: \(error)", at: value.range)
      }
    }
  }

  private func validateInteger(
    _ value: JSONValue, _ minimum: Int64, _ maximum: UInt64, _ path: ParameterPath,
    _ problems: inout Diagnostics
  ) {
    guard value.kind == .number else { return _ = expect(false, value, path, &problems) }
    let isTooSmall: Bool, isTooLarge: Bool
    do {
      let number = try value.integer(as: Int64.self)
      (isTooSmall, isTooLarge) = (number < minimum, number > 0 && number.magnitude > maximum)
    } catch .notAnInteger {
      problems.append(at: value.range) {
        .error("\"\(path.name)\" must be \(description), not \(value.found)", at: value.range)
      }
      return
    } catch {
      let number = try? value.integer(as: UInt64.self)
      isTooSmall = value.text.hasPrefix("-")
      isTooLarge = !isTooSmall && number.map { $0 > maximum } ?? true
    }
    if isTooSmall || isTooLarge {
      let words = isTooSmall ? description : "a whole number from \(minimum) to \(maximum)"
      problems.append(at: value.range) {
        .error("\"\(path.name)\" must be \(words), not \(value.found)", at: value.range)
      }
    }
  }

  private func validateCase(
    _ value: JSONValue, _ cases: [String], _ path: ParameterPath, _ problems: inout Diagnostics
  ) {
    guard let text = value.string else { return _ = expect(false, value, path, &problems) }
    if !cases.contains(text) {
      problems.append(at: value.range) { .notOneOf(cases, text, path.name, value.range) }
    }
  }

  /// Reports a value that matches no alternative.
  ///
  /// The errors are those of the first alternative of the value's kind, unless the value could be written so that it
  /// matches another one.
  private func validateAny(
    _ shapes: [ParameterSchema], _ value: JSONValue, _ path: inout ParameterPath,
    _ problems: inout Diagnostics
  ) {
    var closest = Diagnostics()
    for shape in shapes {
      var found = Diagnostics()
      shape.validate(value, at: &path, into: &found)
      if found.total == 0 { return }
      if shape.accepts(value.kind), closest.total == 0 { closest = found }
    }
    if closest.total == 0 || ParameterSchema.anyOf(shapes).help(insteadOf: value, as: path.name) != nil {
      expect(false, value, path, &problems)
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
    case .nonEmpty(let wrapped), .definition(_, let wrapped): wrapped.accepts(kind)
    case .anyOf(let shapes): shapes.contains { $0.accepts(kind) }
    case .any: true
    }
  }
}
