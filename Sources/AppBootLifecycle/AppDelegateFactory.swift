public import AppBoot

/// A factory that makes the host of an app. An app delegate calls it instead of assembling the host.
public enum AppDelegateFactory {
  /// Makes the host of an app from its manifest and a configuration.
  ///
  /// The manifest provides the commands of the launch and the event handlers. The configuration provides the listeners
  /// and the responders.
  ///
  /// - Parameters:
  ///   - path: The path of the manifest.
  ///   - window: The window of the process. An app with scenes provides the scenes' windows in the configuration.
  /// - Throws: The errors of `StartupCommandsBuilder`: `ManifestUnreadable`, `ManifestError`.
  public static func makeHost(
    reading path: String, registry: CommandRegistry, window: (any AppWindow)? = nil,
    options: LaunchOptions = LaunchOptions(), state: any StateStore = MemoryStateStore(),
    configuration: LifecycleHost.Configuration = LifecycleHost.Configuration()
  ) throws -> LifecycleHost {
    let builder = try StartupCommandsBuilder(reading: path, registry: registry)
      .setLaunchOptions(options).setState(state).setWindow(window)
    return LifecycleHost(try builder.build(), configuration: configuration)
  }
}
