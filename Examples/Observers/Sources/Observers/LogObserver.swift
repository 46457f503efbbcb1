import AppBoot
import Logging

/// Logs each step of a launch with swift-log.
struct LogObserver: LaunchObserver {
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    switch event.kind {
    case .launchStarted: logger.info("launch started", metadata: ["app": "\(outline.name)"])
    case .started(let step, let attempt):
      logger.debug("step started", metadata: ["step": "\(outline[step].id)", "attempt": "\(attempt)"])
    case .retrying(let retry):
      logger.notice(
        "attempt failed",
        metadata: [
          "step": "\(outline[retry.step].id)", "attempt": "\(retry.attempt)",
          "error": "\(retry.failure.message)",
        ])
    case .ended(let step, let state):
      var metadata: Logger.Metadata = ["step": "\(outline[step].id)", "state": "\(state.name)"]
      if let failure = state.failure { metadata["error"] = "\(failure.message)" }
      logger.log(level: state.isFailure ? .error : .info, "step ended", metadata: metadata)
    case .launchEnded(let outcome):
      logger.info(
        "launch ended",
        metadata: ["outcome": "\(outcome.name)", "milliseconds": "\(Int(event.time / .milliseconds(1)))"])
    default: break
    }
  }
}
