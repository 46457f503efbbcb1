import Foundation

/// One line of the table: the same work done by AppBoot and by something else.
struct Row {
  /// The name under which `thresholds.json` holds the row.
  let id: String
  let work: String
  let ours: String
  let theirs: String
  let ratio: Double
}

/// What a row's ratio is held to.
struct Threshold: Decodable {
  /// What the project aims for; `nil` for a row that only informs.
  let goal: Double?
  /// What continuous integration refuses to pass: loose, so that a busy machine fails nothing.
  let limit: Double?

  /// Reads `thresholds.json`, which lies beside the package's manifest.
  static func all() throws -> [String: Threshold] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("thresholds.json")
    return try JSONDecoder().decode([String: Threshold].self, from: Data(contentsOf: file))
  }
}
