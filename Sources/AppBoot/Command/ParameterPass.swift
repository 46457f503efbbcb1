import AppBootBase

/// An observer of the parameters that are declared while a command is created.
///
/// A command's `init()` computes its properties' initial values, and so declares each `@Parameter`. The current pass of
/// the thread records these declarations (``ParameterSurvey``), or supplies a value for each (``ParameterFilling``).
/// Without a pass, parameters get their defaults.
class ParameterPass {
  private static let slot = ThreadReference()

  /// The current pass of this thread; `nil` if the thread is not creating a command in a pass.
  static var current: ParameterPass? { slot.current as? ParameterPass }

  /// Runs a closure. Meanwhile this pass is the current one of the thread.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.slot.with(self, body)
  }

  /// Runs a closure. Meanwhile the thread has no pass.
  static func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    try slot.with(nil, body)
  }

  /// Observes a declaration. Returns the parameter's value; `nil` for its default.
  func declare<Value: Decodable & Sendable>(_ declaration: ParameterDeclaration, preset: Value) -> Value? {
    nil
  }
}

/// A pass that records declarations.
final class ParameterSurvey: ParameterPass {
  /// A recorded declaration.
  struct Finding {
    let declaration: ParameterDeclaration
    /// The type of the parameter's value.
    let type: any Any.Type
    /// A function that returns whether the value of a stored property is this parameter.
    let isStored: (_ property: Any) -> Bool
    /// The name of a placeholder `{env.NAME}` in the default; `nil` if it has none.
    let variable: String?
    /// A function that makes the parameter's field in the schema. `outer` are the types that contain the field.
    let field: @Sendable (_ name: String, _ outer: [ObjectIdentifier]) -> ParameterField
  }

  private(set) var findings: [Finding] = []

  override func declare<Value: Decodable & Sendable>(
    _ declaration: ParameterDeclaration, preset: Value
  ) -> Value? {
    findings.append(
      Finding(
        declaration: declaration, type: Value.self,
        isStored: { ($0 as? any ParameterProperty)?.declaration === declaration },
        variable: ParameterEnvironment.variable(in: preset),
        field: { Self.field($0, declaration, preset, inside: $1) }))
    return nil
  }

  private static func field<Value: Sendable>(
    _ name: String, _ declaration: ParameterDeclaration, _ preset: Value, inside outer: [ObjectIdentifier]
  ) -> ParameterField {
    var field = ParameterField(
      name: name, schema: declaration.schema?() ?? ParameterSchema(describing: Value.self, inside: outer),
      help: declaration.help, isRequired: declaration.isRequired,
      defaultText: declaration.isRequired ? nil : DefaultText.json(of: preset))
    if declaration.schema == nil { field.foreignType = ParameterSchema.foreignType(Value.self) }
    return field
  }
}

/// A pass that supplies each declared parameter with its decoded value.
final class ParameterFilling: ParameterPass {
  private let decoder: any Decoder
  /// The decoder if it decodes a manifest; otherwise `nil`.
  private let manifest: ParameterDecoder?
  private let layout: ParameterLayout
  private var position = 0
  /// True if the declarations differ from those of the layout.
  private var isOutOfStep = false
  private var problems: [any Error] = []
  /// The paths of the values that could not be decoded.
  private var undecoded: [[String]] = []

  private init(_ decoder: any Decoder, _ layout: ParameterLayout) {
    self.decoder = decoder
    manifest = decoder as? ParameterDecoder
    self.layout = layout
  }

  /// Creates a command or a group with the parameter values of a decoder, and validates it.
  ///
  /// - Throws: `DecodingError` if a value is missing, wrong or rejected. For a manifest, one ``ParameterProblems`` has
  ///   all errors.
  static func make<Subject>(
    from decoder: any Decoder, _ create: () throws -> Subject,
    _ validate: (_ subject: Subject, _ validation: inout ParameterValidation) -> Void
  ) throws -> Subject {
    let manifest = decoder as? ParameterDecoder
    if let manifest, let value = manifest.value, value.kind != .object {
      throw manifest.mismatch(expected: "an object")
    }
    let layouts = manifest?.layouts ?? ParameterLayouts()
    let requirementCount = manifest?.requirements.count ?? 0
    var filling = ParameterFilling(decoder, try layouts.layout(of: Subject.self, create))
    var subject = try filling.fill(create)
    if filling.isOutOfStep {
      // A default that is created once, such as a `static let`, declares the parameters inside it only once.
      manifest?.dropRequirements(after: requirementCount)
      filling = ParameterFilling(decoder, try layouts.newLayout(of: Subject.self, create))
      subject = try filling.fill(create)
    }
    try filling.finish(subject, validate)
    return subject
  }

  private func fill<Subject>(_ create: () throws -> Subject) rethrows -> Subject {
    let subject = try run(create)
    if position != layout.slots.count { isOutOfStep = true }
    return subject
  }

  private func finish<Subject>(
    _ subject: Subject, _ validate: (Subject, inout ParameterValidation) -> Void
  ) throws {
    if isOutOfStep {
      throw failure("\(Subject.self).init() must create the same parameters in the same order each time")
    }
    var validation = ParameterValidation(
      path: decoder.codingPath, undecoded: undecoded, libraries: manifest?.libraries)
    validate(subject, &validation)
    problems += validation.problems
    manifest?.require(validation.requirements)
    guard let first = problems.first else { return }
    throw manifest == nil ? first : ParameterProblems(errors: problems)
  }

  private func failure(_ message: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: message))
  }

  override func declare<Value: Decodable & Sendable>(
    _ declaration: ParameterDeclaration, preset: Value
  ) -> Value? {
    guard position < layout.slots.count, layout.slots[position].type == Value.self else {
      isOutOfStep = true
      return nil
    }
    defer { position += 1 }
    guard let name = layout.slots[position].name else { return nil }
    let variable = declaration.isRequired ? nil : layout.slots[position].variable
    do {
      return try Self.suspended {
        try value(named: name, isRequired: declaration.isRequired, insertedByDefault: variable)
      }
    } catch {
      problems.append(error)
      undecoded.append([name])
      return nil
    }
  }

  /// - Parameter variable: The name of a placeholder `{env.NAME}` in the default; `nil` if it has none.
  private func value<Value: Decodable>(
    named name: String, isRequired: Bool, insertedByDefault variable: String?
  ) throws -> Value? {
    guard let manifest else { return try otherValue(named: name, isRequired: isRequired) }
    let member = manifest.read(name)
    if member == nil, !isRequired {
      guard let variable, manifest.replacesVariables else { return nil }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: manifest.codingPath + [ParameterPathKey(name)],
          debugDescription: "its default has {\(variable)}, but only values in a manifest insert variables: "
            + "write \"\(name)\" in the manifest, or read the variable in Swift"))
    }
    let child = manifest.child(ParameterPathKey(name), value: member)
    let value: Value
    do {
      value = try child.decodeCollecting()
    } catch {
      throw manifest.allErrors(in: child, of: Value.self, after: error)
    }
    for mistake in child.mistakes {
      if let error = mistake.error { problems.append(error) }
      undecoded.append([name, mistake.key])
    }
    return value
  }

  /// Returns the value of a parameter from a decoder that does not decode a manifest.
  ///
  /// It is not inlined, so that decoding a manifest needs no types of containers.
  @inline(never)
  private func otherValue<Value: Decodable>(named name: String, isRequired: Bool) throws -> Value? {
    let container = try decoder.container(keyedBy: ParameterPathKey.self)
    let key = ParameterPathKey(name)
    return isRequired || container.contains(key) ? try container.decode(Value.self, forKey: key) : nil
  }
}

/// All errors in the parameters of one object. Each is a `DecodingError`, or the `ParameterProblems` of an inner
/// object.
struct ParameterProblems: Error {
  let errors: [any Error]
}
