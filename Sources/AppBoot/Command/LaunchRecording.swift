/// A command that records launches in the state. The conditions `launchCount` and `upgrade` need it.
package protocol LaunchRecording: Command {
  /// Returns the facts about recorded launches for the plan of this launch. Reads the state, and does not change it.
  ///
  /// - Throws: An error if the state cannot be read.
  func recordedLaunches(in environment: LaunchEnvironment) throws -> RecordedLaunches
}
