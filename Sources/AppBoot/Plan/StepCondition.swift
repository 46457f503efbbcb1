/// A condition under which a step of a plan in code runs.
///
/// It has the same values as `when` in a manifest: `.launch(.normal)`, `.environment("CI", is: "1")`,
/// `.not(.platform(.linux))`. It is evaluated when the plan is built; in event handlers, when the event arrives.
public struct StepCondition: Sendable, Hashable, CustomStringConvertible {
  let condition: LaunchCondition

  /// A platform for which an app is built.
  public enum Platform: String, Sendable, Hashable, CaseIterable {
    /// Linux.
    case linux
    /// macOS.
    case macOS = "macos"
    /// iOS and iPadOS.
    case iOS = "ios"
    /// tvOS.
    case tvOS = "tvos"
    /// watchOS.
    case watchOS = "watchos"
    /// visionOS.
    case visionOS = "visionos"
  }

  /// Holds if the app runs on one of these platforms.
  public static func platform(_ platform: Platform, _ others: Platform...) -> StepCondition {
    StepCondition(condition: .platform(([platform] + others).map(\.rawValue)))
  }

  /// Holds if an environment variable is set and not empty.
  public static func environment(_ name: String) -> StepCondition {
    StepCondition(condition: .environment(name, equals: nil))
  }

  /// Holds if an environment variable has exactly this value.
  public static func environment(_ name: String, is value: String) -> StepCondition {
    StepCondition(condition: .environment(name, equals: value))
  }

  /// Holds if the launch has one of these reasons.
  public static func launch(_ reason: LaunchReason, _ others: LaunchReason...) -> StepCondition {
    StepCondition(condition: .launch([reason] + others))
  }

  /// Holds until a launch with this state has succeeded.
  public static let firstLaunch = StepCondition(condition: .firstLaunch(true))

  /// Holds if all of these conditions hold.
  public static func all(_ condition: StepCondition, _ others: StepCondition...) -> StepCondition {
    StepCondition(condition: .all(([condition] + others).map(\.condition)))
  }

  /// Holds if at least one of these conditions holds.
  public static func any(_ condition: StepCondition, _ others: StepCondition...) -> StepCondition {
    StepCondition(condition: .any(([condition] + others).map(\.condition)))
  }

  /// Holds if a condition does not hold.
  public static func not(_ condition: StepCondition) -> StepCondition {
    switch condition.condition {
    case .firstLaunch(let wanted): StepCondition(condition: .firstLaunch(!wanted))
    case let other: StepCondition(condition: .not(other))
    }
  }

  /// The condition as text for people, for example `environment CI=1`.
  public var description: String { condition.description }
}

extension LaunchCondition {
  /// The mistakes in the values of the condition, as messages.
  var mistakes: [String] {
    switch self {
    case .environment(let name, _):
      name.isEmpty ? ["\"environment\" must not be empty"] : []
    case .all(let parts), .any(let parts): parts.flatMap(\.mistakes)
    case .not(let part): part.mistakes
    case .platform, .launch, .firstLaunch: []
    }
  }
}
