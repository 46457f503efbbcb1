import AppBoot
import AppBootCommands
import AppBootRecords
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
  /// The nanoseconds after which a comparison that needs more launches ends.
  let timeLimit: Int64
  /// The shell command that runs before each launch; `nil` if none does.
  let prepare: String?
  /// The sessions of the baseline (``RecordSets/sessions(_:warn:)``); `nil` without a baseline.
  let baseline: [[LaunchRecord]]?
  let options: Comparison.Options
  let files: CheckFiles
  let onFlaky: FlakyPolicy
  /// True if an inconclusive comparison fails the check.
  let requiresBaseline: Bool
  /// True to look for dependencies that the manifest does not declare.
  let shuffles: Bool
  /// True to print nothing but failures.
  let isQuiet: Bool
  /// True if launches are compared with a base or with records.
  var isCompared: Bool { base != nil || baseline != nil }

  init(_ arguments: ParsedArguments, _ files: CheckFiles, _ tool: ToolContext) throws {
    var launch = try LaunchRequest(arguments)
    launch.fixedVariables = try arguments.variables()
    self.launch = launch
    input = launch.manifest == "-" ? try FileSystem.readStandardInput() : nil
    base = try CheckBase(arguments)
    let isCompared = base != nil || arguments.isSet(CheckOptions.baseline)
    (runs, limit) = try Self.counts(arguments, isCompared: isCompared)
    options = Comparison.Options(arguments)
    self.files = files
    timeLimit = (arguments[CheckOptions.maxTime] ?? .seconds(180)).nanoseconds
    prepare = arguments[CheckOptions.prepare]
    onFlaky = arguments[CheckOptions.onFlaky] ?? .warn
    shuffles = arguments.isSet(CheckOptions.shuffle)
    try arguments.check(
      CheckOptions.shuffle, excludes: CheckOptions.runs, CheckOptions.against, CheckOptions.againstProgram,
      CheckOptions.baseline, CheckOptions.maxSlowdown, CheckOptions.requireBaseline, .jobs)
    requiresBaseline = arguments.isSet(CheckOptions.requireBaseline)
    isQuiet = arguments.isSet(.quiet)
    for option in [CheckOptions.requireBaseline, CheckOptions.maxSlowdown, CheckOptions.maxTime]
      as [any OptionDeclaration]
    where arguments.isSet(option) && !isCompared {
      throw UsageError.needs(option.spelling, option: "--baseline or --against")
    }
    baseline = try arguments[CheckOptions.baseline].map { path in
      try RecordSets.sessions(path) { tool.warn($0) }
    }
    let manifest = launch.usesPlan ? nil : launch.manifest
    runArguments = Self.runArguments(arguments, manifest, isPaired: base != nil)
    let isOther = base != nil && (!launch.usesPlan || arguments.isSet(CheckOptions.against))
    baseArguments = Self.runArguments(arguments, isOther ? base?.manifest : manifest, isPaired: true)
  }

  /// Reads the manifest and returns its plan. If the manifest comes from standard input, its bytes are those of
  /// ``input``.
  func plan(_ tool: ToolContext, _ state: any StateStore) throws -> LaunchPlan {
    guard let input else { return try launch.plan(tool, state: state) }
    let source = SourceText(name: SourceText.standardInput, bytes: input)
    return try launch.plan(try Manifest(parsing: source), tool.registry, state: state)
  }

  /// Checks that no app uses the state directory of launches with services.
  ///
  /// - Throws: The same ``StayError`` as each launch.
  func checkState(for plan: LaunchPlan) throws {
    guard base == nil, !plan.services.isEmpty, let directory = launch.stateDirectory else { return }
    do {
      try ControlServer.lock(directory, for: plan.outline.manifestName).release()
    } catch let error as StayError {
      throw error
    } catch {}  // The launches warn if they cannot write their state.
  }

  /// Checks that at least one launch of the baseline has a step of the plan.
  ///
  /// - Throws: ``ToolError`` if no launch has one, so that nothing can be compared.
  func checkBaseline(for plan: LaunchPlan) throws(ToolError) {
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
    _ arguments: ParsedArguments, isCompared: Bool
  ) throws(UsageError) -> (runs: Int, limit: Int) {
    let asked = arguments[CheckOptions.runs] ?? (isCompared ? CheckOptions.fewestCompared : 1)
    if isCompared, arguments.isSet(CheckOptions.runs), asked < CheckOptions.fewestCompared {
      throw .tooFew(
        option: CheckOptions.runs.spelling, value: asked, least: CheckOptions.fewestCompared,
        reason: "with fewer launches, a comparison cannot tell a slowdown from noise")
    }
    let least = max(asked, CheckOptions.fewestCompared)
    let limit = arguments[CheckOptions.maxRuns] ?? max(60, asked * 8)
    guard limit >= least else {
      let reason = "a comparison needs \(CheckOptions.fewestCompared) launches, and no fewer than --runs"
      throw .tooFew(option: CheckOptions.maxRuns.spelling, value: limit, least: least, reason: reason)
    }
    return (isCompared ? least : asked, limit)
  }

  /// - Parameters:
  ///   - manifest: The path of the manifest; `nil` for the plan of the tool.
  ///   - isPaired: True for launches against a base, whose state directories are apart: ``CheckLaunches`` adds
  ///   them.
  private static func runArguments(
    _ arguments: ParsedArguments, _ manifest: String?, isPaired: Bool
  ) -> [String] {
    var result: [String] = []
    let state: [any OptionDeclaration] = isPaired ? [.noState] : [.state, .noState]
    let passed: [any OptionDeclaration] =
      [.only, .skip, .environment, .environmentFiles, .launch, .url, .jobs, .timeout, .label] + state
    for option in passed {
      for value in arguments.values[option.name] ?? [] {
        result.append(option.kind == .flag ? option.spelling : "\(option.spelling)=\(value)")
      }
    }
    guard let manifest else { return result }
    // With its directory, it is no option and no step.
    let isPath = manifest == "-" || manifest.contains("/") || manifest.hasSuffix(".json")
    return result + [isPath && (manifest == "-" || !manifest.hasPrefix("-")) ? manifest : "./\(manifest)"]
  }
}

/// The files that a check writes.
struct CheckFiles {
  private let record: ResultFile?
  private let junit: ResultFile?
  private let markdown: ResultFile?
  private let html: ResultFile?
  private let isShown: Bool

  /// True if no file is requested and no page is shown.
  var areNone: Bool { !isShown && files.allSatisfy { $0.file == nil } }

  private var files: [(option: Option<String>, file: ResultFile?)] {
    [
      (CheckOptions.record, record), (CheckOptions.junit, junit), (CheckOptions.markdown, markdown),
      (CheckOptions.html, html),
    ]
  }

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
    try ResultFile.checkApart(
      files, from: [(manifest, "the manifest")], recordOption: CheckOptions.record)
    guard let baseline else { return }
    let others = files.filter { $0.option.name != CheckOptions.record.name }
    try ResultFile.checkApart(others, from: [(baseline, "--baseline")])
  }

  /// Shows the page in the browser if that is requested. Without `--html` it writes a temporary file.
  func show(_ report: CheckVerdict, _ tool: ToolContext) throws {
    guard isShown else { return }
    let file = try html ?? PageViewer.file(tool)
    if html == nil { try file.write(report.html, tool) }
    try PageViewer.show(file.path)
  }

  /// Writes all requested files, even if one cannot be written. Returns the errors.
  func write(_ report: CheckVerdict, _ tool: ToolContext) -> [SystemError] {
    ResultFile.write(
      [
        (record, { report.recordLines }), (junit, { report.junit }), (markdown, { report.markdown }),
        (html, { report.html }),
      ], tool)
  }

  /// Writes the reason why there is no result to all requested files except `--record`. Returns the errors.
  func write(_ failure: CheckFailureReport, _ tool: ToolContext) -> [SystemError] {
    ResultFile.write(
      [(junit, { failure.junit }), (markdown, { failure.markdown }), (html, { failure.html })], tool)
  }
}

extension Comparison.Options {
  /// Creates options from the value of `--max-slowdown`.
  init(_ arguments: ParsedArguments) {
    self.init()
    if let fraction = arguments[CheckOptions.maxSlowdown] { maximumSlowdown = fraction }
  }
}

/// The declarations of the options of `check`. `compare` uses `--max-slowdown` too.
enum CheckOptions {
  /// The minimum number of launches for a comparison with a baseline.
  static let fewestCompared = 10

  static let runs = Option(
    "runs", .count("N"),
    "The number of launches. Default: 1. A comparison needs at least \(fewestCompared), its default.")
  static let against = Option(
    "against", .file("BASE"),
    "Fail if it is slower than this base: a manifest, or a directory with the same one. Both launch in turns."
  )
  static let againstProgram = Option(
    "against-program", .file("FILE"), "Launch the base with this executable.")
  static let baseline = Option(
    "baseline", .file("RECORDS"), "Fail if it is slower than these records, a file or a directory.")
  static let maxSlowdown = Option(
    "max-slowdown", .percentage("PERCENT"), "The slowdown that a comparison allows. Default: 10%.")
  static let dryRun = Option(
    "dry-run", .flag,
    "Launch nothing; report the manifest's problems as text, as `validate` does. "
      + "Options for launches are ignored.")
  static let maxRuns = Option(
    "max-runs", .count("N"),
    "The most launches to confirm a slowdown, or orders to try; at least \(fewestCompared). Default: 8 times --runs, "
      + "at least 60."
  )
  static let maxTime = Option(
    "max-time", .duration("DURATION"),
    "The time after which a comparison starts no launch beyond --runs. Default: 3m."
  )
  static let prepare = Option(
    "prepare", .text("COMMAND"),
    "Run this shell command before each launch, untimed, for example to drop caches.")
  static let requireBaseline = Option("require-baseline", .flag, "Fail if the comparison is inconclusive.")
  static let onFlaky = Option<FlakyPolicy>(
    "on-flaky", .choice,
    "What to do if an allowed failure happens in some launches only, or a step needs a retry. Default: warn.")
  static let shuffle = Option(
    "shuffle", .flag,
    "Find a missing \"after\": run one step at a time, in orders in which each step comes before every other one."
  )
  static let record = Option("record", .file("FILE"), "Write the records of the launches, one per line.")
  static let junit = Option("junit", .file("FILE"), "Write JUnit XML.")
  static let markdown = Option("markdown", .file("FILE"), "Write Markdown.")
  static let html = Option("html", .file("FILE"), "Write an HTML page with the result.")
  static let open = Option(
    "open", .flag, "Show the page in the browser. Without --html it is a temporary file.")
}

/// The effect of a flaky step on a check whose launches succeed.
enum FlakyPolicy: String, Sendable, CaseIterable {
  case fail
  case warn
}

/// The base of `check --against`: another manifest, a directory with the same manifest, or another executable.
struct CheckBase {
  /// The path of the base's manifest, as the base's process sees it.
  let manifest: String
  /// The directory in which the base's process runs; `nil` for that of the check.
  let directory: String?
  /// The base's executable; `nil` for that of the check.
  let program: String?

  /// The base for messages, for example `main/commands.json with ./appboot-main`.
  var name: String {
    let path = directory.map { FileSystem.join($0, manifest) } ?? manifest
    return "\"\(path)\"" + (program.map { " with \"\($0)\"" } ?? "")
  }

  /// Returns the base that the options select; `nil` without one.
  ///
  /// - Throws: ``UsageError`` for options that contradict each other, ``ToolError`` if a file is missing.
  init?(_ arguments: ParsedArguments) throws {
    let path = arguments[CheckOptions.against]
    let program = arguments[CheckOptions.againstProgram]
    guard path != nil || program != nil else { return nil }
    try arguments.check(CheckOptions.against, excludes: CheckOptions.baseline)
    try arguments.check(CheckOptions.againstProgram, excludes: CheckOptions.baseline)
    let manifest = arguments.manifest()
    if let program, program.utf8.contains(UInt8(ascii: "/")) {
      guard let resolved = FileSystem.resolve(program) else {
        throw Self.missing(
          program, "--against-program needs an executable, for example a build of the base branch")
      }
      self.program = resolved
    } else {
      self.program = program
    }
    guard let path, FileSystem.isDirectory(path) else {
      if let path, !FileSystem.exists(path) { throw Self.missing(path) }
      self.manifest = path ?? manifest
      directory = nil
      return
    }
    guard manifest != "-", !manifest.hasPrefix("/") else {
      throw UsageError.conflict(
        "\(CheckOptions.against.spelling) with a directory", "the manifest \(manifest)")
    }
    let name = arguments.operands.isEmpty ? ParsedArguments.defaultManifest(in: path) : manifest
    guard FileSystem.exists(FileSystem.join(path, name)) else {
      throw Self.missing(FileSystem.join(path, name))
    }
    self.manifest = name
    directory = path
  }

  private static func missing(
    _ path: String,
    _ help: String = "--against needs a manifest, or a directory with the same manifest; for a commit: "
      + "git worktree add ../base COMMIT"
  ) -> ToolError {
    ToolError("the base \"\(path)\" does not exist", help: help)
  }

  /// Runs a launch of the base, and returns its record.
  ///
  /// - Throws: ``ToolError`` if it does not succeed, so that nothing can be compared; ``Interruption``.
  func record(of launch: ColdLaunch) throws -> LaunchRecord {
    let reason: String
    do {
      let (record, crash) = try launch.run()
      if record.succeeded { return record }
      let cause = record.failuresFirstToFix.first?.state.failure.map { ": \($0.message)" } ?? ""
      reason = crash?.message(record.lastRunning) ?? TextReport().verdict(of: record) + cause
    } catch let failure as LaunchFailure {
      reason = failure.message
    }
    let option = program == nil ? CheckOptions.against : CheckOptions.againstProgram
    throw ToolError(
      "there is nothing to compare with, because the base \(name) does not boot: \(reason)",
      help: "repair the base, or check without \(option.spelling); "
        + "--only and --skip must name steps that the base has, too")
  }
}
