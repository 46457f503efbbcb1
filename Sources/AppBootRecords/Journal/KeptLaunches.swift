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
    let bytes = try file.end(HistoryLineEnd.length)
    if bytes.isEmpty {
      let end = HistoryLineEnd(plan: launch.planKey, first: launch.startedAt, count: 1)
      return try file.append(launch.planLine() + launch.line(end))
    }
    guard bytes.last == .lineFeed, let last = HistoryLineEnd(bytes[...]) else {
      // The end was cut off, or is that of a newer version. This line must not continue it.
      let end = HistoryLineEnd(plan: launch.planKey, first: launch.startedAt, count: limits.keep)
      return try file.append([.lineFeed] + launch.planLine() + launch.line(end))
    }
    if last.count >= limits.mostLaunches || limits.isTooOld(last.first, byQuarter: true) {
      return try rewrite(launch, limits)
    }
    let end = HistoryLineEnd(plan: launch.planKey, first: last.first, count: last.count + 1)
    try file.append((last.plan == end.plan ? [] : launch.planLine()) + launch.line(end))
  }

  /// Replaces the file by the newest launches and a new one. The caller has locked the file.
  private func rewrite(_ launch: LaunchSummary, _ limits: HistoryLimits) throws(SystemError) {
    let bytes = try FileSystem.readOwnFile(path, limit: Self.mostBytes)
    var plans: [String: ArraySlice<UInt8>] = [:]
    var launches: [(plan: String, startedAt: String, line: ArraySlice<UInt8>)] = []
    for line in bytes.split(separator: .lineFeed) {
      if let end = HistoryLineEnd(line), let startedAt = Self.value(of: "startedAt", in: line) {
        if !limits.isTooOld(startedAt) { launches.append((end.plan, startedAt, line)) }
      } else if let plan = Self.value(of: "plan", in: line) {
        plans[plan] = line
      }
    }
    launches = launches.filter { plans[$0.plan] != nil }.suffix(limits.keep - 1)
    let end = HistoryLineEnd(
      plan: launch.planKey, first: launches.first?.startedAt ?? launch.startedAt, count: launches.count + 1)
    var text: [UInt8] = []
    for key in Set(launches.map(\.plan)).sorted() where key != end.plan {
      text += (plans[key] ?? []) + [.lineFeed]
    }
    text += launch.planLine()
    for old in launches { text += old.line + [.lineFeed] }
    try FileSystem.writeFile(
      atomically: text + launch.line(end), to: path, mode: 0o600, followingLinks: false)
  }

  /// Returns the value of the first member of a line if it has this name; otherwise `nil`.
  private static func value(of name: String, in line: ArraySlice<UInt8>) -> String? {
    let start = Array("{\"\(name)\":\"".utf8)
    guard line.starts(with: start) else { return nil }
    return String(decoding: line.dropFirst(start.count).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
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
  /// It reads only the end of the file: about as many bytes as that many lines of the launch. Returns an empty array if
  /// another user may have changed the directory.
  package func last(_ count: Int, before launch: LaunchSummary) -> [LaunchSummary] {
    let key = launch.planKey
    let length = launch.line(HistoryLineEnd(plan: key, first: launch.startedAt, count: 1_000_000)).count
    guard (try? FileSystem.checkOwn(directory: FileSystem.directory(of: path))) != nil,
      let size = FileSystem.size(of: path)
    else { return [] }
    let offset = max(0, size - (count + 1) * (length + length / 4))
    guard let end = try? FileSystem.readStart(of: path, from: offset, limit: size - offset) else { return [] }
    var lines = HistoryLines()
    lines.read(launch.planLine()[...])
    for line in end.split(separator: .lineFeed) where HistoryLineEnd(line)?.plan == key { lines.read(line) }
    return lines.launches.filter { $0.startedAt < launch.startedAt }.suffix(count)
  }
}

extension HistoryLimits {
  /// The maximum number of launches in a file: a quarter more than are kept, so that it is seldom rewritten.
  fileprivate var mostLaunches: Int { keep + max(10, keep / 4) }

  /// Returns whether a launch is older than the limit.
  ///
  /// - Parameter isByQuarter: True to raise the limit by a quarter.
  fileprivate func isTooOld(_ startedAt: String, byQuarter isByQuarter: Bool = false) -> Bool {
    guard let days = maxDays.map(Int64.init) else { return false }
    let limit = isByQuarter ? days + max(1, days / 4) : days
    return startedAt < WallClock.timestamp(nanoseconds: WallClock.now() - limit * 86_400_000_000_000)
  }
}
