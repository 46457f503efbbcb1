#if canImport(UIKit) && !os(watchOS)
import UIKit
#if canImport(MetricKit) && !os(tvOS)
import MetricKit
#endif

/// Apple's measurement of the launch, extended until the plan has ended. Xcode's Organizer shows it.
///
/// One task covers the whole launch, so MetricKit's limits for several tasks do not matter.
@MainActor
struct LaunchMeasurement {
  #if canImport(MetricKit) && !os(tvOS)
  private static let task = MXLaunchTaskID("appboot.launch")
  private let isExtended: Bool

  /// Extends the measurement. Call it before a scene becomes active. An error is logged.
  init() {
    isExtended = Self.log { try MXMetricManager.extendLaunchMeasurement(forTaskID: Self.task) }
  }

  /// Ends the measurement. An error is logged.
  func finish() {
    guard isExtended else { return }
    _ = Self.log { try MXMetricManager.finishExtendedLaunchMeasurement(forTaskID: Self.task) }
  }

  /// Calls MetricKit, and logs its error. Returns false after an error.
  private static func log(_ call: () throws -> Void) -> Bool {
    do {
      try call()
      return true
    } catch {
      NSLog("AppBoot: MetricKit cannot extend the measurement of this launch: %@", String(describing: error))
      return false
    }
  }
  #else
  /// Does nothing: the platform has no MetricKit.
  func finish() {}
  #endif
}
#endif
