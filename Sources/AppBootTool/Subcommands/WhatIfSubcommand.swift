import AppBoot
import AppBootAnalysis
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The subcommand `whatif`, which predicts how long a recorded launch takes with changes.
enum WhatIfSubcommand: Subcommand {
  static let name = "whatif"
  static let abstract = "Predicts the time of a launch with changes, from recorded launches."
  static let discussion = """
    SOURCE is a manifest, a state directory, a record's file, a file with one record per line, or a directory of \
    such files. Each launch that succeeded is simulated with the changes. The prediction is the median. Launches that \
    ran other steps, or had another number of --jobs, are left out.

    CHANGE is a time (0ms), a percentage (-20%, +50%) or a factor (x2) of the step's running time. Steps that compute \
    share the recorded number of processors.
    """
  static var operands: [Operand] { [.records] }
  static var options: [any OptionDeclaration] {
    ChangeText.options + [.textOrJSON, .state, .color]
  }

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Predicted.",
    .usage: "An invalid change or step.",
    .invalidManifest: "A file is not a record, or its version is newer.",
    .preconditionMissing: "A file cannot be read, or no launch succeeded.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let changes = try ChangeText(arguments)
    let source = try RecordSource(arguments)
    let records = try RecordSets.read(source.path) { tool.warn($0) }.filter(source.has)
    let (launches, leftOut) = try replays(of: records, at: source, with: changes)
    guard let prediction = LaunchPrediction(of: launches, leftOut: leftOut) else {
      throw noSuccess(source)
    }
    let (text, setsJobs) = (PredictionText(style: tool.outputStyle), changes.jobs != nil)
    tool.output.write(
      arguments.wantsJSON
        ? text.json(of: prediction, setsJobs: setsJobs) : text.text(of: prediction, setsJobs: setsJobs))
    return .succeeded
  }

  private static func noSuccess(_ source: RecordSource) -> ToolError {
    let place = RecordSets.place(source.path, source.manifest)
    return ToolError("no launch \(place) succeeded: whatif needs a successful launch") {
      "`\($0) run` records each launch in its state directory"
    }
  }

  /// Returns the launches that succeeded and have the newest launch's manifest and all changed steps, oldest first.
  ///
  /// They ran the same steps as the newest launch that ran all changed steps, with as many slots. Other launches are
  /// left out: their duration says nothing about the change.
  ///
  /// - Throws: `SelectionError` if the newest one lacks a step, and ``UsageError/circle(_:)``.
  private static func replays(
    of records: [LaunchRecord], at source: RecordSource, with changes: ChangeText
  ) throws -> (launches: [(replay: LaunchReplay, changes: LaunchChanges)], leftOut: Int) {
    let succeeded = records.filter(\.succeeded).sorted { $0.startedAt < $1.startedAt }
    guard let newest = succeeded.last?.outline else { throw noSuccess(source) }
    let unknown = changes.unknown(in: newest)
    guard unknown.isEmpty else { throw SelectionError(unknown: unknown, known: newest.map(\.id)) }
    let sameManifest = succeeded.filter { record in
      ManifestScope.isSame(record.outline.manifestName, newest.manifestName)
        && record.outline.manifestDigest == newest.manifestDigest
        && changes.unknown(in: record.outline).isEmpty
    }
    let similar = launchesLikeNewest(sameManifest, changes)
    var launches: [(replay: LaunchReplay, changes: LaunchChanges)] = []
    for record in similar {
      guard let replay = LaunchReplay(of: record) else { continue }
      let changes = changes.changes(in: record.outline)
      if let circle = replay.circle(with: changes) {
        throw UsageError.circle(circle.map { record.outline[$0].id })
      }
      launches.append((replay: replay, changes: changes))
    }
    return (launches, sameManifest.count - similar.count)
  }

  /// Returns the launches that ran the same steps as the newest launch that ran all changed steps, with as many slots.
  ///
  /// If no launch ran them all, the newest launch decides.
  private static func launchesLikeNewest(
    _ records: [LaunchRecord], _ changes: ChangeText
  ) -> [LaunchRecord] {
    let started: [Set<String>] = records.map { record in
      Set(record.filter { $0.execution.startTime != nil }.map(\.id))
    }
    let newest = records.indices.last(where: { index in
      let outline = records[index].outline
      let changes = changes.changes(in: outline)
      let changed = Array(changes.times.keys) + Array(changes.predecessors.keys) + Array(changes.removed)
      return changed.allSatisfy { started[index].contains(outline[$0].id) }
    })
    guard let place = newest ?? records.indices.last else { return [] }
    let jobs = records[place].header.jobs
    return records.indices.filter { started[$0] == started[place] && records[$0].header.jobs == jobs }
      .map { records[$0] }
  }
}

/// The changes that the arguments of `whatif` describe. Steps are named by id.
struct ChangeText: Sendable {
  static let set = Option(
    "set", .steps("STEP=CHANGE"), "Change a step's running time: -20%, x2 or 50ms; repeatable.")
  static let jobs = Option(
    "jobs", short: "j", .count("N"), "The maximum number of background steps at once. Default: as recorded.")
  static let after = Option(
    "after", .steps("STEP=ID,…"), "Put a step after these steps only; STEP= for no predecessor; repeatable.")
  static let remove = Option("remove", .list("ID,…"), "Leave out these steps; repeatable.")
  static var options: [any OptionDeclaration] { [set, jobs, after, remove] }

  private var times: [(id: String, time: LaunchChanges.Time)] = []
  private var predecessors: [(id: String, after: [String])] = []
  private let removed: [String]
  let jobs: Int?

  /// Reads the changes.
  ///
  /// - Throws: ``UsageError`` if a change is invalid, or if there are no changes.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    jobs = arguments[Self.jobs]
    removed = arguments[Self.remove] ?? []
    for text in arguments[Self.set] ?? [] {
      guard let (id, value) = Self.parts(of: text), let time = Self.time(value) else {
        throw .notAChange(option: Self.set.spelling, value: text)
      }
      times.append((id, time))
    }
    for text in arguments[Self.after] ?? [] {
      guard let (id, value) = Self.parts(of: text) else {
        throw .notAnEdge(option: Self.after.spelling, value: text)
      }
      predecessors.append((id, ParsedArguments.words(value)))
    }
    guard jobs != nil || !removed.isEmpty || !times.isEmpty || !predecessors.isEmpty else {
      throw .needs("whatif", option: "a change: --set, --jobs, --after or --remove")
    }
  }

  /// The ids in all changes.
  private var ids: [String] {
    times.map(\.id) + predecessors.map(\.id) + predecessors.flatMap(\.after) + removed
  }

  /// Returns the ids that a launch does not have, in ascending order.
  func unknown(in outline: LaunchOutline) -> [String] {
    let known = Set(outline.map(\.id))
    return Set(ids).filter { !known.contains($0) }.sorted()
  }

  /// Returns the changes for a launch that has all ids.
  func changes(in outline: LaunchOutline) -> LaunchChanges {
    let places = Dictionary(outline.enumerated().map { ($1.id, $0) }) { first, _ in first }
    var changes = LaunchChanges()
    changes.jobs = jobs
    changes.removed = Set(removed.compactMap { places[$0] })
    for (id, time) in times { if let step = places[id] { changes.times[step] = time } }
    for (id, after) in predecessors {
      if let step = places[id] { changes.predecessors[step] = after.compactMap { places[$0] } }
    }
    return changes
  }

  /// Splits a text at its last `=`: an id may contain one.
  private static func parts(of text: String) -> (id: String, value: String)? {
    guard let place = text.lastIndex(of: "="), place != text.startIndex else { return nil }
    return (String(text[..<place]), String(text[text.index(after: place)...]))
  }

  private static func time(_ text: String) -> LaunchChanges.Time? {
    if text.hasPrefix("x") || text.hasPrefix("×") {
      return number(text.dropFirst()).flatMap { $0 < 0 ? nil : .scaled($0) }
    }
    if text.hasSuffix("%") {
      guard let percent = number(text.dropLast()), percent >= -100, "+-".contains(text.prefix(1)) else {
        return nil
      }
      return .scaled(1 + percent / 100)
    }
    if text == "0" { return .exactly(0) }
    return (try? DurationText.parse(text)).map { .exactly($0.nanoseconds) }
  }

  /// Returns a finite number of at most a million.
  private static func number(_ text: Substring) -> Double? {
    Double(text).flatMap { abs($0) <= 1_000_000 ? $0 : nil }
  }
}
