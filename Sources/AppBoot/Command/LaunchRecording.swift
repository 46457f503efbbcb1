/// A command that records launches in the state, for the conditions `launchCount` and `upgrade`.
package protocol LaunchRecording: Command {
  /// Returns the facts that this launch is planned with. Only reads the state.
  ///
  /// - Throws: An error if the state cannot be read.
  func recordedLaunches(in environment: LaunchEnvironment) throws -> RecordedLaunches
}
