import AppBoot
import AppBootReports
import AppBootSystem
import Testing

/// Writes every sample in every format into the directory in `APPBOOT_REPORT_SAMPLES`, for `Tests/Readers`.
@Suite(
  "Sample files",
  .enabled(if: ProcessEnvironment.value(of: "APPBOOT_REPORT_SAMPLES")?.isEmpty == false))
struct SampleFiles {
  @Test("The files of a sample are written", arguments: ReportSample.allCases)
  func write(sample: ReportSample) throws {
    let directory = try #require(ProcessEnvironment.value(of: "APPBOOT_REPORT_SAMPLES"))
    let record = try sample.record
    for format in ReportFormat.allCases {
      let path = "\(directory)/\(sample.rawValue).\(format.rawValue)"
      try FileSystem.writeFile(atomically: Array(format.render(record).utf8), to: path)
    }
  }
}
