#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
import AppBoot
import AppBootBase
import AppBootLifecycle
import AppBootRecords
#if canImport(UIKit) && !os(watchOS)
import UIKit
#else
import AppKit
#endif

/// A namespace for the host that the delegates of an app make by default.
enum DefaultHost {
  /// Makes a host, with its state and its journal in a directory.
  ///
  /// - Parameters:
  ///   - manifest: The path of the manifest; `nil` without a manifest, which an app without commands does not need.
  ///   - state: The directory of the state and the journal.
  ///   - timeout: The timeout of a launch whose manifest sets no timeout.
  /// - Throws: `DefaultHostError`; an error if the directory cannot be created; the errors of `StartupCommandsBuilder`.
  static func make(
    manifest: String?, state: String, timeout: Duration, _ registry: CommandRegistry,
    _ configuration: LifecycleHost.Configuration, window: (any AppWindow)?
  ) throws -> LifecycleHost {
    guard manifest != nil || registry.names.isEmpty else { throw DefaultHostError.noManifest }
    // The store and the journal create only the last folder of the path.
    let above = URL(fileURLWithPath: state).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
    var configuration = configuration
    if configuration.runner.journal == nil {
      configuration.runner.journal = LaunchJournal(directory: state) { NSLog("AppBoot: %@", $0) }
    }
    #if canImport(os)
    configuration.runner.recordObservers.append(SignpostObserver())
    #endif
    // Tasks of commands emit events on any thread, and the handlers of events show screens.
    configuration.handlesEventsOnMainThread = true
    let empty = #"{"version":1,"commands":[]}"#
    var builder =
      try manifest.map { try StartupCommandsBuilder(reading: $0, registry: registry) }
      ?? StartupCommandsBuilder(parsing: empty, registry: registry)
    builder = builder.setState(DirectoryStateStore(path: state))
    if let window { builder = builder.setWindow(window) }
    let plan = try builder.build()
    guard plan.outline.timeout == nil else { return LifecycleHost(plan, configuration: configuration) }
    return LifecycleHost(try builder.setTimeout(timeout).build(), configuration: configuration)
  }

  /// Returns the folder `AppBoot` in Application Support, which the system does not remove to free space.
  ///
  /// - Parameter app: The app's folder in Application Support; `nil` if the app has its own Application Support.
  static func stateDirectory(of app: String? = nil) -> String {
    let places = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let place = places.first ?? FileManager.default.temporaryDirectory
    let folder = app.map { place.appendingPathComponent($0) } ?? place
    return folder.appendingPathComponent("AppBoot").path
  }
}

/// A mistake in an app that uses the default host.
enum DefaultHostError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bundle has no manifest, but the app has commands.
  case noManifest

  /// The error message with the fix.
  var description: String {
    "the app's bundle has no commands.json: add it to the target's resources, or override manifestPath"
  }
}
#endif
