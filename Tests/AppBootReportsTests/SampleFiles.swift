import AppBoot
import AppBootReports
import AppBootSystem
import Testing

/// Writes every sample in every form into the directory that `APPBOOT_REPORT_SAMPLES` names, for
/// `Tests/Readers`: programs of others that read such files.
@Suite(
  "Files for other programs",
  .enabled(if: ProcessEnvironment.value(of: "APPBOOT_REPORT_SAMPLES")?.isEmpty == false))
struct SampleFiles {
  @Test("are written", arguments: ReportSample.allCases)
  func write(sample: ReportSample) throws {
    let directory = try #require(ProcessEnvironment.value(of: "APPBOOT_REPORT_SAMPLES"))
    let record = try sample.record
    for format in ReportFormat.allCases {
      let path = "\(directory)/\(sample.rawValue).\(format.rawValue)"
      try FileSystem.writeFile(atomically: Array(format.render(record).utf8), to: path)
    }
  }
}
