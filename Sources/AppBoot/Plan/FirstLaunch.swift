/// A marker in the state store. It shows that an earlier launch has succeeded.
package enum FirstLaunch {
  static let name = "launches"

  /// Returns whether no earlier launch of a manifest with this state has succeeded.
  package static func isFirst(in state: any StateStore, of manifest: String? = nil) -> Bool {
    ((try? state.read(ManifestScope.name(Self.name, of: manifest))) ?? nil) == nil
  }

  /// Stores the marker, unless an earlier launch has stored it, or the plan handles an event. Call it after a launch
  /// that succeeded.
  static func markSucceeded(_ plan: StartupPlan) throws {
    let name = ManifestScope.name(Self.name, of: plan.outline.manifestName)
    let environment = plan.environment
    guard environment.isFirstLaunch, !environment.handlesEvent else { return }
    if try environment.state.read(name) == nil { try environment.state.write(name, Array("1\n".utf8)) }
  }
}
