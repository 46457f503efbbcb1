import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The base of `check --against`: another manifest, a directory with the same manifest, or another executable.
struct CheckBase {
  /// The path of the base's manifest, as the base's process sees it.
  let manifest: String
  /// The directory in which the base's process runs; `nil` for that of the check.
  let directory: String?
  /// The base's executable; `nil` for that of the check.
  let program: String?

  /// The base for messages, for example `main/commands.json with ./appboot-main`.
  var name: String {
    let path = directory.map { FileSystem.join($0, manifest) } ?? manifest
    return "\"\(path)\"" + (program.map { " with \"\($0)\"" } ?? "")
  }

  /// Returns the base that the options select; `nil` without one.
  ///
  /// - Throws: ``UsageError`` for options that contradict each other, ``ToolError`` if a file is missing.
  init?(_ arguments: ParsedArguments) throws {
    let path = arguments.text(CheckOptions.against)
    let program = arguments.text(CheckOptions.againstProgram)
    guard path != nil || program != nil else { return nil }
    if arguments.isSet(CheckOptions.baseline) {
      let option = path == nil ? CheckOptions.againstProgram : CheckOptions.against
      throw UsageError.conflict(option.spelling, CheckOptions.baseline.spelling)
    }
    let manifest = arguments.manifest()
    if let program, program.utf8.contains(UInt8(ascii: "/")) {
      guard let resolved = FileSystem.resolve(program) else {
        throw Self.missing(
          program, "--against-program needs an executable, for example a build of the base branch")
      }
      self.program = resolved
    } else {
      self.program = program
    }
    guard let path, FileSystem.isDirectory(path) else {
      if let path, !FileSystem.exists(path) { throw Self.missing(path) }
      self.manifest = path ?? manifest
      directory = nil
      return
    }
    guard manifest != "-", !manifest.hasPrefix("/") else {
      throw UsageError.conflict(
        "\(CheckOptions.against.spelling) with a directory", "the manifest \(manifest)")
    }
    let name = arguments.operands.isEmpty ? ParsedArguments.defaultManifest(in: path) : manifest
    guard FileSystem.exists(FileSystem.join(path, name)) else {
      throw Self.missing(FileSystem.join(path, name))
    }
    self.manifest = name
    directory = path
  }

  private static func missing(
    _ path: String,
    _ help: String = "--against needs a manifest, or a directory with the same manifest; for a commit: "
      + "git worktree add ../base COMMIT"
  ) -> ToolError {
    ToolError("the base \"\(path)\" does not exist", help: help)
  }

  /// Runs a launch of the base, and returns its record.
  ///
  /// - Throws: ``ToolError`` if it does not succeed, so that nothing can be compared; ``Interruption``.
  func record(of launch: ColdLaunch) throws -> StartupRecord {
    let reason: String
    do {
      let (record, crash) = try launch.run()
      if record.succeeded { return record }
      let cause = record.failures.first?.state.failure.map { ": \($0.message)" } ?? ""
      reason = crash?.message(record.lastRunning) ?? TextReport().verdict(of: record) + cause
    } catch let failure as LaunchFailure {
      reason = failure.message
    }
    let option = program == nil ? CheckOptions.against : CheckOptions.againstProgram
    throw ToolError(
      "there is nothing to compare with, because the base \(name) does not boot: \(reason)",
      help: "repair the base, or check without \(option.spelling); "
        + "--only and --skip must name steps that the base has, too")
  }
}
