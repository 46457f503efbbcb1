import AppBootLifecycle
import Foundation

// Prints a Markdown table of ratios. --check runs fewer rounds and exits with 1 if a ratio is above its
// limit in thresholds.json. --only TEXT runs the rows whose id begins with the text.
// --sequence N TIMES runs launches of N synchronous steps instead, for Benchmarks/instructions.
let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "--sequence", let count = Int(arguments[2]),
  let launches = Int(arguments[3])
{
  let plan = EngineBenchmarks.sequencePlan(count)
  for _ in 0..<launches { precondition(plan.runBlocking().succeeded) }
  exit(0)
}
let isCheck = arguments.contains("--check")
let only = arguments.firstIndex(of: "--only").map { arguments[$0 + 1] } ?? ""
let rounds = isCheck ? 10 : 30
let engine = EngineBenchmarks(rounds: rounds)
let growth = GrowthBenchmarks(rounds: rounds)
let processes = ProcessBenchmarks(rounds: isCheck ? 3 : 9)
let boot = BootBenchmarks(rounds: isCheck ? 3 : 9)
let tool = ToolBenchmarks(rounds: isCheck ? 5 : 15)
if tool == nil { FileHandle.standardError.write(Data("appboot is not built: its rows are left out\n".utf8)) }

/// The rows by the id that they begin with.
let cases: [(id: String, rows: () async throws -> [Row?])] = [
  ("sequence", { [engine.sequence()] }),
  ("await", { [await engine.awaiting()] }),
  ("service-group", { [try await engine.serviceGroup()] }),
  ("operation-queue", { [engine.operationQueue()] }),
  ("independent", { [try await engine.independent()] }),
  ("async-run", { [try await engine.asynchronous()] }),
  ("async-sleep", { [try await engine.sleeping()] }),
  ("graph", { [try engine.graph()] }),
  ("growth", { [try growth.launching()] }),
  ("events", { LifecycleBenchmarks(rounds: rounds).rows() }),
  ("spawn-raw", { [try processes.manySpawns()] }),
  ("spawn-make", { [try processes.manySpawnsAgainstMake()] }),
  ("start-up", { try tool?.startUp() ?? [] }),
  ("chain-make", { [try tool?.chain()] }),
  ("sleeps-plain", { [try processes.sleepingGraph(withHistory: false)] }),
  ("sleeps-history", { [try processes.sleepingGraph(withHistory: true)] }),
  ("sleeps", { try tool?.sleeping() ?? [] }),
  ("output-rate", { try tool.map { try boot.outputRate($0) } ?? [] }),
  ("output-make", { [try tool.flatMap { try boot.manyOutputs($0) }] }),
  ("readiness", { [try boot.readiness()] }),
  ("services", { try tool.map { try boot.services($0) } ?? [] }),
  ("list-make", { try tool?.listing() ?? [] }),
  ("one-line", { try tool?.oneLine() ?? [] }),
  ("compare", { try tool?.comparing() ?? [] }),
]
let thresholds = try Threshold.all()
var broken: [String] = []
print("| work | AppBoot | the other | ratio | goal |\n|---|---|---|---|---|")
for (id, rows) in cases where id.hasPrefix(only) || only.hasPrefix(id) {
  for row in try await rows().compactMap(\.self) where row.id.hasPrefix(only) {
    let threshold = thresholds[row.id]
    let goal = threshold?.goal.map { "≤ \($0)" } ?? "–"
    print("| \(row.work) | \(row.ours) | \(row.theirs) | \(String(format: "%.4f", row.ratio)) | \(goal) |")
    fflush(nil)
    if let limit = threshold?.limit, row.ratio > limit { broken.append("\(row.work): over \(limit)") }
  }
}
for line in broken { print("over its limit: \(line)") }
if isCheck, !broken.isEmpty { exit(1) }
