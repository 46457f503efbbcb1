import Testing

@testable import AppBootReports

@Suite("Fisher's exact test")
struct FisherTestTests {
  private func change(_ before: (Int, of: Int), _ now: (Int, of: Int)) -> StateChange {
    func count(_ failures: Int, _ total: Int) -> StateCount {
      var count = StateCount()
      for index in 0..<total { count.add(index < failures ? "failed" : StateCount.succeeded) }
      return count
    }
    return StateChange(step: nil, before: count(before.0, before.of), now: count(now.0, now.of))
  }

  @Test("The probability is that of the hypergeometric distribution")
  func probability() {
    #expect(abs(FisherTest.probability(3, of: 4, against: 1, of: 4) - 17.0 / 70) < 1e-12)
    #expect(FisherTest.probability(0, of: 4, against: 2, of: 4) == 1)
  }

  @Test("Launches fail more if none failed before, or if the share of failures is significantly larger")
  func failsMore() {
    #expect(change((0, of: 4), (1, of: 4)).failsMore)
    #expect(change((1, of: 20), (15, of: 20)).failsMore)
    #expect(!change((1, of: 4), (3, of: 4)).failsMore)
    #expect(!change((1, of: 4), (0, of: 2)).failsMore)
    #expect(!change((15, of: 20), (1, of: 20)).failsMore)
  }
}
