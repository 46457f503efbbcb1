package import AppBoot

extension EventRecord {
  /// The event, and the scene that it was for.
  package var name: String { Self.name(event, in: scene) }

  /// The same of a list that has no record yet.
  package static func name(_ event: String, in scene: String?) -> String {
    scene.map { "\(event) in \($0)" } ?? event
  }

  /// The steps that ran when the record ends.
  package var runningSteps: [String] { record.filter { $0.state == .running }.map(\.id) }

  /// Whether its list ended and did not do what it should.
  var hasFailed: Bool { record.outcome != .running && !record.succeeded }

  /// That its list was under way when the record ends: `openURL was under way in route`; `nil` where it had ended.
  ///
  /// - Parameter mark: How a name is written.
  func interruption(_ mark: (String) -> String) -> String? {
    guard record.outcome == .running else { return nil }
    let steps = runningSteps
    return "\(mark(name)) was under way\(steps.isEmpty ? "" : " in \(steps.firstThree(mark))")"
  }
}

extension StartupRecord {
  /// The lists of events that did not do what they should, in words: `openURL and didBecomeActive failed, and
  /// didReceiveReload was under way in slow`; `nil` for none.
  ///
  /// - Parameter mark: How a name is written.
  func failedLists(_ mark: (String) -> String) -> String? {
    var failed: [String] = []
    for event in events where event.hasFailed && !failed.contains(event.name) { failed.append(event.name) }
    var words = failed.isEmpty ? [] : ["\(failed.firstThree(mark)) failed"]
    let interruptions = events.compactMap { $0.interruption(mark) }
    if !interruptions.isEmpty { words.append(interruptions.firstThree { $0 }) }
    return words.isEmpty ? nil : words.joined(separator: ", and ")
  }
}

extension [String] {
  /// `a`, `a and b`, or `a, b, c and 2 more`.
  fileprivate func firstThree(_ mark: (String) -> String) -> String {
    let more = count > 3 ? " and \(count - 3) more" : ""
    return prefix(3).map(mark).joined(separator: more.isEmpty ? " and " : ", ") + more
  }
}
