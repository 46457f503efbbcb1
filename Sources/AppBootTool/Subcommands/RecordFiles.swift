import AppBoot
import AppBootReports
import AppBootSystem

/// The files to which a launch's record is written, one for each format that the arguments ask for.
struct RecordFiles: Sendable {
  /// The file for JSON.
  let record: ResultFile?
  /// The file for JUnit XML.
  let junit: ResultFile?

  /// Checks the files of the options before the launch.
  ///
  /// - Throws: `SystemError` if one cannot be written.
  init(_ arguments: ParsedArguments) throws(SystemError) {
    record = try ResultFile(RunSubcommand.record, of: arguments)
    junit = try ResultFile(RunSubcommand.junit, of: arguments)
  }

  var isEmpty: Bool { record == nil && junit == nil }

  /// Writes the files, and returns the errors.
  func write(_ launch: StartupRecord) -> [SystemError] {
    ResultFile.write([
      (record, { launch.json(pretty: true) + "\n" }), (junit, { JUnitReport().text(of: launch) }),
    ])
  }
}
