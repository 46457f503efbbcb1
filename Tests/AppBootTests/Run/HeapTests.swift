import AppBootTestSupport
import Testing

@testable import AppBoot

@Suite("A heap")
struct HeapTests {
  @Test("A heap returns its elements in ascending order, with additions in between")
  func order() {
    var random = SeededGenerator(seed: 5)
    var heap = Heap<Int>()
    var model: [Int] = []
    for _ in 0..<2000 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        let element = Int.random(in: 0..<100, using: &random)
        heap.insert(element)
        model.append(element)
      } else {
        model.sort()
        #expect(heap.first == model.first)
        #expect(heap.removeFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
    }
    #expect((0..<model.count).map { _ in heap.removeFirst() } == model.sorted())
    #expect(heap.removeFirst() == nil)
  }

  @Test("Timers with one deadline fire in the order in which they were added")
  func equalDeadlines() {
    var timers = TimerQueue()
    for step in 0..<20 { timers.add(.retry(step), after: step < 10 ? 7 : 5, from: 0) }
    var fired: [TimerQueue.Kind] = []
    while let timer = timers.first {
      fired.append(timer.kind)
      timers.removeFirst()
    }
    #expect(fired == (Array(10..<20) + Array(0..<10)).map { .retry($0) })
  }

  @Test("Ready steps start by their ranks, and without ranks in manifest order")
  func ranks() {
    var ranked = ReadyQueue(ranks: [2, 0, 1])
    var plain = ReadyQueue(ranks: nil)
    for step in [2, 0, 1] {
      ranked.insert(step)
      plain.insert(step)
    }
    #expect((0..<3).map { _ in ranked.removeFirst() } == [1, 2, 0])
    #expect((0..<3).map { _ in plain.removeFirst() } == [0, 1, 2])
  }
}
