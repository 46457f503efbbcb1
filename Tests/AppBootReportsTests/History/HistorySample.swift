import AppBoot
import AppBootTestSupport

@testable import AppBootRecords

/// Launches with noise and planted changes, the same for each seed.
struct HistorySample {
  private var random: SeededGenerator
  /// The standard deviation of the noise as a fraction.
  let deviation: Double
  /// The share of launches that other work delays by up to 50 %.
  var delayed = 0.03

  init(seed: UInt64, deviation: Double = 0.03) {
    random = SeededGenerator(seed: seed)
    self.deviation = deviation
  }

  /// Returns durations in nanoseconds around 100 ms, each times a factor of its index.
  mutating func times(_ count: Int, factor: (Int) -> Double = { _ in 1 }) -> [Int64] {
    (0..<count).map { index in
      // The sum of twelve uniform values is nearly normal, with a deviation of 1.
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      let isDelayed = Double.random(in: 0..<1, using: &random) < delayed
      let delay = isDelayed ? 1 + Double.random(in: 0..<0.5, using: &random) : 1
      return Int64(100_000_000 * factor(index) * delay * max(0.5, 1 + deviation * normal))
    }
  }

  /// Returns launches of two steps in sequence. The second one takes a tenth of the launch less than the rest.
  static func launches(
    _ times: [Int64], steps: (String, String) = ("fetch", "index"),
    first: (Int) -> Int64 = { _ in 40_000_000 }
  ) -> [LaunchSummary] {
    times.enumerated().map { index, time in
      let digits = String(100_000 + index).dropFirst()
      return LaunchSummary(
        name: "Notes",
        startedAt:
          "2026-07-28T09:\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2)).\(digits.suffix(1))00Z",
        duration: time, outcome: .succeeded, planDigest: "sha256:1",
        steps: [
          .init(id: steps.0, state: .succeeded, duration: first(index)),
          .init(id: steps.1, state: .succeeded, duration: time - first(index)),
        ])
    }
  }
}
