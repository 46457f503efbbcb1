#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootLifecycle
import UIKit
import UserNotifications

extension UserActivity {
  init(_ activity: NSUserActivity) {
    self.init(
      type: activity.activityType, url: activity.webpageURL?.absoluteString, title: activity.title,
      userInfo: JSONPayload.text(unlessEmpty: activity.userInfo))
  }
}

extension NSUserActivity {
  convenience init(_ activity: UserActivity) {
    self.init(activityType: activity.type)
    title = activity.title
    // Foundation raises an exception for any other scheme.
    if let url = activity.url, url.hasPrefix("http") { webpageURL = URL(string: url) }
    userInfo = activity.userInfo.map(JSONPayload.object)
  }
}

extension OpenURLOptions {
  @MainActor
  init(_ options: UIScene.OpenURLOptions) {
    self.init(
      sourceApplication: options.sourceApplication, opensInPlace: options.openInPlace,
      annotation: options.annotation.flatMap(JSONPayload.fragment))
  }

  init(_ options: [UIApplication.OpenURLOptionsKey: Any]) {
    self.init(
      sourceApplication: options[.sourceApplication] as? String,
      opensInPlace: options[.openInPlace] as? Bool ?? false,
      annotation: options[.annotation].flatMap(JSONPayload.fragment))
  }
}

#if !os(tvOS)
extension UIInterfaceOrientationMask {
  init(_ orientations: InterfaceOrientations) {
    self = []
    if orientations.contains(.portrait) { insert(.portrait) }
    if orientations.contains(.portraitUpsideDown) { insert(.portraitUpsideDown) }
    if orientations.contains(.landscapeLeft) { insert(.landscapeLeft) }
    if orientations.contains(.landscapeRight) { insert(.landscapeRight) }
  }
}

extension InterfaceOrientations {
  init(_ mask: UIInterfaceOrientationMask) {
    self = []
    if mask.contains(.portrait) { insert(.portrait) }
    if mask.contains(.portraitUpsideDown) { insert(.portraitUpsideDown) }
    if mask.contains(.landscapeLeft) { insert(.landscapeLeft) }
    if mask.contains(.landscapeRight) { insert(.landscapeRight) }
  }
}
#endif

extension FetchResult {
  init(_ result: UIBackgroundFetchResult) {
    switch result {
    case .newData: self = .newData
    case .failed: self = .failed
    case .noData: self = .noData
    @unknown default: self = .noData
    }
  }
}

extension PresentationOptions {
  init(_ options: UNNotificationPresentationOptions) {
    self = []
    if options.contains(.banner) { insert(.banner) }
    if options.contains(.list) { insert(.list) }
    if options.contains(.sound) { insert(.sound) }
    if options.contains(.badge) { insert(.badge) }
  }
}

extension UIBackgroundFetchResult {
  init(_ answer: LifecycleAnswer) {
    switch answer {
    case .fetch(.newData): self = .newData
    case .fetch(.failed): self = .failed
    case .fetch(.noData), .acknowledged, .bool, .presentation: self = .noData
    }
  }
}

extension UNNotificationPresentationOptions {
  init(_ answer: LifecycleAnswer) {
    self = []
    guard case .presentation(let options) = answer else { return }
    if options.contains(.banner) { insert(.banner) }
    if options.contains(.list) { insert(.list) }
    if options.contains(.sound) { insert(.sound) }
    if options.contains(.badge) { insert(.badge) }
  }
}

extension LifecycleAnswer {
  /// The answer as a Boolean; false if the answer is of another kind.
  var bool: Bool {
    switch self {
    case .bool(let flag): flag
    case .acknowledged, .fetch, .presentation: false
    }
  }
}
#endif
