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
  /// - Throws: ``UsageError`` for options that contradict each other, ``BaseUnavailable`` if a file is missing.
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
        throw BaseUnavailable(path: program, isProgram: true)
      }
      self.program = resolved
    } else {
      self.program = program
    }
    guard let path, FileSystem.isDirectory(path) else {
      if let path, !FileSystem.exists(path) { throw BaseUnavailable(path: path) }
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
      throw BaseUnavailable(path: FileSystem.join(path, name))
    }
    self.manifest = name
    directory = path
  }
}

/// An error that reports that the base of `--against` or its executable does not exist.
struct BaseUnavailable: ReportableError {
  let path: String
  var isProgram = false

  var message: String { "the base \"\(path)\" does not exist" }

  func help(tool: String) -> String? {
    isProgram
      ? "--against-program needs an executable, for example a build of the base branch"
      : "--against needs a manifest, or a directory with the same manifest; for a commit: "
        + "git worktree add ../base COMMIT"
  }
}

/// An error that reports that the base of `--against` does not boot, so that nothing can be compared.
struct BaseCannotBoot: ReportableError {
  let base: CheckBase
  let reason: String

  var message: String {
    "there is nothing to compare with, because the base \(base.name) does not boot: \(reason)"
  }

  func help(tool: String) -> String? {
    let option = base.program == nil ? CheckOptions.against : CheckOptions.againstProgram
    return "repair the base, or check without \(option.spelling); "
      + "--only and --skip must name steps that the base has, too"
  }

  /// Creates the error for a base's launch that did not succeed; `nil` if it succeeded.
  init?(_ base: CheckBase, _ end: LaunchEnd) {
    switch end {
    case .interrupted: return nil
    case .recorded(let record):
      guard !record.succeeded else { return nil }
      let cause = record.failures.first?.state.failure.map { ": \($0.message)" } ?? ""
      reason = TextReport(style: TextStyle()).verdict(of: record) + cause
    case .crashed(let record, let crash): reason = crash.message(record.lastRunning)
    }
    self.base = base
  }

  init(_ base: CheckBase, _ failure: LaunchFailure) { (self.base, reason) = (base, failure.message) }
}
