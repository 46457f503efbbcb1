import Foundation

/// Nanoseconds on the monotonic clock.
func now() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The times of one side of a row, run by run.
struct Samples {
  var nanoseconds: [Double] = []

  var median: Double {
    let sorted = nanoseconds.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Runs the two in turns, so that a busy machine is busy for both, and gives the samples of each.
func sideBySide(
  rounds: Int, _ first: () throws -> Void, _ second: () throws -> Void
) rethrows -> (Samples, Samples) {
  var samples = (Samples(), Samples())
  try first()
  try second()
  for _ in 0..<rounds {
    let start = now()
    try first()
    let middle = now()
    try second()
    let end = now()
    samples.0.nanoseconds.append(Double(middle - start))
    samples.1.nanoseconds.append(Double(end - middle))
  }
  return samples
}

/// The same for work that suspends.
func sideBySide(
  rounds: Int, _ first: () async throws -> Void, _ second: () async throws -> Void
) async rethrows -> (Samples, Samples) {
  var samples = (Samples(), Samples())
  try await first()
  try await second()
  for _ in 0..<rounds {
    let start = now()
    try await first()
    let middle = now()
    try await second()
    let end = now()
    samples.0.nanoseconds.append(Double(middle - start))
    samples.1.nanoseconds.append(Double(end - middle))
  }
  return samples
}

/// The median of the ratios of runs that were side by side.
func ratio(_ samples: (Samples, Samples)) -> Double {
  let ratios = zip(samples.0.nanoseconds, samples.1.nanoseconds).map { $0 / $1 }
  return Samples(nanoseconds: ratios).median
}

/// A duration for the table: about three digits.
func text(_ nanoseconds: Double) -> String {
  switch nanoseconds {
  case ..<1_000: String(format: "%.1f ns", nanoseconds)
  case ..<1_000_000: String(format: "%.2f µs", nanoseconds / 1_000)
  case ..<1_000_000_000: String(format: "%.2f ms", nanoseconds / 1_000_000)
  default: String(format: "%.2f s", nanoseconds / 1_000_000_000)
  }
}
