import AppBoot
import AppBootAnalysis

/// The changes that the arguments of `whatif` describe. Steps are named by id.
struct ChangeText: Sendable {
  static let set = OptionDeclaration(
    "set", .step("STEP=CHANGE"), "Change a step's running time: -20%, x2 or 50ms; repeatable.")
  static let jobs = OptionDeclaration(
    "jobs", short: "j", .count("N"), "The maximum number of background steps at once. Default: as recorded.")
  static let after = OptionDeclaration(
    "after", .step("STEP=ID,…"), "Put a step after these steps only; STEP= for no predecessor; repeatable.")
  static let remove = OptionDeclaration("remove", .list("ID,…"), "Leave out these steps; repeatable.")
  static var options: [OptionDeclaration] { [set, jobs, after, remove] }

  private var times: [(id: String, time: LaunchChanges.Time)] = []
  private var predecessors: [(id: String, after: [String])] = []
  private let removed: [String]
  let jobs: Int?

  /// Reads the changes.
  ///
  /// - Throws: ``UsageError`` if a change is invalid, or if there are no changes.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    jobs = arguments.count(Self.jobs)
    removed = arguments.list(Self.remove) ?? []
    for text in arguments.values[Self.set.name] ?? [] {
      guard let (id, value) = Self.parts(of: text), let time = Self.time(value) else {
        throw .notAChange(option: Self.set.spelling, value: text)
      }
      times.append((id, time))
    }
    for text in arguments.values[Self.after.name] ?? [] {
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
