package import AppBoot

extension LaunchReason {
  /// True if the app starts without being visible.
  package var isOutOfSight: Bool {
    switch self {
    case .background, .prewarm: true
    case .normal, .url, .activity, .quickAction, .notification: false
    }
  }
}
