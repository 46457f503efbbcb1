import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The files to which a launch's record is written, one for each format that the arguments request.
struct RecordFiles: Sendable {
  /// The file for the record's JSON; `nil` if it is not requested.
  let record: ResultFile?
  /// The file for the JUnit XML; `nil` if it is not requested.
  let junit: ResultFile?

  /// Creates the files from the options, and checks before the launch that they can be written.
  ///
  /// - Throws: `SystemError` if a file cannot be written.
  init(_ arguments: ParsedArguments) throws(SystemError) {
    record = try .record(RunSubcommand.record, of: arguments)
    junit = try ResultFile(RunSubcommand.junit, of: arguments)
  }

  var isEmpty: Bool { record == nil && junit == nil }

  /// Writes the files. Returns the errors.
  func write(_ launch: StartupRecord) -> [SystemError] {
    ResultFile.write([
      (record, { launch.json(pretty: true) + "\n" }), (junit, { JUnitReport().text(of: launch) }),
    ])
  }
}
