#if canImport(os) && ((canImport(UIKit) && !os(watchOS)) || canImport(AppKit))
import AppBoot
import AppBootBase
import AppBootSystem
import os

/// An observer that marks each step as an interval under "Points of Interest" in Instruments.
final class SignpostObserver: RecordObserver {
  /// A step that is running. Event handlers can run at the same time as the launch.
  private struct Place: Hashable {
    let sequence: String
    let step: Int
  }

  private let signposter = OSSignposter(subsystem: "AppBoot", category: .pointsOfInterest)
  private let states = Lock<[Place: UncheckedSendable<OSSignpostIntervalState>]>([:])

  /// False: the observer uses only the starts and ends of steps.
  var usesOutput: Bool { false }

  /// Begins the interval of a step at its first attempt, and ends it at the end of the step.
  func observe(_ event: StartupEvent, in record: StartupRecord, at clockTime: Int64) {
    if case .started(let step, attempt: 1) = event.kind {
      let id = record.outline[step].id
      let state = signposter.beginInterval("step", id: signposter.makeSignpostID(), "\(id, privacy: .public)")
      let place = Place(sequence: record.outline.name, step: step)
      states.withLock { [state = UncheckedSendable(state)] in $0[place] = state }
    } else if case .ended(let step, _) = event.kind {
      let place = Place(sequence: record.outline.name, step: step)
      let state = states.withLock { $0.removeValue(forKey: place) }
      if let state { signposter.endInterval("step", state.value) }
    }
  }
}
#endif
