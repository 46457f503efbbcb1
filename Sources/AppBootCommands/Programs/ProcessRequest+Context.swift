import AppBoot
import AppBootSystem

extension ProcessRequest {
  /// Creates a request for a program of a step. The program runs in the manifest's directory, with captured output.
  ///
  /// It gets the variables of the step (``LaunchContext/processVariables``).
  ///
  /// - Parameter variables: Further variables. They replace variables of the step with the same name.
  init(_ arguments: [String], of context: LaunchContext, adding variables: [String: String] = [:]) {
    let directory = context.directory
    self.init(
      arguments, directory: directory == "." ? nil : directory,
      environment: context.processVariables.merging(variables) { $1 }, captureOutput: true)
  }
}
