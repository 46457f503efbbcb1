import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootLifecycle

@Suite("The waiting events of services")
struct WaitingServiceEventsTests {
  private func ready(_ id: String, _ restarts: Int) -> LifecycleEvent {
    .serviceReady(ServiceChange(id: id, restarts: restarts))
  }

  @Test("A newer event of the same name and service replaces the waiting one, behind the events before it")
  func newest() {
    var waiting = WaitingServiceEvents()
    _ = waiting.open()
    let failed = LifecycleEvent.serviceFailed(ServiceChange(id: "a"))
    let answers = [ready("a", 0), failed, ready("b", 0), ready("a", 1), ready("a", 2)].map { waiting.add($0) }
    #expect(answers == [true, false, false, false, false])
    let taken = [waiting.take().events, waiting.take().events]
    #expect(taken == [[failed, ready("b", 0), ready("a", 2)], []])
    let isFirst = waiting.add(ready("a", 3))
    #expect(isFirst)
  }

  @Test("Events wait until the launch has succeeded, and none waits once the app ends")
  func phases() {
    var waiting = WaitingServiceEvents()
    let answers = [waiting.add(ready("a", 0)), waiting.open()]
    #expect(answers == [false, true])
    waiting.end()
    let later = [waiting.add(ready("a", 1)), waiting.add {}, waiting.open()]
    #expect(later == [false, false, false])
    let taken = waiting.take().events
    #expect(taken.isEmpty)
  }

  @Test("A function that waits is called after the events before it")
  func completions() {
    var waiting = WaitingServiceEvents()
    _ = waiting.open()
    let log = Log()
    let answers = [waiting.add { log.add("called") }, waiting.add(ready("a", 0))]
    #expect(answers == [true, false])
    let taken = waiting.take()
    #expect(taken.events == [ready("a", 0)] && taken.completions.count == 1)
    taken.completions.forEach { $0() }
    #expect(log.all == ["called"])
  }
}
