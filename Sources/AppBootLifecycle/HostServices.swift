import AppBoot
import AppBootSystem

/// The services of a host's plan, from the launch to the end of the app. A host with a custom `run` keeps no services.
final class HostServices: Sendable {
  private struct State: Sendable {
    /// The runner of the launch; `nil` when no launch runs.
    var runner: StartupRunner?
    /// True if the end of a service ended the app.
    var isEnding = false
    var stop = Stop.none
  }

  /// The progress of the shutdown of all services.
  private enum Stop: Sendable {
    case none
    /// The functions are called when all services have ended.
    case running([@Sendable () -> Void])
    case done
  }

  let keeper: (any ServiceKeeping)?
  private let state: Lock<State>

  /// Makes the steps of a plan start their services with a keeper, if the plan has services.
  init(_ plan: inout StartupPlan, _ configuration: LifecycleHost.Configuration) {
    let state = Lock(State())
    self.state = state
    guard configuration.run == nil, plan.environment.services == nil, let starter = plan.serviceStarter else {
      keeper = nil
      return
    }
    let store = configuration.store
    do {
      keeper = try starter.keepServices(of: &plan, configuration.runner) { keeper, ended in
        guard let ended else { return }
        if ended.isFailure {
          store.dispatch(.failed(LaunchState.Failure(source: ended.id, message: "the service \(ended.end)")))
        }
        let runner = state.withLock { state in
          state.isEnding = true
          return state.runner
        }
        // The end of the launch stops the other services.
        if let runner { runner.cancel("\(ended.id) \(ended.end)") } else { keeper.beginToStop() }
      }
    } catch {
      store.dispatch(.failed(LaunchState.Failure(source: "services", message: "\(error)")))
      keeper = nil
    }
  }

  deinit { keeper?.beginToStop() }

  func beginLaunch() { keeper?.beginLaunch() }

  /// Runs the launch on the calling thread. If it fails, or if a service has ended the app, begins to stop all
  /// services.
  func runLaunch(_ runner: StartupRunner) -> StartupRecord {
    guard let keeper else { return runner.runBlocking() }
    state.withLock { $0.runner = runner }
    var record = runner.runBlocking()
    keeper.completeLaunch(&record)
    let isEnding = state.withLock { state in
      state.runner = nil
      return state.isEnding
    }
    if isEnding || !record.succeeded { stop() }
    return record
  }

  /// Begins to stop all services, each after those that come after it.
  func stop() {
    guard let keeper else { return }
    let isFirst = state.withLock { state in
      guard case .none = state.stop else { return false }
      state.stop = .running([])
      return true
    }
    guard isFirst else { return }
    Thread.detach(name: "appboot-shutdown") { [state] in
      keeper.stop()
      let waiting = state.withLock { state -> [@Sendable () -> Void] in
        defer { state.stop = .done }
        if case .running(let waiting) = state.stop { return waiting }
        return []
      }
      for body in waiting { body() }
    }
  }

  /// Calls a function when the services that ``stop()`` stops have ended: at once if no service stops.
  func whenStopped(_ body: @escaping @Sendable () -> Void) {
    let isWaiting = state.withLock { state in
      guard case .running(let waiting) = state.stop else { return false }
      state.stop = .running(waiting + [body])
      return true
    }
    if !isWaiting { body() }
  }
}
