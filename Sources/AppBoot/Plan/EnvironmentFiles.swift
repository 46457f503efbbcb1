/// The environment files of a plan in code, with one `NAME=VALUE` on each line.
///
/// ```swift
/// EnvironmentFiles(".env", ".env.local?")
/// ```
///
/// They are read when the plan is made. `LaunchContext.environment(_:)`, conditions and the processes of the launch see
/// the variables that the environment does not have. If files have the same variable, the last file counts.
public struct EnvironmentFiles: Sendable {
  let paths: [String]
  let place: CodePlace

  /// Creates the files of all steps. For the files of one step, use ``Step/environment(files:)``.
  ///
  /// - Parameter paths: The paths, relative to the working directory. A file whose path ends with `?` may be missing.
  public init(_ paths: String..., fileID: String = #fileID, line: Int = #line) {
    self.paths = paths
    place = CodePlace(fileID: fileID, line: line)
  }
}
