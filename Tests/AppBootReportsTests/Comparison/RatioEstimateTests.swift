import Testing

@testable import AppBootReports

/// Expected values are scipy's: `scipy.stats.mannwhitneyu` with its exact null distribution, and `scipy.stats.norm`.
@Suite("The estimated ratio")
struct RatioEstimateTests {
  private let twelve = [
    1.0001, 1.0303, 0.973, 0.9148, 0.9556, 0.9056, 1.006, 1.1434, 0.952, 0.9398, 1.0502, 1.0363,
  ]
  private let nine = [1.1394, 1.0273, 1.1242, 1.2087, 0.9857, 1.0771, 0.9323, 0.9911, 0.9378]

  private func isClose(_ value: Double, _ expected: Double, within tolerance: Double = 1e-12) -> Bool {
    abs(value - expected) <= tolerance
  }

  @Test("The ratio is the median of the quotients, and its interval inverts the rank test")
  func ratio() {
    let estimate = RatioEstimate(twelve, nine)
    #expect(isClose(estimate.ratio, 1.0471305274862623))
    #expect(isClose(estimate.interval.lowerBound, 0.9793067226890757))
    #expect(isClose(estimate.interval.upperBound, 1.1392860713928608))
  }

  @Test("Samples that are too small have an infinite interval")
  func tooSmall() {
    #expect(RatioEstimate([1.0, 2, 3], [2, 3, 4]).interval == 0...Double.infinity)
    let none = RatioEstimate([Int64](), [1])
    #expect(none.ratio == 1 && none.interval == 0...Double.infinity)
  }

  @Test("The interval of large samples uses the normal approximation")
  func large() {
    let first = (0..<60).map { 100 + Double($0) }
    let estimate = RatioEstimate(first, first.map { $0 * 1.2 })
    #expect(isClose(estimate.ratio, 1.2, within: 0.001))
    #expect(estimate.interval.lowerBound > 1.1 && estimate.interval.upperBound < 1.3)
  }

  @Test("The estimate uses 1000 of each side's values, from the whole sample")
  func thinned() {
    let first = (0..<6000).map { 100 + Double($0 % 60) }
    let every = (0..<1000).map { first[$0 * 6] }
    #expect(RatioEstimate(first, first.map { $0 * 1.2 }) == RatioEstimate(every, every.map { $0 * 1.2 }))
  }

  @Test("The exact distribution is that of the tables")
  func distribution() {
    let distribution = RankDistribution.mannWhitney(20, 20)
    #expect(isClose(distribution.probability(ofAtMost: 127), 0.02454516259468622))
    #expect(isClose(distribution.probability(ofAtMost: 138), 0.04824977621805015))
    #expect(distribution.quantile(0.025) == 127)
    #expect(isClose(distribution.probability(ofAtMost: 400), 1))
    #expect(RankDistribution.mannWhitney(3, 3).quantile(0.025) == -1)
  }
}
