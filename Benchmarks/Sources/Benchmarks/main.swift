import Foundation

// Prints a Markdown table of ratios. With --check, exits with 1 where a ratio is more than three times its
// goal: loose enough that a busy machine fails nothing.
let isCheck = CommandLine.arguments.contains("--check")
let rounds = isCheck ? 10 : 30
let engine = EngineBenchmarks(rounds: rounds)
let processes = ProcessBenchmarks(rounds: isCheck ? 3 : 9)
var rows = [
  engine.sequence(), await engine.awaiting(), try await engine.serviceGroup(), engine.operationQueue(),
  try await engine.independent(), try engine.graph(), try JournalBenchmarks(rounds: rounds).journal(),
  try processes.manySpawns(),
  try processes.sleepingGraph(withHistory: false), try processes.sleepingGraph(withHistory: true),
]
if let row = try processes.manySpawnsAgainstMake() {
  rows.append(row)
} else {
  print("make is not installed: left out")
}

print("| work | AppBoot | the other | ratio | goal |\n|---|---|---|---|---|")
for row in rows {
  let goal = row.target.isFinite ? "≤ \(row.target)" : "–"
  print("| \(row.work) | \(row.ours) | \(row.theirs) | \(String(format: "%.4f", row.ratio)) | \(goal) |")
}
let broken = rows.filter { $0.ratio > 3 * $0.target }
for row in broken { print("more than three times the goal: \(row.work)") }
if isCheck, !broken.isEmpty { exit(1) }
