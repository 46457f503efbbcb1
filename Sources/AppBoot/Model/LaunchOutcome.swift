/// The result of a launch.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LaunchOutcome: Sendable, Hashable {
  /// The launch has not ended.
  case running
  /// Every step succeeded, was skipped for a recorded reason, or failed with the policy `continue`.
  case succeeded
  /// A step failed whose policy is not `continue`. The value is the step's index in the plan.
  case failed(step: Int)
  /// The launch timed out.
  case timedOut
  /// The launch was cancelled. The text is the cause.
  case cancelled(String)

  /// The outcomes without their data. The raw values are the names in records.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case running, succeeded, failed, timedOut, cancelled
  }

  /// The outcome without its data.
  package var kind: Kind {
    switch self {
    case .running: .running
    case .succeeded: .succeeded
    case .failed: .failed
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    }
  }

  /// The outcome's name in records.
  public var name: String { kind.rawValue }
}

/// A reason why a step was cancelled.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CancelReason: Sendable, Hashable {
  /// The launch was cancelled, for example by `cancel(_:)` or a signal. The text is the cause.
  case requested(String)
  /// The launch timed out.
  case deadline
  /// The command cancelled itself by throwing `CancellationError`.
  case selfCancelled
}

extension CancelReason {
  /// The name of the reason in records.
  public var name: String {
    switch self {
    case .requested: "requested"
    case .deadline: "deadline"
    case .selfCancelled: "selfCancelled"
    }
  }
}

/// The safe mode of a launch: the steps that it skips after crashes, and the reason.
package struct SafeMode: Sendable, Hashable {
  /// The extent of the steps that safe mode skips.
  package enum Level: String, Sendable, Hashable, CaseIterable {
    /// The steps that were running when the last launches crashed.
    case culprits
    /// The steps of `culprits`, and all optional steps after them.
    case followers
  }

  /// The ids of the steps that were running when the last launches crashed.
  ///
  /// There can be several, for example if steps ran in parallel.
  package var culprits: [String]
  /// The extent of the steps that are skipped.
  package var level: Level
  /// The reason for safe mode, as text.
  package var reason: String

  /// Creates a safe mode.
  package init(culprits: [String], level: Level = .culprits, reason: String) {
    self.culprits = culprits
    self.level = level
    self.reason = reason
  }

  /// The safe mode that a user requested. It has no culprits.
  package static var requested: SafeMode { SafeMode(culprits: [], reason: "requested") }
}

/// A reason why the app was launched, as the platforms distinguish them.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LaunchReason: String, Sendable, Hashable, CaseIterable {
  /// The user started the app.
  case normal
  /// Another app asked the app to open a URL.
  case url
  /// The app continues an activity (a universal link, Handoff).
  case activity
  /// The user chose a quick action.
  case quickAction
  /// The user responded to a notification.
  case notification
  /// The system started the app in the background.
  case background
  /// The system started the app before the user needs it.
  case prewarm
}

/// The reason why the app was launched, and the data that came with it.
public struct LaunchOptions: Sendable, Hashable {
  /// The reason why the app was launched.
  public var reason: LaunchReason
  /// The URL to open; `nil` if there is none.
  public var url: String?
  /// The data that came with the launch, as JSON or plain text; `nil` if there is none.
  ///
  /// It is for example a notification's payload or an activity.
  public var payload: String?

  /// Creates launch options. Without a reason, the reason is ``LaunchReason/url`` if there is a URL, and otherwise
  /// ``LaunchReason/normal``.
  public init(reason: LaunchReason? = nil, url: String? = nil, payload: String? = nil) {
    self.reason = reason ?? (url == nil ? .normal : .url)
    self.url = url
    self.payload = payload
  }
}

/// A label of a launch: a name and a value that the user or the CI server chose, for example `branch` and `main`.
package struct LaunchLabel: Sendable, Hashable {
  /// The label's name.
  package let name: String
  /// The label's value.
  package let value: String

  /// Creates a label.
  package init(_ name: String, _ value: String) {
    (self.name, self.value) = (name, value)
  }
}
