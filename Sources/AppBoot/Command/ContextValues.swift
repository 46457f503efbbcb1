import AppBootBase

/// The context values of a launch, or of a scene of that launch.
///
/// If a scene and its launch have a value with the same name, the scene finds its own. Otherwise it finds the launch's.
package final class ContextValues: Sendable {
  private let own = Lock<[String: any Sendable]>([:])
  private let below: ContextValues?
  private let launch = Lock<String?>(nil)

  package init(above below: ContextValues? = nil) { self.below = below }

  package subscript(name: String) -> (any Sendable)? { own.withLock { $0[name] } ?? below?[name] }

  /// Stores a value. The previous value is released without the lock, because its `deinit` is user code.
  package func provide(_ value: any Sendable, as name: String) {
    _ = own.withLock { $0.updateValue(value, forKey: name) }
  }

  /// Returns the id of the launch. The first call makes it; all event handlers of the launch use the same id.
  func launchID(_ make: () -> String) -> String {
    if let below { return below.launchID(make) }
    return launch.withLock { id in
      let known = id ?? make()
      id = known
      return known
    }
  }

  /// All values by name, including those of the launch.
  package var all: [String: any Sendable] {
    let values = own.withLock { $0 }
    guard let below else { return values }
    return below.all.merging(values) { _, own in own }
  }
}
