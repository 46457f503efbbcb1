/// The options of `check` only.
enum CheckOptions {
  static let runs = OptionDeclaration(
    "runs", .count("N"), "How many launches count; 10 or more with a baseline. Default: 5.")
  static let baseline = OptionDeclaration(
    "baseline", .file("RECORDS"), "Fail where it is slower than these records: a file or a directory.")
  static let maxSlowdown = OptionDeclaration(
    "max-slowdown", .text("PERCENT"), "How much slower than the baseline is allowed. Default: 10%.")
  static let maxRuns = OptionDeclaration(
    "max-runs", .count("N"),
    "How many launches there may be to be sure of a slow-down. Default: 8 times --runs.")
  static let record = OptionDeclaration(
    "record", .file("FILE"), "Write the records of the launches, one a line.")
  static let junit = OptionDeclaration("junit", .file("FILE"), "Write JUnit XML.")
  static let markdown = OptionDeclaration("markdown", .file("FILE"), "Write Markdown.")
  static let html = OptionDeclaration(
    "html", .file("FILE"), "Write a page with the launch of the median time.")
}
