/// What comes back from an event that is a question.
public enum LifecycleAnswer: Sendable, Hashable, CustomStringConvertible {
  /// The event is no question, or it was only to be acknowledged.
  case acknowledged
  /// Yes or no.
  case bool(Bool)
  /// What a fetch in the background brought.
  case fetch(FetchResult)
  /// How a notification is shown while the app is in the foreground.
  case presentation(PresentationOptions)

  /// Whether the answer is good news: not `false`, and not a fetch that failed.
  public var isPositive: Bool {
    switch self {
    case .acknowledged, .presentation: true
    case .bool(let flag): flag
    case .fetch(let result): result != .failed
    }
  }

  /// The answer in a word: `acknowledged`, `true`, `newData`, `banner, sound`.
  public var description: String {
    switch self {
    case .acknowledged: "acknowledged"
    case .bool(let flag): "\(flag)"
    case .fetch(let result): result.rawValue
    case .presentation(let options): options.description
    }
  }
}

/// What a fetch in the background brought.
public enum FetchResult: String, Sendable, Hashable, CaseIterable {
  /// Something new.
  case newData
  /// Nothing new.
  case noData
  /// It did not work.
  case failed
}

/// How a notification is shown while the app is in the foreground.
public struct PresentationOptions: OptionSet, Sendable, Hashable, CustomStringConvertible {
  /// One bit for each.
  public let rawValue: UInt8

  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// As a banner.
  public static let banner = PresentationOptions(rawValue: 1)
  /// In the list of notifications.
  public static let list = PresentationOptions(rawValue: 2)
  /// With a sound.
  public static let sound = PresentationOptions(rawValue: 4)
  /// By the app's badge.
  public static let badge = PresentationOptions(rawValue: 8)

  /// The options' names.
  public var names: [String] {
    let names: [(PresentationOptions, String)] = [
      (.banner, "banner"), (.list, "list"), (.sound, "sound"), (.badge, "badge"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }

  /// The options' names, or `nothing`.
  public var description: String { isEmpty ? "nothing" : names.joined(separator: ", ") }
}

/// How the answers of many become one; every part hears, whatever the others answer.
public enum AnswerRule: Sendable, Hashable, CaseIterable {
  /// `true` where all are; without any, `true`.
  case allTrue
  /// `true` where one is; without any, `false`.
  case anyTrue
  /// `newData`, if not then `failed`, if not then `noData`; without any, `noData`.
  case fetch
  /// All options of all; without any, none.
  case union
  /// There is nothing to merge.
  case acknowledge

  /// What the answer is where nobody answers.
  public var neutral: LifecycleAnswer {
    switch self {
    case .allTrue: .bool(true)
    case .anyTrue: .bool(false)
    case .fetch: .fetch(.noData)
    case .union: .presentation([])
    case .acknowledge: .acknowledged
    }
  }

  /// What a part that threw counts as.
  public var failure: LifecycleAnswer {
    switch self {
    case .allTrue, .anyTrue: .bool(false)
    case .fetch: .fetch(.failed)
    case .union, .acknowledge: neutral
    }
  }

  /// Merges two answers; `nil` where the second is none to this question.
  ///
  /// The order does not matter, and neither does the grouping: a tree's answer is that of its leaves.
  func merge(_ merged: LifecycleAnswer, _ answer: LifecycleAnswer) -> LifecycleAnswer? {
    switch (self, merged, answer) {
    case (.allTrue, .bool(let left), .bool(let right)): .bool(left && right)
    case (.anyTrue, .bool(let left), .bool(let right)): .bool(left || right)
    case (.fetch, .fetch(let left), .fetch(let right)): .fetch(left.weight >= right.weight ? left : right)
    case (.union, .presentation(let left), .presentation(let right)): .presentation(left.union(right))
    case (.acknowledge, _, .acknowledged): .acknowledged
    case (.allTrue, _, _), (.anyTrue, _, _), (.fetch, _, _), (.union, _, _), (.acknowledge, _, _): nil
    }
  }
}

extension FetchResult {
  fileprivate var weight: Int {
    switch self {
    case .noData: 0
    case .failed: 1
    case .newData: 2
    }
  }
}

extension LifecycleEvent {
  /// How the answers to the event become one.
  public var answerRule: AnswerRule {
    switch self {
    case .didFinishLaunching: .allTrue
    case .openURL, .continueActivity, .performQuickAction: .anyTrue
    case .didReceiveRemoteNotification: .fetch
    case .willPresentNotification: .union
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications, .didReceiveNotificationResponse, .significantTimeChange,
      .didReceiveMemoryWarning, .sceneWillConnect, .sceneDidDisconnect, .sceneWillEnterForeground,
      .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground, .custom:
      .acknowledge
    }
  }
}
