import Foundation

let engine = EngineBenchmarks(rounds: 30)
for row in [engine.sequence(), await engine.awaiting(), try await engine.serviceGroup(), engine.operationQueue(), try await engine.independent(), try engine.graph()] {
  print("| \(row.work) | \(row.ours) | \(row.theirs) | \(String(format: "%.4f", row.ratio)) | \(row.target) |")
}
