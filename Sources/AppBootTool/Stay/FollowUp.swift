import AppBoot
import AppBootCommands
import AppBootSystem

/// The functions that print an app's output after its launch, and whether the app keeps running.
struct FollowUp: Sendable {
  /// True if the app keeps running after the launch: for `--stay`, and if it has services.
  var stays: Bool
  /// True if it stays only because of services.
  var staysForServices = false
  /// True if the services are stopped after the launch (`--then-stop`).
  var thenStops = false
  /// The command line that replaces the process after a launch that succeeded.
  var command: [String]?
  /// True if the service manager that started the process receives the launch's state.
  var notifiesManager = false
  /// True if the handlers of events run.
  var handlesEvents = true
  /// Shows an event of a service that is ready, with its step, the plan's outline and the columns of ids.
  let showService: @Sendable (ServiceEvent, _ step: Int, LaunchOutline, _ columns: Int) -> Void
  /// Shows the launch of an app that does not stay before its event handlers run; `nil` if all is shown at the end.
  let showAtOnce: (@Sendable (StartupRecord) -> Void)?
  /// Shows the launch of an app that stays.
  let showLaunch: @Sendable (StartupRecord) -> Void
  /// Shows the handlers of an event.
  let showEvent: @Sendable (EventRecord) -> Void
  /// Shows the rest at the end of an app that stayed, and returns the tool's exit.
  let end: @Sendable (StartupRecord) -> ToolExit
}

extension ToolLaunch {
  /// Runs the launch, and then the handlers of its events.
  ///
  /// - Throws: An error that keeps the launch from starting.
  func run(_ followUp: FollowUp) throws -> ToolExit {
    let prepared = try prepare { plan throws(UsageError) in
      guard let command = followUp.command, !plan.services.isEmpty else { return }
      let services = plan.services.map { plan[$0].outline.id }
      throw .servicesBeforeCommand(
        services, command: plan.environment.secrets.masking(command.first ?? ""))
    }
    var followUp = followUp
    if !prepared.plan.services.isEmpty {
      followUp.staysForServices = !followUp.stays
      followUp.stays = true
    }
    let hasHandlers =
      followUp.handlesEvents && request.event == nil
      && (!prepared.plan.events.isEmpty || tool.lifecycle != nil)
    let exit =
      followUp.stays || hasHandlers ? try AppRun(self, followUp, prepared).run() : try run(prepared)
    guard exit == .succeeded, !followUp.stays else { return exit }
    if let command = followUp.command {
      try tool.replace(by: command, hiding: prepared.plan.environment.secrets)
    }
    if followUp.notifiesManager { ServiceManager.report(.ready) }
    return exit
  }
}
