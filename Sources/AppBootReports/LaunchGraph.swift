package import AppBoot
import AppBootRecords

/// A drawing of a plan or of a launch as a graph, for Graphviz and for Mermaid.
///
/// A step in the background is round. For a launch, each step has its state and its times, and the critical path is
/// bold: the steps that decided when the launch ended. A dashed arrow of the path shows a wait for the main lane or
/// for a slot.
package struct LaunchGraph: Sendable {
  /// The way in which a step is drawn.
  private enum Look: String {
    case plain, skipped, allowed, failed, unfinished
  }

  private struct Node {
    /// The lines below the id.
    var lines: [String] = []
    var look = Look.plain
    var isCritical = false
  }

  private struct Edge: Hashable {
    let from: Int
    let to: Int
  }

  private let outline: LaunchOutline
  private var title: String?
  private var nodes: [Node]
  /// The edges of the critical path, each with its label: the word for a place that the step waited for, or nothing.
  private var critical: [Edge: String] = [:]

  /// Creates the drawing of a plan.
  package init(_ plan: LaunchPlan) {
    outline = plan.outline
    nodes = plan.indices.map { Node(look: plan[$0].skip == nil ? .plain : .skipped) }
  }

  /// Creates the drawing of a launch.
  package init(_ record: LaunchRecord) {
    let record = record.withEstimatedEnd
    outline = record.outline
    let safeMode = outline.safeMode.map { "; safe mode: \($0.reason)" } ?? ""
    title = TextReport().verdict(of: record) + safeMode
    nodes = record.map {
      Node(lines: Self.lines(of: $0, isLive: record.header.isLive), look: Self.look(of: $0))
    }
    for link in CriticalPath(of: record).links {
      nodes[link.step].isCritical = true
      guard let step = link.reason.step else { continue }
      critical[Edge(from: step, to: link.step)] = link.reason.resource?.noun ?? ""
    }
  }

  /// The maximum number of columns of a failure's cause.
  private static let longestCause = 60

  private static func lines(of step: StepRecord, isLive: Bool) -> [String] {
    guard step.execution.startTime != nil else { return [step.state.verb] }
    let time = TimeNumbers.brief(step.execution.runningTime)
    if isLive, step.state == .running { return ["still running after \(time)"] }
    var lines =
      step.details.failureTime != nil
      ? ["ready after \(time)", FailureText.verb(of: step) + step.failureMoment]
      : [step.state == .succeeded ? time : "\(FailureText.verb(of: step)) after \(time)"]
    if let cause = step.cause { lines.append(TextStyle().fit(cause, to: longestCause)) }
    if step.execution.waitingTime >= 1_000_000 {
      lines.append("waited \(TimeNumbers.brief(step.execution.waitingTime))")
    }
    if step.details.attempts.count > 1 { lines.append("\(step.details.attempts.count) attempts") }
    if let undo = step.details.undo {
      lines.append(TextStyle().fit(StepResult.undone(undo), to: longestCause))
    }
    return lines
  }

  private static func look(of step: StepRecord) -> Look {
    switch step.state {
    case .succeeded: step.details.undo?.failure == nil ? .plain : .failed
    case .failed, .timedOut: step.isAllowedFailure ? .allowed : .failed
    case .skipped: .skipped
    case .waiting, .ready, .running, .cancelled: .unfinished
    }
  }

  /// The edges of the plan, then those of the critical path that are not in the plan.
  private var edges: [(edge: Edge, isPlanned: Bool)] {
    let planned = outline.indices.flatMap { step in
      outline.predecessors(of: step).map { Edge(from: $0, to: step) }
    }
    let others = Set(critical.keys).subtracting(planned).sorted { ($0.to, $0.from) < ($1.to, $1.from) }
    return planned.map { ($0, true) } + others.map { ($0, false) }
  }

  // MARK: - Graphviz

  /// The graph in the DOT language (graphviz.org, "DOT Language").
  package var dot: String {
    let label = title.map { "  label=\(Self.quoted([$0]));\n  labelloc=t;\n" } ?? ""
    var text =
      "digraph \(Self.quoted([outline.name])) {\n  rankdir=LR;\n\(label)  node [shape=box, style=rounded];\n"
    for (index, node) in nodes.enumerated() {
      var attributes = ["label=\(Self.quoted([outline[index].id] + node.lines))"]
      if outline[index].lane == .background { attributes.append("shape=ellipse") }
      if let look = Self.dot[node.look] { attributes.append(look) }
      if node.isCritical { attributes.append("penwidth=3") }
      text += "  s\(index) [\(attributes.joined(separator: ", "))];\n"
    }
    for (edge, isPlanned) in edges {
      var attributes = critical[edge] == nil ? [] : ["penwidth=3"]
      if let word = critical[edge], !word.isEmpty { attributes.append("label=\(Self.quoted([word]))") }
      if !isPlanned { attributes += ["style=dashed", "constraint=false"] }
      let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
      text += "  s\(edge.from) -> s\(edge.to)\(list);\n"
    }
    return text + "}\n"
  }

  private static let dot: [Look: String] = [
    .skipped: "style=dashed", .unfinished: "style=dotted",
    .allowed: "color=darkorange3, fontcolor=darkorange3",
    .failed: "color=red3, fontcolor=red3",
  ]

  /// Returns lines as a quoted string of the DOT language.
  private static func quoted(_ lines: [String]) -> String {
    let escaped = lines.map { VisibleText.line($0).escaped(["\"": #"\""#, "\\": #"\\"#]) }
    // A backslash before any other character stands for the character alone.
    return VisibleText.inert("\"\(escaped.joined(separator: "\\n"))\"")
  }

  // MARK: - Mermaid

  /// The graph as a Mermaid flowchart (mermaid.js.org, "Flowcharts").
  package var mermaid: String {
    var text = (title.map { "---\ntitle: \"\(Self.title($0))\"\n---\n" } ?? "") + "flowchart LR\n"
    for (index, node) in nodes.enumerated() {
      let lines = ([outline[index].id] + node.lines).map(Self.entities)
      let label = lines.joined(separator: "<br>")
      let isRound = outline[index].lane == .background
      text += "  s\(index)\(isRound ? "([\"\(label)\"])" : "[\"\(label)\"]")\n"
    }
    for (edge, isPlanned) in edges {
      let arrow = critical[edge] == nil ? "-->" : isPlanned ? "==>" : "-.->"
      let word = critical[edge] ?? ""
      let label = word.isEmpty ? "" : "|\"\(Self.entities(word))\"|"
      text += "  s\(edge.from) \(arrow)\(label) s\(edge.to)\n"
    }
    for (look, style) in Self.mermaid { text += classes(look.rawValue, style) { $0.look == look } }
    return text + classes("critical", "stroke-width: 4", where: \.isCritical)
  }

  private static let mermaid: [(Look, String)] = [
    (.skipped, "stroke-dasharray: 4"), (.unfinished, "stroke-dasharray: 2"), (.allowed, "stroke: #a06000"),
    (.failed, "stroke: #c01818"),
  ]

  private func classes(_ name: String, _ style: String, where isMember: (Node) -> Bool) -> String {
    let names = nodes.indices.filter { isMember(nodes[$0]) }.map { "s\($0)" }
    return names.isEmpty
      ? "" : "  classDef \(name) \(style)\n  class \(names.joined(separator: ",")) \(name)\n"
  }

  /// Returns a title for the header of a flowchart, which is YAML.
  private static func title(_ text: String) -> String {
    VisibleText.line(text).escaped(["\"": #"\x22"#, "\\": #"\x5C"#, "#": #"\x23"#])
  }

  /// Returns the text with Mermaid's special characters escaped as `#code;`.
  private static func entities(_ text: String) -> String {
    VisibleText.line(text).unicodeScalars.reduce(into: "") { result, scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || " _-.:/".unicodeScalars.contains(scalar)
      if isPlain { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
    }
  }
}
