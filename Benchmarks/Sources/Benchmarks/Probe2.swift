import AppBoot
import Foundation

func probeIndependent() throws {
  let plan = try EngineBenchmarks.independentPlan(10_000)
  for _ in 0..<400 { _ = plan.run() }
}
func probeSequence() {
  let plan = StartupPlan(sequence: [any Command](repeating: Trivial(), count: 10_000))
  for _ in 0..<2000 { _ = plan.run() }
}
