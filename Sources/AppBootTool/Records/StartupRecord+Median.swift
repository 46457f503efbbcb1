import AppBoot

extension [StartupRecord] {
  /// The record with the median duration; `nil` without records. Of two middle records it is the faster one.
  var median: StartupRecord? {
    guard !isEmpty else { return nil }
    let order = indices.sorted { (self[$0].elapsedTime, $0) < (self[$1].elapsedTime, $1) }
    return self[order[(count - 1) / 2]]
  }
}
