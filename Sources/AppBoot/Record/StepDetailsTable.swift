/// The details of those steps that have any, by step.
///
/// Not a dictionary: the type of one is made at run time, by every launch (Docs/performance.md).
struct StepDetailsTable: Sendable, Equatable {
  /// Where a step's details stand, -1 where it has none; as long as the last step that has some.
  private var places: [Int32] = []
  private var details: [StepDetails] = []

  /// A step's details; `nil` where there are none.
  subscript(step: Int) -> StepDetails? {
    get { step < places.count && places[step] >= 0 ? details[Int(places[step])] : nil }
    set {
      if let newValue { change(step) { $0 = newValue } } else if step < places.count { places[step] = -1 }
    }
  }

  /// Changes a step's details; one that had none begins with nothing said of it.
  mutating func change(_ step: Int, _ body: (inout StepDetails) -> Void) {
    while places.count <= step { places.append(-1) }
    if places[step] < 0 {
      places[step] = Int32(details.count)
      details.append(StepDetails())
    }
    body(&details[Int(places[step])])
  }

  /// Whether both have the same details for the same steps, in whichever order they came.
  static func == (left: StepDetailsTable, right: StepDetailsTable) -> Bool {
    let count = max(left.places.count, right.places.count)
    return (0..<count).allSatisfy { left[$0] == right[$0] }
  }
}
