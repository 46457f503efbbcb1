/// The facts about the running processes of a launch, by step.
package struct RunningProcesses: Sendable {
  /// The steps whose process was asked to stop and has not exited. Each occupies its slot until then.
  package var stopping: [Int]
  /// The output of each process after its last complete line, by step.
  package var unfinishedLines: [Int: String]
  /// For each step whose process cannot start yet, the system limit that prevents it.
  package var delays: [Int: String]

  package init(
    stopping: [Int] = [], unfinishedLines: [Int: String] = [:], delays: [Int: String] = [:]
  ) {
    self.stopping = stopping
    self.unfinishedLines = unfinishedLines
    self.delays = delays
  }
}
