import AppBoot
import AppBootRecords
import AppBootTestSupport
import Testing

@testable import AppBootReports

@Suite("Records with damaged numbers", .ownThread)
struct DamagedRecordTests {
  /// Puts other numbers in place of some of a text's.
  private func tampered(_ text: String, _ random: inout some RandomNumberGenerator) -> String {
    let numbers = [
      "0", "1", "7", "41000000", "315576000000000000", "9223372036854775807", "-1", "1e3", "2.5",
    ]
    var result = ""
    var digits = ""
    for character in text + " " {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      if !digits.isEmpty {
        result +=
          Int.random(in: 0..<30, using: &random) == 0 ? numbers.randomElement(using: &random) ?? "" : digits
        digits = ""
      }
      result.append(character)
    }
    return result
  }

  @Test(
    "A damaged record is rejected, or shown in every format",
    arguments: [ReportSample.failed, .ten, .running])
  func tampering(sample: ReportSample) throws {
    let text = try sample.record.json(pretty: false)
    var random = SeededGenerator(seed: 7)
    var shown = 0
    for _ in 0..<40 {
      let source = SourceText(name: "x", text: tampered(text, &random))
      guard let record = try? LaunchRecord(json: source) else { continue }
      shown += 1
      for format in ReportFormat.allCases { _ = format.render(record) }
    }
    #expect(shown > 0)
  }
}
