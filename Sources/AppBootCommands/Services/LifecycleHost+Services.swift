import AppBoot
public import AppBootLifecycle

extension LifecycleHost {
  /// The states of the services that were started, by the id of the step. In an app's tool it is empty.
  public var services: [String: ServiceState] { supervisor?.states ?? [:] }

  /// The last reported health of the services that run, by the id of the step. In an app's tool it is empty.
  public var health: [String: ServiceHealth] { supervisor?.health ?? [:] }

  private var supervisor: ServiceSupervisor? { (keeper as? ServiceKeeper)?.supervisor }
}
