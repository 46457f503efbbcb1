import Foundation

/// The whole tool, as a process, against the neighbours' tools: a static release build of `appboot`.
struct ToolBenchmarks {
  let rounds: Int
  private let root: URL
  private let appboot: Program

  /// - Returns: `nil` if the tool is not built; `Benchmarks/run` builds it.
  init?(rounds: Int) {
    root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    self.rounds = rounds
    guard let appboot = Self.installed("appboot", root) else { return nil }
    self.appboot = appboot
  }

  /// A boot of the repository's own manifest, against a program that prints one word.
  func startUp() throws -> [Row] {
    guard let hello = Self.installed("hello", root) else { return [] }
    let manifest = try String(contentsOf: root.appendingPathComponent("commands.json"), encoding: .utf8)
    return try withTemporaryFolder { folder in
      _ = try folder.write(manifest, to: "commands.json")
      let costs = costs(["run"], hello, in: folder, rounds: rounds * 20)
      let bare = self.costs(["run", "--no-state"], hello, in: folder, rounds: rounds * 20)
      return [
        row(
          "start-up", "whole process, appboot run on the root manifest ÷ hello world", costs, \.nanoseconds),
        row("start-up-bare", "the same with --no-state ÷ hello world", bare, \.nanoseconds),
      ] + dirtyMemory(in: folder)
    }
  }

  /// The memory that a boot changes (Linux). The pages of the executable do not count: all its processes share them.
  private func dirtyMemory(in folder: URL) -> [Row] {
    #if os(Linux)
    let run = Program(path: appboot.path, arguments: ["run"], directory: folder.path)
    let sizes = Program.inTurns([run], rounds: rounds, dirty: true).map { $0[0].memory }
    let median = Samples(nanoseconds: sizes).median
    return [
      Row(
        id: "start-up-dirty", work: "memory that the run with state changes ÷ 1.3 MB",
        ours: String(format: "%.2f MB", median / 1e6), theirs: "1.3 MB", ratio: median / 1.3e6)
    ]
    #else
    return []
    #endif
  }

  /// A program that `Benchmarks/run` builds and installs; `nil` if it is missing.
  private static func installed(_ name: String, _ root: URL) -> Program? {
    let path = root.appendingPathComponent("Benchmarks/.build/installed/\(name)").path
    return FileManager.default.isExecutableFile(atPath: path) ? Program(path: path) : nil
  }

  /// Four processes, one after the other.
  func chain() throws -> Row? {
    guard let make = Program.named("make", ["-f", "Makefile", "--no-print-directory"]) else { return nil }
    return try withTemporaryFolder { folder in
      let entries = (0..<4).map {
        "{ \"command\": \"RunProcess\", \"id\": \"s\($0)\", \"with\": { \"arguments\": [\"/bin/true\"] } }"
      }
      _ = try folder.write(
        "{ \"version\": 1, \"commands\": [\(entries.joined(separator: ", "))] }", to: "commands.json")
      let rules = (0..<4).map { "s\($0): \($0 == 0 ? "" : "s\($0 - 1)")\n\t@/bin/true\n" }
      _ = try folder.write(".PHONY: s0 s1 s2 s3\nall: s3\n\(rules.joined())", to: "Makefile")
      return row(
        "chain-make", "whole process, 4 × /bin/true in a chain ÷ make",
        costs(["run"], make, in: folder, rounds: rounds * 4), \.nanoseconds)
    }
  }

  /// A manifest of 8,000 steps on one line, against the same one with a line for each step.
  func oneLine() throws -> [Row] {
    try withTemporaryFolder { folder in
      let text = Self.manifest(8000)
      _ = try folder.write(text, to: "lines.json")
      _ = try folder.write(text.replacingOccurrences(of: "\n", with: " "), to: "line.json")
      let lines = Program(path: appboot.path, arguments: ["list", "lines.json"])
      return [
        row(
          "one-line", "whole process, appboot list of 8,000 steps on one line ÷ on a line each",
          costs(["list", "line.json"], lines, in: folder, rounds: rounds), \.processor)
      ]
    }
  }

  /// A comparison of two launches of 10,000 steps, against one second and 100 MB.
  func comparing() throws -> [Row] {
    try withTemporaryFolder { folder in
      let steps = (0..<10_000).map { "{\"command\":\"Say\",\"id\":\"s\($0)\",\"with\":{\"text\":\"x\"}}" }
      _ = try folder.write(
        "{ \"version\": 1, \"commands\": [\n\(steps.joined(separator: ",\n"))\n] }", to: "commands.json")
      for name in ["base.json", "head.json"] {
        _ = costs(of: ["run", "--no-state", "--quiet", "--record", name], in: folder, rounds: 1)
      }
      let costs = costs(of: ["compare", "base.json", "head.json"], in: folder, rounds: rounds)
      let time = Samples(nanoseconds: costs.map(\.nanoseconds)).median
      let memory = Samples(nanoseconds: costs.map(\.memory)).median
      return [
        Row(
          id: "compare-time", work: "appboot compare of two launches of 10,000 steps ÷ 1 s", ours: text(time),
          theirs: "1 s", ratio: time / 1e9),
        Row(
          id: "compare-memory", work: "the same: memory ÷ 100 MB",
          ours: String(format: "%.1f MB", memory / 1e6),
          theirs: "100 MB", ratio: memory / 1e8),
      ]
    }
  }

  /// The dry run of 1,000 steps.
  func listing() throws -> [Row] {
    guard let make = Program.named("make", ["-n", "-f", "Makefile"]) else { return [] }
    return try withTemporaryFolder { folder in
      _ = try folder.write(Self.manifest(1000), to: "commands.json")
      _ = try folder.write(Self.makefile(1000), to: "Makefile")
      return [
        row(
          "list-make", "whole process, appboot list of a DAG of 1,000 ÷ make -n",
          costs(["list"], make, in: folder, rounds: rounds * 4), \.nanoseconds)
      ]
    }
  }

  /// Sleeping processes in a random DAG, four at a time, whole process, with what earlier launches taught.
  func sleeping() throws -> [Row] {
    let graph = SleepingGraph()
    return try withTemporaryFolder { folder in
      _ = try folder.write(graph.manifest, to: "commands.json")
      _ = try folder.write(graph.makefile, to: "Makefile")
      _ = try folder.write(graph.ninja, to: "build.ninja")
      _ = try folder.write(graph.justfile, to: "justfile")
      _ = try folder.write(graph.taskfile, to: "Taskfile.yml")
      let peers = [
        ("sleeps-make", "make -j4", Program.named("make", ["-j4"])),
        ("sleeps-ninja", "ninja -j4", Program.named("ninja", ["-j4"])),
        ("sleeps-just", "just", Program.named("just")),
        (
          "sleeps-task", "go-task -C 4",
          Program.named("go-task", ["-C", "4"]) ?? Program.named("task", ["-C", "4"])
        ),
      ]
      return peers.compactMap { id, name, program -> Row? in
        guard let program else {
          FileHandle.standardError.write(Data("\(name) is not installed: left out\n".utf8))
          return nil
        }
        let costs = costs(["run", "--jobs", "4"], program, in: folder, rounds: max(3, rounds / 3))
        return row(id, "200 sleeps in a DAG, whole process, with history ÷ \(name)", costs, \.nanoseconds)
      }
    }
  }

  /// Runs the tool alone.
  func costs(of arguments: [String], in folder: URL, rounds: Int) -> [Program.Cost] {
    let ours = Program(path: appboot.path, arguments: arguments, directory: folder.path)
    return Program.inTurns([ours], rounds: rounds).map { $0[0] }
  }

  func costs(
    _ arguments: [String], _ other: Program, in folder: URL, rounds: Int
  ) -> [(ours: Program.Cost, theirs: Program.Cost)] {
    let ours = Program(path: appboot.path, arguments: arguments, directory: folder.path)
    let theirs = Program(path: other.path, arguments: other.arguments, directory: folder.path)
    return Program.inTurns([ours, theirs], rounds: rounds + 2).dropFirst(2).map { ($0[0], $0[1]) }
  }

  func row(
    _ id: String, _ work: String, _ costs: [(ours: Program.Cost, theirs: Program.Cost)],
    _ part: KeyPath<Program.Cost, Double>
  ) -> Row {
    let (ours, theirs) = (costs.map { $0.ours[keyPath: part] }, costs.map { $0.theirs[keyPath: part] })
    let say = { (values: [Double]) -> String in
      let median = Samples(nanoseconds: values).median
      return part == \.memory ? String(format: "%.1f MB", median / 1e6) : text(median)
    }
    return Row(
      id: id, work: work, ours: say(ours), theirs: say(theirs),
      ratio: Samples(nanoseconds: zip(ours, theirs).map { $0 / $1 }).median)
  }

  /// Each step comes after two of the hundred before it.
  private static func edges(_ count: Int) -> [[Int]] {
    var random = Seeded(state: 11)
    return (0..<count).map { index in
      index == 0
        ? [] : Set((0..<2).map { _ in Int.random(in: max(0, index - 100)..<index, using: &random) }).sorted()
    }
  }

  static func manifest(_ count: Int) -> String {
    let entries = edges(count).enumerated().map { index, after in
      let names = after.map { "\"s\($0)\"" }.joined(separator: ",")
      let parameters = "{\"arguments\":[\"/bin/true\",\"\(index)\"]}"
      return "{\"command\":\"RunProcess\",\"id\":\"s\(index)\",\"after\":[\(names)],\"with\":\(parameters)}"
    }
    return "{ \"version\": 1, \"commands\": [\n\(entries.joined(separator: ",\n"))\n] }"
  }

  static func makefile(_ count: Int) -> String {
    let names = (0..<count).map { "s\($0)" }.joined(separator: " ")
    let rules = edges(count).enumerated().map { index, after in
      "s\(index): \(after.map { "s\($0)" }.joined(separator: " "))\n\t@/bin/true\n"
    }
    return "all: \(names)\n.PHONY: all \(names)\n" + rules.joined()
  }
}
