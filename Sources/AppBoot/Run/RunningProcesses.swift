/// The running processes of a launch, by step.
package struct RunningProcesses: Sendable {
  /// The steps whose process is stopping and has not exited; each keeps its slot until it has.
  package var stopping: [Int]
  /// The output of each process since its last complete line.
  package var unfinishedLines: [Int: String]

  package init(stopping: [Int] = [], unfinishedLines: [Int: String] = [:]) {
    self.stopping = stopping
    self.unfinishedLines = unfinishedLines
  }
}
