import AppBoot
import AppBootReports
import AppBootSystem

/// What a check is asked for: what to launch, how often, what to hold it to, and what to write.
struct CheckRequest {
  let launch: LaunchRequest
  /// The options of `run` that a launch in a process of its own gets.
  let runArguments: [String]
  /// The manifest's text where it came by standard input.
  let input: [UInt8]?
  let runs: Int
  /// How many launches there may be, where the comparison with the baseline needs more.
  let limit: Int
  /// The launches of the baseline, by the file that they were written to together.
  let baseline: [[StartupRecord]]?
  let gate: SlowdownGate.Options
  let files: CheckFiles

  init(_ arguments: ParsedArguments, _ files: CheckFiles, _ tool: ToolContext) throws {
    launch = try LaunchRequest(arguments)
    input = launch.manifest == "-" ? try FileSystem.readStandardInput() : nil
    runs = arguments.count(CheckOptions.runs) ?? 5
    limit = max(runs, arguments.count(CheckOptions.maxRuns) ?? runs * 8)
    var gate = SlowdownGate.Options()
    if let text = arguments.text(CheckOptions.maxSlowdown) {
      guard let part = Percentage.parse(text) else {
        throw UsageError.notAPercentage(option: CheckOptions.maxSlowdown.spelling, value: text)
      }
      gate.maximumSlowdown = part
    }
    self.gate = gate
    self.files = files
    baseline = try arguments.text(CheckOptions.baseline).map { path in
      try RecordSets.sessions(path) { tool.warn($0, color: arguments.color) }
    }
    runArguments = Self.runArguments(arguments, launch)
  }

  /// The plan, from the text at hand where it came by standard input.
  func plan(_ registry: CommandRegistry, _ state: any StateStore) throws -> StartupPlan {
    guard let input else { return try launch.plan(registry, state: state) }
    let source = SourceText(name: SourceText.standardInput, bytes: input)
    return try launch.plan(try Manifest(parsing: source), registry, state: state)
  }

  private static func runArguments(_ arguments: ParsedArguments, _ launch: LaunchRequest) -> [String] {
    var result: [String] = []
    let passed: [OptionDeclaration] = [.only, .skip, .launch, .url, .jobs, .timeout, .state, .noState]
    for option in passed {
      for value in arguments.values[option.name] ?? [] {
        result.append(option.placeholder == nil ? option.spelling : "\(option.spelling)=\(value)")
      }
    }
    return result + ["--", launch.manifest]
  }
}

/// The files that a check writes beside its verdict.
struct CheckFiles {
  let record: ResultFile?
  let junit: ResultFile?
  let markdown: ResultFile?
  let html: ResultFile?

  init(_ arguments: ParsedArguments) throws(SystemError) {
    record = try ResultFile(CheckOptions.record, of: arguments)
    junit = try ResultFile(CheckOptions.junit, of: arguments)
    markdown = try ResultFile(CheckOptions.markdown, of: arguments)
    html = try ResultFile(CheckOptions.html, of: arguments)
  }

  /// Refuses options that name one file, or one that is read. A record may take the place of its baseline.
  func checkApart(manifest: String, baseline: String?) throws(UsageError) {
    let reports = [
      (CheckOptions.junit, junit), (CheckOptions.markdown, markdown), (CheckOptions.html, html),
    ]
    try ResultFile.checkApart(
      [(CheckOptions.record, record)] + reports, from: [(manifest, "the manifest")])
    if let baseline { try ResultFile.checkApart(reports, from: [(baseline, "--baseline")]) }
  }

  /// Writes what was asked for, each whatever becomes of the others; the answer is what went wrong.
  func write(_ report: CheckReport) -> [SystemError] {
    ResultFile.write([
      (record, { report.recordLines }), (junit, { report.junit }), (markdown, { report.markdown }),
      (html, { report.html }),
    ])
  }

  /// Writes why there was no launch; the records that there are stay as they are.
  func write(_ failure: CheckFailureReport) -> [SystemError] {
    ResultFile.write([
      (junit, { failure.junit }), (markdown, { failure.markdown }), (html, { failure.html }),
    ])
  }
}

/// Parts of a whole as people write them: `10%`, `2.5%`.
enum Percentage {
  /// The part, such as 0.1; `nil` where the text is none, or not between 0 and 1000 %.
  static func parse(_ text: String) -> Double? {
    guard text.hasSuffix("%") else { return nil }
    let digits = text.dropLast()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(digits),
      value <= 1000
    else { return nil }
    return value / 100
  }
}
