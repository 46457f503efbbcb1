import AppBootBase

/// A reader of the environment files of a plan. It reads the file of each path only once.
struct EnvironmentFileReader {
  /// The maximum size of an environment file, in bytes.
  private static let limit = 1 << 20

  /// The paths of the files that may be missing, and are.
  private(set) var missing: [String] = []
  private var files: [(path: String, file: Result<EnvironmentFile, SystemError>)] = []

  /// Returns the variables of a file. If its path ends with `?`, the file may be missing.
  ///
  /// - Parameters:
  ///   - key: The key of the path, for the mistakes.
  ///   - manifest: The path of the manifest; empty for a plan in code, whose paths are relative to the working
  ///     directory.
  ///   - range: The place for the mistakes.
  mutating func variables(
    of text: String, named key: String, beside manifest: String, at range: SourceRange,
    _ problems: inout Diagnostics
  ) -> [String: String] {
    let isOptional = text.hasSuffix("?")
    let path = isOptional ? String(text.dropLast()) : text
    guard !path.isEmpty else {
      problems.append(.error("\"\(key)\" must name a file before the \"?\"", at: range))
      return [:]
    }
    switch file(at: FileSystem.path(path, beside: manifest)) {
    case .success(let file):
      for problem in file.problems {
        problems.append(
          .error("\"\(path.excerpt)\", line \(problem.line): \(problem.text)", at: range))
      }
      return file.variables
    case .failure(let error):
      if isOptional, error.isNotFound {
        if !missing.contains(path) { missing.append(path) }
        return [:]
      }
      let help = "create it, or write \"\(path.excerpt)?\" if it may be missing"
      problems.append(
        .error(
          "\"\(path.excerpt)\" cannot be read: \(error.reason)", at: range,
          help: error.isNotFound ? help : nil))
      return [:]
    }
  }

  private mutating func file(at path: String) -> Result<EnvironmentFile, SystemError> {
    if let known = files.first(where: { $0.path == path }) { return known.file }
    let file = Result { () throws(SystemError) in
      EnvironmentFile(parsing: try FileSystem.readFile(path, limit: Self.limit, waitsForPipe: false))
    }
    files.append((path, file))
    return file
  }
}

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
