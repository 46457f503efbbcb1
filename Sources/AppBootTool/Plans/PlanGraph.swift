import AppBoot
import AppBootSystem

/// A writer of a plan as a graph, for Graphviz and for Mermaid.
enum PlanGraph {
  /// Writes the plan in the DOT language (graphviz.org, "DOT Language").
  static func writeDot(_ plan: StartupPlan, to output: StandardOutput) {
    output.write("digraph \(quoted(plan.name)) {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n")
    for (index, step) in plan.enumerated() {
      var attributes = ["label=\(quoted(step.id))"]
      if step.lane == .background { attributes.append("shape=ellipse") }
      if step.skip != nil { attributes.append("style=dashed") }
      output.write("  s\(index) [\(attributes.joined(separator: ", "))];\n")
    }
    for index in 0..<plan.count {
      for predecessor in plan.outline.predecessors(of: index) {
        output.write("  s\(predecessor) -> s\(index);\n")
      }
      if output.isClosed { return }
    }
    output.write("}\n")
  }

  /// Writes the plan as a Mermaid flowchart (mermaid.js.org, "Flowcharts").
  static func writeMermaid(_ plan: StartupPlan, to output: StandardOutput) {
    output.write("flowchart LR\n")
    for (index, step) in plan.enumerated() {
      let label = entity(step.id)
      output.write("  s\(index)\(step.lane == .background ? "([\"\(label)\"])" : "[\"\(label)\"]")\n")
    }
    for index in 0..<plan.count {
      for predecessor in plan.outline.predecessors(of: index) {
        output.write("  s\(predecessor) --> s\(index)\n")
      }
      if output.isClosed { return }
    }
    let skipped = plan.indices.filter { plan[$0].skip != nil }
    guard !skipped.isEmpty else { return }
    output.write("  classDef skipped stroke-dasharray: 4\n")
    output.write("  class \(skipped.map { "s\($0)" }.joined(separator: ",")) skipped\n")
  }

  private static func quoted(_ text: String) -> String {
    // By scalars: a quote and a mark after it are one character.
    let escaped = visible(text).unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    // A backslash before any other character stands for the character alone.
    return VisibleText.inert("\"\(escaped)\"")
  }

  /// Returns the text with Mermaid's special characters escaped as `#code;`.
  private static func entity(_ text: String) -> String {
    visible(text).unicodeScalars.reduce(into: "") { result, scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " _-.:/".unicodeScalars.contains(scalar)
      if isPlain { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
    }
  }

  private static func visible(_ text: String) -> String { VisibleText.of(text) }
}
