/// Processes under way, by step.
package struct RunningProcesses: Sendable {
  /// Those that were told to stop and are not gone yet: each keeps its place until it is.
  package var stopping: [Int]
  /// What each has said since the last line that it ended.
  package var unfinishedLines: [Int: String]

  package init(stopping: [Int] = [], unfinishedLines: [Int: String] = [:]) {
    self.stopping = stopping
    self.unfinishedLines = unfinishedLines
  }
}
