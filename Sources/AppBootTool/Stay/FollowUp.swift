import AppBoot
import AppBootCommands
import AppBootSystem

/// The functions that show an app's launch and events, and the options for the time after the launch.
struct FollowUp: Sendable {
  /// True if the app stays after the launch: with `--stay`, or if it has services.
  var stays: Bool
  /// True if the app stays only because of its services.
  var staysForServices = false
  /// True if the services are stopped after the launch: with `--then-stop`, and for a launch of a check.
  var thenStops = false
  /// The command line that replaces the process after a successful launch; `nil` for none.
  var command: [String]?
  /// True if the app reports its state to the service manager that started the process.
  var notifiesManager = false
  /// True if only failures are printed.
  var isQuiet = false
  /// True if event handlers run.
  var handlesEvents = true
  /// A function that shows an event of a service.
  ///
  /// Its arguments are the event, the index of the service's step, the plan's outline, and the number of columns for
  /// ids.
  let showService: @Sendable (ServiceEvent, _ step: Int, LaunchOutline, _ columns: Int) -> Void
  /// A function that shows the launch of an app that does not stay, before its event handlers run.
  ///
  /// It is `nil` if launch and events are shown together at the end.
  let showAtOnce: (@Sendable (StartupRecord) -> Void)?
  /// A function that shows the launch of an app that stays.
  let showLaunch: @Sendable (StartupRecord) -> Void
  /// A function that shows the handlers of an event after they have run.
  let showEvent: @Sendable (EventRecord) -> Void
  /// A function that shows the rest at the end of an app that stayed, and returns the tool's exit.
  let end: @Sendable (StartupRecord) -> ToolExit
}

extension ToolLaunch {
  /// Runs the launch, and then the handlers of its events.
  ///
  /// - Throws: An error that prevents the launch from starting.
  func run(_ followUp: FollowUp) throws -> ToolExit {
    let prepared = try prepare { plan throws(UsageError) in
      guard let command = followUp.command, !plan.services.isEmpty else { return }
      let services = plan.services.map { plan[$0].id }
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
