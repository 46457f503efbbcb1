import Testing

@testable import AppBootReports

/// Expected values are scipy's: `scipy.stats.mannwhitneyu`, `scipy.stats.norm`, and its exact null distribution.
@Suite("The rank test")
struct RankTestTests {
  private let twelve = [
    1.0001, 1.0303, 0.973, 0.9148, 0.9556, 0.9056, 1.006, 1.1434, 0.952, 0.9398, 1.0502, 1.0363,
  ]
  private let nine = [1.1394, 1.0273, 1.1242, 1.2087, 0.9857, 1.0771, 0.9323, 0.9911, 0.9378]

  private func isClose(_ value: Double, _ expected: Double, within tolerance: Double = 1e-12) -> Bool {
    abs(value - expected) <= tolerance
  }

  @Test("is exact for small samples without ties")
  func exact() {
    let small = RankTest([1.1, 2.2, 3.3, 4.4, 5.5], [2.5, 3.6, 4.7, 5.8, 6.9, 8.0])
    #expect(small.pairsAbove == 24)
    #expect(isClose(small.probability, 0.12554112554112554))
    let larger = RankTest(twelve, nine)
    #expect(larger.pairsAbove == 69)
    #expect(isClose(larger.probability, 0.31002619671350323))
  }

  @Test("corrects the normal approximation for ties and continuity")
  func ties() {
    let test = RankTest([1, 2, 2, 3, 4, 4], [2, 3, 3, 4, 5, 6, 7])
    #expect(test.pairsAbove == 32)
    #expect(isClose(test.probability, 0.12717084851192614, within: 1e-9))
  }

  @Test("approximates where a sample is large")
  func large() {
    let first = (0..<60).map { Double($0 * 2) }
    let test = RankTest(first, first.map { $0 + 31 })
    #expect(test.pairsAbove == 2610)
    #expect(isClose(test.probability, 2.149444765493723e-05, within: 1e-15))
  }

  @Test("says nothing of samples that are alike, constant or empty")
  func nothing() {
    #expect(RankTest([1, 2, 3], [1, 2, 3]).probability == 1)
    #expect(RankTest([5, 5, 5, 5], [5, 5, 5, 5]).probability == 1)
    #expect(RankTest([], [1]).probability == 1)
  }

  @Test("gives the same probability in both directions")
  func symmetry() {
    #expect(isClose(RankTest(twelve, nine).probability, RankTest(nine, twelve).probability))
    #expect(RankTest(twelve, nine).pairsAbove + RankTest(nine, twelve).pairsAbove == 108)
  }

  @Test("has an exact distribution that is that of the tables")
  func distribution() {
    let distribution = RankDistribution.of(20, 20)
    #expect(isClose(distribution.probability(ofAtMost: 127), 0.02454516259468622))
    #expect(isClose(distribution.probability(ofAtMost: 138), 0.04824977621805015))
    #expect(distribution.quantile(0.025) == 127)
    #expect(isClose(distribution.probability(ofAtMost: 400), 1))
    #expect(RankDistribution.of(3, 3).quantile(0.025) == -1)
  }

  @Test("knows the least that samples of a size can show")
  func least() {
    #expect(isClose(RankTest.smallestProbability(5, 5), 2.0 / 252))
    #expect(isClose(RankTest.smallestProbability(5, 20), 3.764351590438547e-05))
    #expect(RankTest.smallestProbability(1, 1) == 1)
    #expect(RankTest.smallestProbability(0, 9) == 1)
  }

  @Test("takes the tail of the normal distribution from the error function")
  func normal() {
    #expect(isClose(NormalDistribution.probability(above: 1.96), 0.024997895148220435))
    #expect(isClose(NormalDistribution.value(exceededWith: 0.025), 1.9599639845400545))
  }

  @Test("estimates the factor as the median of the quotients, with the interval of the inverted test")
  func ratio() {
    let estimate = RatioEstimate(twelve, nine, confidence: 0.95)
    #expect(isClose(estimate.ratio, 1.0471305274862623))
    #expect(isClose(estimate.interval.lowerBound, 0.9793067226890757))
    #expect(isClose(estimate.interval.upperBound, 1.1392860713928608))
    let none = RatioEstimate([1, 2, 3], [2, 3, 4], confidence: 0.95)
    #expect(none.interval == 0...Double.infinity)
  }

  @Test("is corrected for many tests by Holm's method")
  func holm() {
    let adjusted = HolmCorrection.adjusted([0.01, 0.04, 0.03, 0.005])
    let expected = [0.03, 0.06, 0.06, 0.02]
    #expect(zip(adjusted, expected).allSatisfy { isClose($0, $1) })
    #expect(HolmCorrection.adjusted([0.9, 0.8]) == [1, 1])
    #expect(HolmCorrection.adjusted([]).isEmpty)
  }
}
