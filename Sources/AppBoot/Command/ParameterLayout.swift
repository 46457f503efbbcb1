import AppBootSystem

/// The parameters that a command or a group declares, in the order in which its `init()` creates them.
final class ParameterLayout: Sendable {
  /// One declaration.
  struct Slot: Sendable {
    /// The parameter's key; `nil` for a parameter of something inside, such as a default.
    let name: String?
    /// The type of the parameter's value.
    let type: any Any.Type
    fileprivate let field: @Sendable (_ name: String, _ outer: [ObjectIdentifier]) -> ParameterField
  }

  let slots: [Slot]
  /// Whether the type is a struct that stores its parameters and nothing else.
  let isPlain: Bool
  // Only errors, help and schema need the fields, so a launch does not make them.
  private let madeFields = Lock<[ParameterField]?>(nil)

  /// Surveys a type by one instance of it.
  init<Subject>(_ create: () -> Subject) {
    let survey = ParameterSurvey()
    let instance = survey.run(create)
    let properties = StoredProperties(of: instance)
    var names = [String?](repeating: nil, count: survey.findings.count)
    for (label, value) in properties.all {
      guard let index = survey.findings.firstIndex(where: { $0.isStored(value) }) else { continue }
      names[index] = survey.findings[index].declaration.key ?? label
    }
    slots = survey.findings.indices.map { index in
      let finding = survey.findings[index]
      return Slot(name: names[index], type: finding.type, field: finding.field)
    }
    isPlain = properties.isStruct && properties.all.count == names.count { $0 != nil }
  }

  /// The fields of a type that nothing contains.
  var fields: [ParameterField] {
    if let made = madeFields.withLock(\.self) { return made }
    let made = fields(inside: [])
    madeFields.withLock { $0 = made }
    return made
  }

  /// Makes the field of each parameter; `outer` are the types that contain this one.
  func fields(inside outer: [ObjectIdentifier]) -> [ParameterField] {
    slots.compactMap { slot in slot.name.map { slot.field($0, outer) } }
  }
}

/// The layouts of a command and of the groups in its parameters, each made at its first use.
final class ParameterLayouts: Sendable {
  // A list: there are few, and a dictionary's type would be made at each launch.
  private let known = Lock<[(type: any Any.Type, layout: ParameterLayout)]>([])

  /// Returns the layout of a type.
  func layout<Subject>(of type: Subject.Type, _ create: () -> Subject) -> ParameterLayout {
    if let layout = known.withLock({ known in known.first { $0.type == type }?.layout }) { return layout }
    return newLayout(of: type, create)
  }

  /// Surveys a type, and replaces the layout that is known.
  func newLayout<Subject>(of type: Subject.Type, _ create: () -> Subject) -> ParameterLayout {
    // Not under the lock: it runs the command's own code.
    let layout = ParameterLayout(create)
    known.withLock { known in
      known.removeAll { $0.type == type }
      known.append((type, layout))
    }
    return layout
  }
}

/// The stored properties of a value with their names; a wrapper's storage has the name of its property.
struct StoredProperties {
  private(set) var all: [(name: String, value: Any)] = []
  let isStruct: Bool

  init(of instance: Any) {
    var mirror: Mirror? = Mirror(reflecting: instance)
    isStruct = mirror?.displayStyle == .struct
    while let current = mirror {
      for child in current.children {
        guard let label = child.label else { continue }
        all.append((label.hasPrefix("_") ? String(label.dropFirst()) : label, child.value))
      }
      mirror = current.superclassMirror
    }
  }
}
