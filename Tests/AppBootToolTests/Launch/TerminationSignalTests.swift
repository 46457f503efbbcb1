import AppBootSystem
import Testing

@testable import AppBootTool

@Suite("The termination signal")
struct TerminationSignalTests {
  private let term = Signals.terminate
  private let int = Signals.interrupt

  private func turns(of signals: (number: Int32, time: Int64)...) -> [TerminationSignal.Turn] {
    var termination = TerminationSignal()
    return signals.map { termination.turn(of: $0.number, at: $0.time) }
  }

  @Test("The same signal counts as repeated within 50 ms, and as another one later")
  func repetition() {
    let limit = TerminationSignal.repetition
    #expect(turns(of: (term, 5), (term, 5), (term, 4 + limit)) == [.first, .repeated, .repeated])
    #expect(turns(of: (term, 5), (term, 5 + limit)) == [.first, .another])
  }

  @Test("A different signal counts as another one at any time")
  func others() {
    #expect(turns(of: (term, 5), (int, 5), (term, 6)) == [.first, .another, .repeated])
  }
}
