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
  /// Makes the plan of a manifest.
  ///
  /// - Parameter manifest: The path; `nil` without a manifest, which an app without commands does not need.
  /// - Throws: `DefaultHostError`; the errors of `StartupCommandsBuilder`.
  static func plan(reading manifest: String?, _ registry: CommandRegistry) throws -> LaunchPlan {
    guard let manifest else {
      guard registry.names.isEmpty else { throw DefaultHostError.noManifest }
      return LaunchPlan(sequence: [])
    }
    return try StartupCommandsBuilder(reading: manifest, registry: registry).build()
  }

  /// Makes a host of a plan, with its state and its journal in a directory.
  ///
  /// - Parameters:
  ///   - state: The directory of the journal, and of the state of a plan that has no store of its own.
  ///   - timeout: The timeout of a launch whose plan sets no timeout.
  ///   - window: The window of a plan that has none.
  /// - Throws: An error if the directory cannot be created.
  static func make(
    _ plan: LaunchPlan, state: String, timeout: Duration, _ configuration: LifecycleHost.Configuration,
    window: (any AppWindow)?
  ) throws -> LifecycleHost {
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
    let store = DirectoryStateStore(path: state)
    var plan = plan.placed { environment in
      environment.givenState = environment.givenState ?? store
      environment.window = environment.window ?? window
    }
    plan.outline.timeoutTime = plan.outline.timeoutTime ?? max(1, timeout.nanoseconds)
    return LifecycleHost(plan, configuration: configuration)
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
    "the app's bundle has no commands.json: add it to the target's resources, or override manifestPath or makePlan()"
  }
}
#endif
