import AppBoot
import AppBootReports
import AppBootSystem

/// The request for a check from the command line: the launches, their limits, and the files to write.
struct CheckRequest {
  let launch: LaunchRequest
  /// The arguments of `run` for a launch of the check in a new process.
  let runArguments: [String]
  /// The arguments of `run` for a launch of the base.
  let baseArguments: [String]
  /// The base of `--against`; `nil` without it.
  let base: CheckBase?
  /// The bytes of the manifest if it is read from standard input; otherwise `nil`.
  let input: [UInt8]?
  /// The number of launches, unless the comparison needs more.
  let runs: Int
  /// The maximum number of launches for a comparison.
  let limit: Int
  /// The shell command that runs before each launch; `nil` if none does.
  let prepare: String?
  /// The sessions of the baseline (``RecordSets/sessions(_:warn:)``); `nil` without a baseline.
  let baseline: [[StartupRecord]]?
  let options: Comparison.Options
  let files: CheckFiles
  let onFlaky: FlakyPolicy
  /// True if an inconclusive comparison fails the check.
  let requiresBaseline: Bool
  /// True to look for dependencies that the manifest does not declare.
  let shuffles: Bool
  /// True to print nothing but failures.
  let isQuiet: Bool

  init(_ arguments: ParsedArguments, _ files: CheckFiles, _ tool: ToolContext) throws {
    launch = try LaunchRequest(arguments)
    input = launch.manifest == "-" ? try FileSystem.readStandardInput() : nil
    base = try CheckBase(arguments)
    (runs, limit) = try Self.counts(arguments, isPaired: base != nil)
    options = try Comparison.Options(arguments)
    self.files = files
    prepare = arguments.text(CheckOptions.prepare)
    onFlaky = arguments.choice(CheckOptions.onFlaky, as: FlakyPolicy.self) ?? .warn
    shuffles = arguments.isSet(CheckOptions.shuffle)
    let others = [
      CheckOptions.runs, CheckOptions.against, CheckOptions.againstProgram, CheckOptions.baseline, .jobs,
    ]
    if shuffles, let other = others.first(where: arguments.isSet) {
      throw UsageError.conflict(CheckOptions.shuffle.spelling, other.spelling)
    }
    requiresBaseline = arguments.isSet(CheckOptions.requireBaseline)
    isQuiet = arguments.isSet(.quiet)
    if requiresBaseline, base == nil, !arguments.isSet(CheckOptions.baseline) {
      let sources = "\(CheckOptions.baseline.spelling) or \(CheckOptions.against.spelling)"
      throw UsageError.needs(CheckOptions.requireBaseline.spelling, option: sources)
    }
    baseline = try arguments.text(CheckOptions.baseline).map { path in
      try RecordSets.sessions(path) { tool.warn($0) }
    }
    runArguments = Self.runArguments(arguments, launch.manifest, isPaired: base != nil)
    baseArguments = Self.runArguments(arguments, base?.manifest ?? launch.manifest, isPaired: true)
  }

  /// Reads the manifest and returns its plan. If the manifest comes from standard input, its bytes are those of
  /// ``input``.
  func plan(_ registry: CommandRegistry, _ state: any StateStore) throws -> StartupPlan {
    guard let input else { return try launch.plan(registry, state: state) }
    let source = SourceText(name: SourceText.standardInput, bytes: input)
    return try launch.plan(try Manifest(parsing: source), registry, state: state)
  }

  /// Checks that at least one launch of the baseline has a step of the plan.
  ///
  /// - Throws: ``ToolError`` if no launch has one, so that nothing can be compared.
  func checkBaseline(for plan: StartupPlan) throws(ToolError) {
    let records = (baseline ?? []).flatMap(\.self)
    let ids = Set(plan.outline.map(\.id))
    guard let last = records.last, !last.isEmpty,
      !records.contains(where: { $0.contains { ids.contains($0.id) } })
    else { return }
    throw ToolError(
      "the baseline has no step of this manifest: its steps are \(last.map(\.id).listed(atMost: 5)); "
        + "the manifest's are \(plan.outline.map(\.id).listed(atMost: 5))"
    ) { "select another --baseline, or write one with `\($0) check --record FILE`" }
  }

  /// Returns the number of launches, and the maximum number for a comparison.
  private static func counts(
    _ arguments: ParsedArguments, isPaired: Bool
  ) throws(UsageError) -> (runs: Int, limit: Int) {
    let isCompared = isPaired || arguments.isSet(CheckOptions.baseline)
    let asked = arguments.count(CheckOptions.runs) ?? 5
    if isCompared, arguments.isSet(CheckOptions.runs), asked < CheckOptions.fewestCompared {
      throw .tooFew(
        option: CheckOptions.runs.spelling, value: asked, least: CheckOptions.fewestCompared,
        reason: "with fewer launches, a comparison cannot tell a slowdown from noise")
    }
    let least = max(asked, CheckOptions.fewestCompared)
    let limit = arguments.count(CheckOptions.maxRuns) ?? max(60, asked * 8)
    guard limit >= least else {
      let reason = "a comparison needs \(CheckOptions.fewestCompared) launches, and no fewer than --runs"
      throw .tooFew(option: CheckOptions.maxRuns.spelling, value: limit, least: least, reason: reason)
    }
    return (isCompared ? least : asked, limit)
  }

  /// - Parameter isPaired: True for launches against a base, whose state directories are apart: ``CheckLaunches`` adds
  ///   them.
  private static func runArguments(
    _ arguments: ParsedArguments, _ manifest: String, isPaired: Bool
  ) -> [String] {
    var result: [String] = []
    let state: [OptionDeclaration] = isPaired ? [.noState] : [.state, .noState]
    let passed: [OptionDeclaration] = [.only, .skip, .launch, .url, .jobs, .timeout, .label] + state
    for option in passed {
      for value in arguments.values[option.name] ?? [] {
        result.append(option.placeholder == nil ? option.spelling : "\(option.spelling)=\(value)")
      }
    }
    // What follows "--" is a command, so a file whose name begins with a dash needs its directory.
    let isDashed = manifest.hasPrefix("-") && manifest != "-"
    return result + [isDashed ? "./\(manifest)" : manifest]
  }
}

/// The files that a check writes.
struct CheckFiles {
  let record: ResultFile?
  let junit: ResultFile?
  let markdown: ResultFile?
  let html: ResultFile?
  private let isShown: Bool

  /// True if no file is requested and no page is shown.
  var areNone: Bool { !isShown && [record, junit, markdown, html].allSatisfy { $0 == nil } }

  init(_ arguments: ParsedArguments) throws {
    isShown = arguments.isSet(CheckOptions.open)
    if isShown { try PageViewer.check() }
    record = try ResultFile(CheckOptions.record, of: arguments)
    junit = try ResultFile(CheckOptions.junit, of: arguments)
    markdown = try ResultFile(CheckOptions.markdown, of: arguments)
    html = try ResultFile(CheckOptions.html, of: arguments)
  }

  /// Throws an error if two options have the same file, or if an output file is also an input file.
  ///
  /// Only `--record` may have the file of the baseline.
  func checkApart(manifest: String, baseline: String?) throws(UsageError) {
    let reports = [
      (CheckOptions.junit, junit), (CheckOptions.markdown, markdown), (CheckOptions.html, html),
    ]
    try ResultFile.checkApart(
      [(CheckOptions.record, record)] + reports, from: [(manifest, "the manifest")])
    if let baseline { try ResultFile.checkApart(reports, from: [(baseline, "--baseline")]) }
  }

  /// Shows the page in the browser if that is requested. Without `--html` it writes a temporary file.
  func show(_ report: CheckVerdict, _ tool: ToolContext) throws {
    guard isShown else { return }
    try PageViewer.show(try html?.path ?? PageViewer.write(report.html, tool).path)
  }

  /// Writes all requested files, even if one cannot be written. Returns the errors.
  func write(_ report: CheckVerdict) -> [SystemError] {
    ResultFile.write([
      (record, { report.recordLines }), (junit, { report.junit }), (markdown, { report.markdown }),
      (html, { report.html }),
    ])
  }

  /// Writes the reason why there is no result to all requested files except `--record`. Returns the errors.
  func write(_ failure: CheckFailureReport) -> [SystemError] {
    ResultFile.write([
      (junit, { failure.junit }), (markdown, { failure.markdown }), (html, { failure.html }),
    ])
  }
}

extension Comparison.Options {
  /// Creates options from the value of `--max-slowdown`.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init()
    guard let text = arguments.text(CheckOptions.maxSlowdown) else { return }
    guard let fraction = Percentage.parse(text) else {
      throw .notAPercentage(option: CheckOptions.maxSlowdown.spelling, value: text)
    }
    maximumSlowdown = fraction
  }
}

/// A parser of percentages, for example `10%` or `2.5%`.
enum Percentage {
  /// Returns the percentage as a fraction, for example 0.1 for `10%`.
  ///
  /// Returns `nil` if the text is not a percentage from 0 % to 1000 %.
  static func parse(_ text: String) -> Double? {
    guard text.hasSuffix("%") else { return nil }
    let digits = text.dropLast()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let value = Double(digits),
      value <= 1000
    else { return nil }
    return value / 100
  }
}
