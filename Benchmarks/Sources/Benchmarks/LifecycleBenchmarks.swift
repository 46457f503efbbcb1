import AppBoot
import AppBootLifecycle
import Foundation

/// An event sent to many listeners, compared with Foundation's `NotificationCenter`.
struct LifecycleBenchmarks {
  private static let listeners = 1_000
  private static let events = 100
  let rounds: Int

  private final class Listener: LifecycleListener {
    func receive(_ event: LifecycleEvent) {
      if case .didEnterBackground = event { Trivial.counter.add() }
    }
  }

  /// The two rows: the ratio, and the time for each listener against the goal of 100 ns.
  func rows() -> [Row] {
    let mediator = LifecycleMediator()
    for _ in 0..<Self.listeners { mediator.subscribe(Listener(), holding: .strong) }
    let center = NotificationCenter()
    let name = Notification.Name("didEnterBackground")
    let tokens = (0..<Self.listeners).map { _ in
      center.addObserver(forName: name, object: nil, queue: nil) { _ in Trivial.counter.add() }
    }
    let samples = sideBySide(rounds: rounds) {
      for _ in 0..<Self.events {
        precondition(mediator.send(.didEnterBackground).listenerCount == Self.listeners)
      }
    } _: {
      for _ in 0..<Self.events { center.post(name: name, object: nil) }
    }
    tokens.forEach(center.removeObserver)
    let calls = Double(Self.listeners * Self.events)
    let (ours, theirs) = (samples.0.median / calls, samples.1.median / calls)
    return [
      Row(
        id: "events-center", work: "one event to 1,000 listeners ÷ NotificationCenter",
        ours: text(ours) + " a listener",
        theirs: text(theirs) + " a listener", ratio: ratio(samples)),
      Row(
        id: "events-listener", work: "the same ÷ 100 ns a listener", ours: text(ours) + " a listener",
        theirs: text(100),
        ratio: ours / 100),
    ]
  }
}
