import AppBoot

extension EventRecord {
  /// The event, and the scene that it was for.
  var name: String { scene.map { "\(event) in \($0)" } ?? event }

  /// Whether its list ended and did not do what it should.
  var hasFailed: Bool { record.outcome != .running && !record.succeeded }
}

extension StartupRecord {
  /// The lists of events that failed, each event once, in words: `openURL and didBecomeActive failed`; `nil` for none.
  ///
  /// - Parameter mark: How a name is written.
  func failedLists(_ mark: (String) -> String) -> String? {
    var names: [String] = []
    for event in events where event.hasFailed && !names.contains(event.name) { names.append(event.name) }
    guard !names.isEmpty else { return nil }
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return names.prefix(3).map(mark).joined(separator: more.isEmpty ? " and " : ", ") + "\(more) failed"
  }
}
