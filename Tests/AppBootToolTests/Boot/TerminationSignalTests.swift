import AppBootSystem
import Testing

@testable import AppBootTool

@Suite("The signal that ends")
struct EndingSignalTests {
  private let term = Signals.terminate
  private let int = Signals.interrupt

  private func turns(of signals: (number: Int32, time: Int64)...) -> [TerminationSignal.Turn] {
    var ending = TerminationSignal()
    return signals.map { ending.turn(of: $0.number, at: $0.time) }
  }

  @Test("is the same one where it comes again soon, as timeout(1) sends it, and another one later")
  func repetition() {
    let limit = TerminationSignal.repetition
    #expect(turns(of: (term, 5), (term, 5), (term, 4 + limit)) == [.first, .repeated, .repeated])
    #expect(turns(of: (term, 5), (term, 5 + limit)) == [.first, .another])
  }

  @Test("is another one where it is not the first one's, however soon")
  func others() {
    #expect(turns(of: (term, 5), (int, 5), (term, 6)) == [.first, .another, .repeated])
  }
}
