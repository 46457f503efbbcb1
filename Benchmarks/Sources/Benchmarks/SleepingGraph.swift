import AppBoot
import AppBootCommands
import Foundation

/// Sleeping processes in a random DAG: for every engine the same ones.
struct SleepingGraph {
  /// Milliseconds, 1 to 50.
  let durations: [Int]
  let after: [[Int]]

  init(count: Int = 200, seed: UInt64 = 42) {
    var random = Seeded(state: seed)
    durations = (0..<count).map { _ in Int.random(in: 1...50, using: &random) }
    after = (0..<count).map { index in
      guard index >= 8 else { return [] }
      return Set((0..<2).map { _ in Int.random(in: max(0, index - 24)..<index, using: &random) }).sorted()
    }
  }

  func arguments(_ step: Int) -> [String] { ["/bin/sleep", String(format: "0.%03d", durations[step])] }

  /// Returns the shortest possible time for the measured durations, in nanoseconds: the critical path, or the total
  /// divided by `jobs`.
  static func best(of record: LaunchRecord, after: [[Int]], jobs: Int) -> Double {
    var longest = record.map { $0.execution.running / .nanoseconds(1) }
    let total = longest.reduce(0, +)
    for step in longest.indices { longest[step] += after[step].map { longest[$0] }.max() ?? 0 }
    return max(longest.max() ?? 0, total / Double(jobs))
  }

  var manifest: String {
    let entries = durations.indices.map { step in
      let names = after[step].map { "\"s\($0)\"" }.joined(separator: ", ")
      let words = arguments(step).map { "\"\($0)\"" }.joined(separator: ", ")
      return "{ \"command\": \"RunProcess\", \"id\": \"s\(step)\", \"after\": [\(names)], "
        + "\"with\": { \"arguments\": [\(words)] } }"
    }
    return "{ \"version\": 1, \"commands\": [\n\(entries.joined(separator: ",\n"))\n] }"
  }

  var makefile: String {
    let names = durations.indices.map { "s\($0)" }.joined(separator: " ")
    let rules = durations.indices.map { step in
      "s\(step): \(after[step].map { "s\($0)" }.joined(separator: " "))\n\t@\(arguments(step).joined(separator: " "))\n"
    }
    return "all: \(names)\n.PHONY: all \(names)\n" + rules.joined()
  }

  var ninja: String {
    let rules = durations.indices.map { step in
      let inputs = after[step].map { "s\($0)" }.joined(separator: " ")
      return "build s\(step): sleep \(inputs)\n  time = \(arguments(step)[1])\n"
    }
    return "rule sleep\n  command = /bin/sleep $time\n" + rules.joined()
  }

  var justfile: String {
    let rules = durations.indices.map { step in
      "s\(step): \(after[step].map { "s\($0)" }.joined(separator: " "))\n  @\(arguments(step).joined(separator: " "))\n"
    }
    let names = durations.indices.map { "s\($0)" }.joined(separator: " ")
    return "[parallel]\nall: \(names)\n" + rules.joined()
  }

  var taskfile: String {
    let rules = durations.indices.map { step in
      let names = after[step].map { "s\($0)" }.joined(separator: ", ")
      return
        "  s\(step):\n    run: once\n    deps: [\(names)]\n    cmds: ['\(arguments(step).joined(separator: " "))']\n"
    }
    let names = durations.indices.map { "s\($0)" }.joined(separator: ", ")
    return "version: '3'\nsilent: true\ntasks:\n  default:\n    deps: [\(names)]\n" + rules.joined()
  }
}

/// The same random numbers every time (an additive sequence, hashed).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return value ^ (value >> 31)
  }
}
