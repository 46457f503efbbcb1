/// A unit of work that the coordinator gives to its driver: an attempt of a step, or the undo of a step.
package struct EngineWork: Sendable, Hashable {
  package let step: Int
  package let attempt: Int
  package let kind: StepKind
  package let isUndo: Bool

  package init(step: Int, attempt: Int, kind: StepKind, isUndo: Bool = false) {
    (self.step, self.attempt, self.kind, self.isUndo) = (step, attempt, kind, isUndo)
  }
}
