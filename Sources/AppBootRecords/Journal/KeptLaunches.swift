package import AppBoot
package import AppBootSystem

/// The history of a manifest's launches: one file in the state directory, with one line for each launch.
///
/// A launch is appended with one write. The file is rewritten without the oldest launches when it has a quarter more
/// than the manifest's limit. A damaged line is skipped.
package struct KeptLaunches: Sendable {
  /// The launches of a history.
  package struct Contents: Sendable {
    /// The launches, oldest first.
    package let launches: [LaunchSummary]
    /// The numbers of the lines that could not be read, from 1.
    package let damaged: [Int]
    /// The number of launches that a newer version of the format describes. They are not in ``launches``.
    package let newer: Int
  }

  private static let name = "history.jsonl"
  private static let mostBytes = FileSystem.readLimit

  /// The path of the file.
  package let path: String

  /// Creates the history of a manifest.
  package init(directory: String, manifest: String?) {
    path = FileSystem.join(directory, ManifestScope.name(Self.name, of: manifest))
  }

  private init(path: String) { self.path = path }

  /// Returns the histories of all manifests that share a state directory, sorted by path.
  package static func all(in directory: String) throws(SystemError) -> [KeptLaunches] {
    try FileSystem.list(directory).filter { $0 == name || $0.hasPrefix("\(name)-") }.sorted()
      .map { KeptLaunches(path: FileSystem.join(directory, $0)) }
  }

  // MARK: - Writing

  /// Adds a launch. Call it only if no other user can change the state directory.
  ///
  /// - Parameter patience: The maximum time to wait while another launch writes the file, in nanoseconds.
  package func add(
    _ launch: LaunchSummary, limits: HistoryLimits = HistoryLimits(), patience: Int64 = 100_000_000
  ) throws(SystemError) {
    let file = try ExclusiveFile.open(path, within: patience)
    defer { file.close() }
    let bytes = try FileSystem.readOwnFile(path, limit: Self.mostBytes)
    let lines = bytes.split(separator: .lineFeed)
    let starts = lines.compactMap { Self.value(of: "startedAt", in: $0) }
    let isAged = starts.first.map { limits.isTooOld($0, byQuarter: true) } ?? false
    if isAged || starts.count >= limits.mostLaunches { return try rewrite(lines, adding: launch, limits) }
    // A line that was cut off must not be continued.
    let isTorn = !bytes.isEmpty && bytes.last != .lineFeed
    let isKnown = !isTorn && lines.contains { Self.value(of: "plan", in: $0) == launch.planKey }
    try file.append((isTorn ? [.lineFeed] : []) + (isKnown ? [] : launch.planLine()) + launch.line())
  }

  /// Replaces the file by the newest launches and a new one. The caller has locked the file.
  private func rewrite(
    _ lines: [ArraySlice<UInt8>], adding launch: LaunchSummary, _ limits: HistoryLimits
  ) throws(SystemError) {
    var plans: [String: ArraySlice<UInt8>] = [:]
    var launches: [(plan: String, line: ArraySlice<UInt8>)] = []
    for line in lines {
      if let startedAt = Self.value(of: "startedAt", in: line) {
        if let plan = Self.plan(of: line), !limits.isTooOld(startedAt) { launches.append((plan, line)) }
      } else if let plan = Self.value(of: "plan", in: line) {
        plans[plan] = line
      }
    }
    launches = launches.filter { plans[$0.plan] != nil }.suffix(limits.keep - 1)
    plans[launch.planKey] = nil
    let others = Set(launches.map(\.plan)).sorted().compactMap { plans[$0] }
    let kept = (others + launches.map(\.line)).flatMap { $0 + [.lineFeed] }
    try FileSystem.writeFile(
      atomically: launch.planLine() + kept + launch.line(), to: path, mode: 0o600, followingLinks: false)
  }

  /// Returns the value of the first member of a whole line if it has this name; otherwise `nil`.
  private static func value(of name: String, in line: ArraySlice<UInt8>) -> String? {
    let start = Array("{\"\(name)\":\"".utf8)
    guard line.starts(with: start), line.last == UInt8(ascii: "}") else { return nil }
    return text(at: line.startIndex + start.count, in: line)
  }

  /// Returns the key of the plan of a launch's line, which is near its end; `nil` if the line is damaged.
  private static func plan(of line: ArraySlice<UInt8>) -> String? {
    let name = Array(#","plan":""#.utf8)
    // Earlier versions wrote two short members after it.
    guard line.last == UInt8(ascii: "}"),
      let start = line.indices.suffix(160).last(where: { line[$0...].starts(with: name) })
    else { return nil }
    return text(at: start + name.count, in: line)
  }

  private static func text(at index: Int, in line: ArraySlice<UInt8>) -> String {
    String(decoding: line[index...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }

  // MARK: - Reading

  /// Reads all launches. A file that does not exist has none.
  package func read() throws(SystemError) -> Contents {
    var lines = HistoryLines()
    do throws(SystemError) {
      let text = try FileSystem.readRegularFile(path).split(
        separator: .lineFeed, omittingEmptySubsequences: false)
      for (index, line) in text.enumerated() where !line.isEmpty { lines.read(line, number: index + 1) }
    } catch  where error.isNotFound {
      // No launch has ended.
    }
    return Contents(launches: lines.launches, damaged: lines.damaged, newer: lines.newer)
  }

  /// Returns the last launches of the same plan before a launch, oldest first.
  ///
  /// Returns an empty array if another user may have changed the directory.
  package func last(_ count: Int, before launch: LaunchSummary) -> [LaunchSummary] {
    guard (try? FileSystem.checkOwn(directory: FileSystem.directory(of: path))) != nil,
      let bytes = try? FileSystem.readOwnFile(path, limit: Self.mostBytes)
    else { return [] }
    let earlier = bytes.split(separator: .lineFeed).filter { line in
      Self.value(of: "startedAt", in: line).map { $0 < launch.startedAt } == true
        && Self.plan(of: line) == launch.planKey
    }
    var lines = HistoryLines()
    lines.read(launch.planLine()[...])
    for line in earlier.suffix(count) { lines.read(line) }
    return lines.launches
  }
}

extension HistoryLimits {
  /// The maximum number of launches in a file: a quarter more than are kept, so that it is seldom rewritten.
  fileprivate var mostLaunches: Int { keep + max(10, keep / 4) }

  /// Returns whether a launch is older than the limit.
  ///
  /// - Parameter isByQuarter: True for a limit that is a quarter higher.
  fileprivate func isTooOld(_ startedAt: String, byQuarter isByQuarter: Bool = false) -> Bool {
    guard let days = maxDays.map(Int64.init) else { return false }
    let limit = isByQuarter ? days + max(1, days / 4) : days
    return startedAt < WallClock.timestamp(nanoseconds: WallClock.now() - limit * 86_400_000_000_000)
  }
}
