import AppBootSystem

/// The context values of a launch, or the values of a scene above those of its launch.
///
/// A scene's value hides the launch's value of the same name. The launch has the values that the scene lacks.
package final class ContextValues: Sendable {
  private let own = Lock<[String: any Sendable]>([:])
  private let below: ContextValues?
  private let launch = Lock<String?>(nil)

  package init(above below: ContextValues? = nil) { self.below = below }

  package subscript(name: String) -> (any Sendable)? { own.withLock { $0[name] } ?? below?[name] }

  /// Stores a value. Releases the previous one outside of the lock, because its `deinit` is user code.
  package func provide(_ value: any Sendable, as name: String) {
    _ = own.withLock { $0.updateValue(value, forKey: name) }
  }

  /// Returns the id of the launch, which its event handlers share; the first run of the launch makes it.
  func launchID(_ make: () -> String) -> String {
    if let below { return below.launchID(make) }
    return launch.withLock { id in
      let known = id ?? make()
      id = known
      return known
    }
  }

  /// Every value by name.
  package var all: [String: any Sendable] {
    let values = own.withLock { $0 }
    guard let below else { return values }
    return below.all.merging(values) { _, own in own }
  }
}
