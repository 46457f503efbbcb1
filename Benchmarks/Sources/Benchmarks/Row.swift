import Foundation

/// A row of the table: the same work, done by AppBoot and by another program.
struct Row {
  /// The name under which `thresholds.json` holds the row.
  let id: String
  let work: String
  let ours: String
  let theirs: String
  let ratio: Double
}

/// The goal and the limit of a row's ratio.
struct Threshold: Decodable {
  /// The project's goal; `nil` for a row that only informs.
  let goal: Double?
  /// The limit for CI; loose, so that a busy machine fails nothing.
  let limit: Double?

  /// Reads `thresholds.json` in the package's folder.
  static func all() throws -> [String: Threshold] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("thresholds.json")
    return try JSONDecoder().decode([String: Threshold].self, from: Data(contentsOf: file))
  }
}
