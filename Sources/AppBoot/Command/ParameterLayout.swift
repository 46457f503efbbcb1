import AppBootBase

/// The layout of a command or group: the parameters that it declares, in the order in which its `init()` creates them.
final class ParameterLayout: Sendable {
  /// A parameter that is declared by the type, or by a value inside it.
  struct Slot: Sendable {
    /// The key of the parameter; `nil` for a parameter of a value inside, for example of a default.
    let name: String?
    /// The type of the parameter's value.
    let type: any Any.Type
    /// The name of a placeholder `{env.NAME}` in the default, also inside a group; `nil` if it has none.
    let variable: String?
    fileprivate let field: @Sendable (_ name: String, _ outer: [ObjectIdentifier]) -> ParameterField
  }

  let slots: [Slot]
  // Only errors, help and schema need the fields, so a launch does not make them.
  private let madeFields = Lock<[ParameterField]?>(nil)

  /// Creates the layout of a type. It calls `create`, and records the parameters that the new instance declares.
  init<Subject>(_ create: () throws -> Subject) rethrows {
    let survey = ParameterSurvey()
    let instance = try survey.run(create)
    let findings = survey.findings
    let names = Self.names(of: instance, findings)
    var slots: [Slot] = []
    // A default that is a group declares its parameters before the parameter itself is declared.
    var innerVariable: String?
    for (index, finding) in findings.enumerated() {
      let name = names[index].map { finding.declaration.key ?? Self.propertyName($0) }
      let variable = finding.variable ?? innerVariable
      innerVariable = name == nil ? variable : nil
      slots.append(Slot(name: name, type: finding.type, variable: variable, field: finding.field))
    }
    self.slots = slots
  }

  /// Returns, for each declaration, the name of the property that has it; `nil` for a declaration of a value inside.
  private static func names(
    of instance: Any, _ findings: [ParameterSurvey.Finding]
  ) -> [String?] {
    var names = [String?](repeating: nil, count: findings.count)
    for (label, value) in storedProperties(of: instance) {
      guard let index = findings.firstIndex(where: { $0.isStored(value) }) else { continue }
      names[index] = label
    }
    return names
  }

  /// Returns the stored properties of a value, including those of its superclasses.
  static func storedProperties(of instance: Any) -> [(label: String, value: Any)] {
    var all: [(label: String, value: Any)] = []
    var mirror: Mirror? = Mirror(reflecting: instance)
    while let current = mirror {
      all += current.children.compactMap { child in child.label.map { ($0, child.value) } }
      mirror = current.superclassMirror
    }
    return all
  }

  /// Returns a property's name from the name of its wrapper's storage, for example `port` for `_port`.
  static func propertyName(_ label: String) -> String {
    label.hasPrefix("_") ? String(label.dropFirst()) : label
  }

  /// The fields of the type's schema if no other type contains the type.
  var fields: [ParameterField] {
    if let made = madeFields.withLock(\.self) { return made }
    let made = fields(inside: [])
    madeFields.withLock { $0 = made }
    return made
  }

  /// Returns the fields of the type's schema, one for each parameter.
  ///
  /// - Parameter outer: The types that contain this type.
  func fields(inside outer: [ObjectIdentifier]) -> [ParameterField] {
    slots.compactMap { slot in slot.name.map { slot.field($0, outer) } }
  }
}

/// The layouts of a command and of the groups in its parameters. Each is made at its first use.
final class ParameterLayouts: Sendable {
  // A list: there are few, and a dictionary's type would be made at each launch.
  private let known = Lock<[(type: any Any.Type, layout: ParameterLayout)]>([])

  /// Returns the layout of a type. The first call for a type makes the layout.
  func layout<Subject>(
    of type: Subject.Type, _ create: () throws -> Subject
  ) rethrows -> ParameterLayout {
    if let layout = known.withLock({ known in known.first { $0.type == type }?.layout }) { return layout }
    return try newLayout(of: type, create)
  }

  /// Makes the layout of a type again, and returns it. It replaces the stored layout.
  func newLayout<Subject>(
    of type: Subject.Type, _ create: () throws -> Subject
  ) rethrows -> ParameterLayout {
    // Not under the lock: it runs the command's own code.
    let layout = try ParameterLayout(create)
    known.withLock { known in
      known.removeAll { $0.type == type }
      known.append((type, layout))
    }
    return layout
  }
}
