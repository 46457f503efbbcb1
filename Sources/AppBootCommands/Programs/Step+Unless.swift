public import AppBoot

extension Step {
  /// Returns the step with a program that makes it unnecessary by exiting with 0.
  ///
  /// The program runs when the step is about to run.
  public func unless(succeeds program: String, _ arguments: String...) -> Step {
    unless(succeeds: [program] + arguments, startedBy: ProgramCheck.start)
  }
}
