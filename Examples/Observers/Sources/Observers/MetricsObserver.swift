import AppBoot
import Metrics
import Synchronization

/// Reports the times and failures of steps and launches with swift-metrics.
final class MetricsObserver: LaunchObserver {
  private let starts = Mutex<[Int: Duration]>([:])

  init() {}

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    switch event.kind {
    case .started(let step, attempt: 1): starts.withLock { $0[step] = event.time }
    case .retrying(let retry):
      Counter(label: "step_retries", dimensions: [("step", outline[retry.step].id)]).increment()
    case .ended(let step, let state):
      let dimensions = [("step", outline[step].id), ("state", state.name)]
      // A step that was skipped did not start.
      guard let start = starts.withLock({ $0.removeValue(forKey: step) }) else { break }
      Timer(label: "step_duration", dimensions: dimensions).record(duration: event.time - start)
    case .launchEnded(let outcome):
      Timer(label: "launch_duration", dimensions: [("app", outline.name), ("outcome", outcome.name)])
        .record(duration: event.time)
    default: break
    }
  }
}
