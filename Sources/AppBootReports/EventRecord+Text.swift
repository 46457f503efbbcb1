package import AppBoot

extension EventRecord {
  /// The event's name and scene, for example `sceneWillConnect in main`.
  package var name: String { Self.name(event, in: scene) }

  /// Returns an event's name, with its scene if it has one.
  package static func name(_ event: String, in scene: String?) -> String {
    scene.map { "\(event) in \($0)" } ?? event
  }

  /// True if the event's handlers have ended without success.
  var hasFailed: Bool { record.outcome != .running && !record.succeeded }

  /// Returns a sentence about handlers that had not ended when the record ended; `nil` if they had.
  ///
  /// For example: `openURL was still running in route`.
  ///
  /// - Parameter mark: A function that returns a name in the report's markup.
  func interruption(_ mark: (String) -> String) -> String? {
    guard record.outcome == .running else { return nil }
    let steps = record.filter { $0.state == .running }.map(\.id)
    return "\(mark(name)) was still running\(steps.isEmpty ? "" : " in \(steps.firstThree(mark))")"
  }
}

extension StartupRecord {
  /// Returns a sentence about the events whose handlers failed or did not end; `nil` if there are none.
  ///
  /// For example: `openURL and didBecomeActive failed, and didReceiveReload was still running in slow`.
  ///
  /// - Parameter mark: A function that returns a name in the report's markup.
  func failedEvents(_ mark: (String) -> String) -> String? {
    var failed: [String] = []
    for event in events where event.hasFailed && !failed.contains(event.name) { failed.append(event.name) }
    var words = failed.isEmpty ? [] : ["\(failed.firstThree(mark)) failed"]
    let interruptions = events.compactMap { $0.interruption(mark) }
    if !interruptions.isEmpty { words.append(interruptions.firstThree { $0 }) }
    return words.isEmpty ? nil : words.joined(separator: ", and ")
  }
}

extension [String] {
  /// Returns the first three texts as a list: `a`, `a and b`, or `a, b, c and 2 more`.
  fileprivate func firstThree(_ mark: (String) -> String) -> String {
    map(mark).listed(atMost: 3, separator: count > 3 ? ", " : " and ")
  }
}
