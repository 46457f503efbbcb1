package import AppBoot

extension StepExecution {
  /// Creates the execution of a step that succeeded at the first attempt, and started as soon as it was ready.
  package init(succeededFrom start: Int64, to end: Int64) {
    self.init()
    state = .succeeded
    readyTime = start
    startTime = start
    endTime = end
  }
}
