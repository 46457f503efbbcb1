#if canImport(os)
import AppBoot
import Synchronization
import os

/// Marks each step as an interval that Instruments shows.
final class SignpostObserver: LaunchObserver {
  private let signposter: OSSignposter
  private let intervals = Mutex<[Int: OSSignpostIntervalState]>([:])

  init(_ signposter: OSSignposter = OSSignposter(subsystem: "AppBoot", category: "launch")) {
    self.signposter = signposter
  }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    switch event.kind {
    case .started(let step, attempt: 1):
      let interval = signposter.beginInterval(
        "step", id: signposter.makeSignpostID(), "\(outline[step].id, privacy: .public)")
      intervals.withLock { $0[step] = interval }
    case .ended(let step, let state):
      guard let interval = intervals.withLock({ $0.removeValue(forKey: step) }) else { break }
      signposter.endInterval("step", interval, "\(state.name, privacy: .public)")
    default: break
    }
  }
}
#endif
