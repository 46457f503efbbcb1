/// The mark in the state that distinguishes the first launch from later ones.
package enum FirstLaunch {
  static let name = "launches"

  static func isFirst(in state: any StateStore) -> Bool {
    ((try? state.read(name)) ?? nil) == nil
  }

  /// Notes that the launch of a plan booted; where an earlier one had, there is nothing to note.
  package static func markBooted(_ plan: StartupPlan, in state: any StateStore) throws {
    guard plan.environment.isFirstLaunch, try state.read(name) == nil else { return }
    try state.write(name, Array("1\n".utf8))
  }
}
