package import AppBootSystem

extension ProcessRequest {
  /// Creates a request for a program that a step runs: in the manifest's directory, with captured output, and with the
  /// variables that name the step.
  ///
  /// - Parameter variables: Further variables; they replace the step's.
  package init(_ arguments: [String], of context: LaunchContext, adding variables: [String: String] = [:]) {
    let directory = context.directory
    self.init(
      arguments, directory: directory == "." ? nil : directory,
      environment: context.processVariables.merging(variables) { $1 }, captureOutput: true)
  }
}
