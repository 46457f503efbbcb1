#if canImport(os) && ((canImport(UIKit) && !os(watchOS)) || canImport(AppKit))
import AppBoot
import AppBootBase
import AppBootSystem
import os

/// An observer that marks each step as an interval under "Points of Interest" in Instruments.
final class SignpostObserver: RecordObserver {
  private let signposter = OSSignposter(subsystem: "AppBoot", category: .pointsOfInterest)
  /// The states by the names of the runs and steps. Event handlers can run at the same time as the launch.
  private let states = Lock<[[String]: UncheckedSendable<OSSignpostIntervalState>]>([:])

  /// False: the observer uses only the starts and ends of steps.
  var usesOutput: Bool { false }

  /// Begins the interval of a step at its first attempt, and ends it at the end of the step.
  func observe(_ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64) {
    guard let id = event.kind.step.map({ record.outline[$0].id }) else { return }
    let place = [record.outline.name, id]
    if case .started(_, attempt: 1) = event.kind {
      let state = signposter.beginInterval("step", id: signposter.makeSignpostID(), "\(id, privacy: .public)")
      states.withLock { [state = UncheckedSendable(state)] in $0[place] = state }
    } else if case .ended = event.kind {
      let state = states.withLock { $0.removeValue(forKey: place) }
      if let state { signposter.endInterval("step", state.value) }
    }
  }
}
#endif
