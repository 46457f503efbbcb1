import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("Launch graph")
struct LaunchGraphTests {
  /// A launch whose last step waited for the slot that `b` held.
  private var launch: LaunchRecord {
    ReportSample.run(
      "Notes",
      [
        .init(id: "a", duration: 4000), .init(id: "b", lane: .background, after: [0], duration: 9000),
        .init(id: "c", lane: .background, after: [0], duration: 2000),
      ], jobs: 1)
  }

  @Test("A graph of a launch has its verdict, and each step's time and wait")
  func times() {
    let dot = launch.graph.dot
    #expect(
      dot.hasPrefix("digraph \"Notes\" {\n  rankdir=LR;\n  label=\"Notes booted in 15.0 ms: 3 steps\";\n")
    )
    #expect(dot.contains(#"  s0 [label="a\n4.0 ms", penwidth=3];"#))
    #expect(dot.contains(#"  s2 [label="c\n2.0 ms\nwaited 9.0 ms", shape=ellipse, penwidth=3];"#))
  }

  @Test("The critical path is bold, and a wait for a slot is a dashed arrow of its own")
  func critical() {
    let dot = launch.graph.dot
    #expect(dot.contains("  s0 -> s1 [penwidth=3];\n  s0 -> s2;\n"))
    #expect(dot.contains("  s1 -> s2 [penwidth=3, label=\"slot\", style=dashed, constraint=false];\n}\n"))
    let mermaid = launch.graph.mermaid
    #expect(mermaid.hasPrefix("---\ntitle: \"Notes booted in 15.0 ms: 3 steps\"\n---\nflowchart LR\n"))
    #expect(mermaid.contains("  s0[\"a<br>4.0 ms\"]\n  s1([\"b<br>9.0 ms\"])\n"))
    #expect(mermaid.contains("  s0 ==> s1\n  s0 --> s2\n  s1 -.->|\"slot\"| s2\n"))
    #expect(mermaid.hasSuffix("  class s0,s1,s2 critical\n"))
  }

  @Test("A graph shows failures, allowed failures, skips and attempts")
  func states() throws {
    let record = try ReportSample.failed.record
    let dot = record.graph.dot
    #expect(dot.contains(#"label="Database\nfailed after"#) && dot.contains("color=red3"))
    #expect(dot.contains("timed out (allowed) after") && dot.contains("color=darkorange3"))
    #expect(dot.contains("was skipped\"") && dot.contains("style=dashed]"))
    #expect(dot.contains(" attempts"))
    #expect(record.graph.mermaid.contains("  classDef failed stroke: #c01818\n"))
  }

  @Test("A step whose undo failed looks like a failed step")
  func undo() throws {
    let line = try ReportSample.failed.record.graph.dot.split(separator: "\n").first {
      $0.contains(#"label="Keychain\n"#)
    }
    #expect(line?.contains(#"\nundo failed: still in use""#) == true && line?.contains("color=red3") == true)
  }

  @Test("A service that failed later has the time until it was ready, and that of its failure")
  func late() throws {
    let text = LaunchGraph(try ReportSample.late.record).mermaid
    #expect(text.contains("<br>ready after ") && text.contains("<br>failed at "))
  }

  @Test("A graph quotes all texts of a record")
  func hostile() throws {
    let graph = try ReportSample.hostile.record.graph
    for line in graph.mermaid.split(separator: "\n") {
      #expect(line.count { $0 == "\"" }.isMultiple(of: 2), "\(line)")
    }
    let unquoted = graph.dot.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "")
    #expect(!unquoted.contains("\"") && !unquoted.contains("\\"))
  }
}

extension LaunchRecord {
  fileprivate var graph: LaunchGraph { LaunchGraph(self) }
}
