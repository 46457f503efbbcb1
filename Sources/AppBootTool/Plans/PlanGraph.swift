import AppBoot
import AppBootReports
import AppBootSystem

/// A writer of a plan as a graph, for Graphviz and for Mermaid.
enum PlanGraph {
  /// Writes the plan in the DOT language.
  static func writeDot(_ plan: StartupPlan, to output: StandardOutput) {
    graph(of: plan).writeDot { write($0, to: output) }
  }

  /// Writes the plan as a Mermaid flowchart.
  static func writeMermaid(_ plan: StartupPlan, to output: StandardOutput) {
    graph(of: plan).writeMermaid { write($0, to: output) }
  }

  private static func graph(of plan: StartupPlan) -> LaunchGraph {
    LaunchGraph(plan.outline) { plan[$0].skip != nil }
  }

  /// Writes a text. Returns false if nothing reads the output.
  private static func write(_ text: String, to output: StandardOutput) -> Bool {
    output.write(text)
    return !output.isClosed
  }
}
