/// A unit of work that the coordinator gives to its driver: an attempt of a step, or the undo of a step.
package struct EngineWork: Sendable, Hashable {
  package let step: Int
  package let attempt: Int
  package let kind: StepKind
  package var isUndo = false
}
