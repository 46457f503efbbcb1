/// A command that records launches in the state, for the conditions `launchCount` and `upgrade`.
package protocol LaunchRecording: Command {
  /// Returns the facts with which this launch is planned. Reads the state, and changes nothing.
  ///
  /// - Throws: An error if the state cannot be read.
  func recordedLaunches(in environment: LaunchEnvironment) throws -> RecordedLaunches
}
