import Foundation

if CommandLine.arguments.contains("probe") { try probeProcesses(); exit(0) }
if CommandLine.arguments.contains("ind") { try probeIndependent(); exit(0) }
if CommandLine.arguments.contains("seq") { probeSequence(); exit(0) }
let engine = EngineBenchmarks(rounds: 30)
for row in [
  engine.sequence(), await engine.awaiting(), try await engine.serviceGroup(), engine.operationQueue(),
  try await engine.independent(), try engine.graph(),
] {
  print(
    "| \(row.work) | \(row.ours) | \(row.theirs) | \(String(format: "%.4f", row.ratio)) | \(row.target) |")
}
