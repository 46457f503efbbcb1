public import AppBoot

/// Assembles what runs an app from its manifest: what an app delegate would otherwise put together by hand.
public enum AppDelegateFactory {
  /// Makes the host of an app: the manifest's commands for the launch and for its events, and then the listeners and
  /// responders that the configuration names.
  ///
  /// - Parameters:
  ///   - path: The manifest's file.
  ///   - window: The process's own window; an app with scenes names theirs in the configuration.
  /// - Throws: ``ManifestUnreadable``, ``ManifestError``, ``RegistryConflict``.
  public static func makeHost(
    reading path: String, registry: CommandRegistry, window: (any AppWindow)? = nil,
    options: LaunchOptions = LaunchOptions(), state: any StateStore = MemoryStateStore(),
    configuration: LifecycleHost.Configuration = LifecycleHost.Configuration()
  ) throws -> LifecycleHost {
    var builder = try StartupCommandsBuilder(reading: path, registry: registry)
      .setLaunchOptions(options).setState(state)
    if let window { builder = builder.setWindow(window) }
    return LifecycleHost(try builder.build(), configuration: configuration)
  }
}
