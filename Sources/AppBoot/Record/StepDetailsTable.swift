/// The details of those steps that have details, by step index.
///
/// Pays for "whole process, appboot run on the root manifest ÷ hello world" (at most 2.0) in Docs/performance.md. The
/// runtime makes the type of a dictionary at its first use. That costs every launch 7,000 instructions or more, and
/// 77,000 to 90,000 if the runtime also has to look up the conformance of the key.
package struct StepDetailsTable: Sendable, Equatable {
  /// The index of each step's details; -1 for a step without details. It ends with the last step that has details.
  private var places: [Int32] = []
  private var details: [StepDetails] = []

  /// The details of a step; `nil` if the step has no details.
  package subscript(step: Int) -> StepDetails? {
    get { step < places.count && places[step] >= 0 ? details[Int(places[step])] : nil }
    set {
      if let newValue { change(step) { $0 = newValue } } else if step < places.count { places[step] = -1 }
    }
  }

  /// Changes the details of a step. If the step has no details, changes empty ones.
  mutating func change(_ step: Int, _ body: (inout StepDetails) -> Void) {
    while places.count <= step { places.append(-1) }
    if places[step] < 0 {
      places[step] = Int32(details.count)
      details.append(StepDetails())
    }
    body(&details[Int(places[step])])
  }

  /// Returns whether each step has equal details in both tables. The order in which details were added does not matter.
  package static func == (left: StepDetailsTable, right: StepDetailsTable) -> Bool {
    let count = max(left.places.count, right.places.count)
    return (0..<count).allSatisfy { left[$0] == right[$0] }
  }
}
