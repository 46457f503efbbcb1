import AppBoot
import AppBootSystem

/// A log of the recorded launches: their number, the first and the last time, the last version and the last upgrade.
struct LaunchLog: Sendable, Hashable {
  /// The name of the log's file in the launch's state.
  static let stateName = "recorded-launches.json"

  /// A change to a newer version of the app.
  struct Upgrade: Sendable, Hashable {
    let from: String
    let to: String
    let time: String
  }

  private(set) var count = 0
  /// The times of the first and of the last launch; `nil` without launches.
  private(set) var first, last: String?
  private(set) var version: String?
  private(set) var upgrade: Upgrade?

  /// Creates a log without launches.
  init() {}

  /// Reads a log from its file's bytes. Creates a log without launches if `stored` is `nil`.
  ///
  /// - Throws: ``Damage`` if the bytes are not a log.
  init(_ stored: [UInt8]?, in state: any StateStore) throws(Damage) {
    guard let stored else { return }
    let source = SourceText(name: Self.stateName, bytes: stored)
    guard let root = try? JSONDocument(parsing: source).root,
      let count = try? root["count"]?.integer(as: Int.self), count >= 0, count < Int.max
    else { throw Damage(place: FileSystem.join(state.place, Self.stateName)) }
    self.count = count
    first = root["first"]?.string
    last = root["last"]?.string
    version = root["version"]?.string
    if let upgrade = root["upgrade"], let from = upgrade["from"]?.string, let to = upgrade["to"]?.string {
      self.upgrade = Upgrade(from: from, to: to, time: upgrade["at"]?.string ?? "")
    }
  }

  /// The log as JSON.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("count", count)
      if let first { writer.member("first", first) }
      if let last { writer.member("last", last) }
      if let version { writer.member("version", version) }
      guard let upgrade else { return }
      writer.key("upgrade")
      writer.object { writer in
        writer.member("from", upgrade.from)
        writer.member("to", upgrade.to)
        writer.member("at", upgrade.time)
      }
    }
    return writer.text
  }

  /// Adds a launch to the log.
  mutating func add(version new: String?, at time: String) {
    count += 1
    first = first ?? time
    last = time
    if let old = version, let new, Self.isUpgrade(from: old, to: new) {
      upgrade = Upgrade(from: old, to: new, time: time)
    }
    version = new ?? version
  }

  /// Removes a launch from the log.
  ///
  /// If no other launch has changed the log since, restores the log from before that launch. Otherwise decrements the
  /// number of launches.
  mutating func remove(_ launch: Addition) {
    if self == launch.after { self = launch.before } else { count = max(0, count - 1) }
    if count == 0 { self = LaunchLog() }
  }

  /// The change of the log by one launch: the log before it and after it.
  struct Addition: Sendable, Hashable {
    let before, after: LaunchLog
  }

  // MARK: - Versions

  /// Returns whether a change of versions is an upgrade. Versions that are not numbers count as an upgrade if they
  /// differ.
  static func isUpgrade(from old: String?, to new: String?) -> Bool {
    guard let old, let new, old != new else { return false }
    guard let older = numbers(of: old), let newer = numbers(of: new) else { return true }
    let length = max(older.count, newer.count)
    func padded(_ numbers: [Int]) -> [Int] { numbers + Array(repeating: 0, count: length - numbers.count) }
    return !padded(newer).lexicographicallyPrecedes(padded(older))
  }

  /// Returns the numbers of a version such as `1.10.2`, `v2` or `1.0-beta`; `nil` for any other text.
  private static func numbers(of version: String) -> [Int]? {
    let text = version.hasPrefix("v") ? version.dropFirst() : version[...]
    let parts = text.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.allSatisfy(\.isNumber) ? Int(part) : nil }
    return numbers.count == parts.count ? numbers : nil
  }

  /// An error that reports that the log cannot be read.
  struct Damage: Error, Hashable, CustomStringConvertible {
    let place: String

    var description: String {
      "\(place) is damaged: remove it, and the next launch is the first recorded one"
    }
  }
}
