import AppBoot
import AppBootRecords
import Foundation

/// Returns a line for each step that failed in a recorded launch.
func failures(inRecordAt path: String) throws -> [String] {
  let record = try LaunchRecord(json: String(contentsOfFile: path, encoding: .utf8))
  return record.compactMap { step in
    step.state.failure.map { "\(step.id): \($0.message)" }
  }
}
