import AppBootAnalysis
import Testing

@Suite("A shuffled order")
struct ShuffledOrderTests {
  @Test("A seed always gives the same ranks, and another seed other ones")
  func seeds() {
    let ranks = ShuffledOrder.ranks(count: 20, seed: 7)
    #expect(ranks.sorted() == Array(0..<20))
    #expect(
      ranks == ShuffledOrder.ranks(count: 20, seed: 7) && ranks != ShuffledOrder.ranks(count: 20, seed: 8))
  }

  @Test("Each of two steps is first for about half of the seeds")
  func isFair() {
    let first = (1...1000).count { ShuffledOrder.ranks(count: 2, seed: $0) == [0, 1] }
    #expect((400...600).contains(first))
  }
}
