import AppBootSystem

/// Decides whether a launch has to be careful, from how the last ones ended: a pure function.
///
/// Launches that die in the same step, ``deaths`` in a row, make the next one careful: it leaves out that step.
/// Where a careful launch dies as well, the next one leaves out more. Launches that say nothing are passed over,
/// and one healthy launch clears everything.
public struct LaunchGuard: Sendable, Hashable {
  /// How many launches in a row have to die in the same step; at least 1.
  public let deaths: Int

  /// Creates a guard; by default two deaths in a row count.
  public init(deaths: Int = 2) {
    self.deaths = max(1, deaths)
  }

  /// What the launches add up to, the oldest first.
  package func state(after launches: [LaunchFacts]) -> GuardState {
    var state = GuardState()
    for launch in launches {
      switch launch.ending {
      case .neutral: continue
      case .healthy: state = GuardState()
      case .died(let running): state.addDeath(in: running, limit: deaths)
      }
    }
    return state
  }
}

/// What the launch guard knows: what the next launch will be like.
package struct GuardState: Sendable, Hashable {
  /// How many launches died since the last healthy one, of a state directory a hundred at most.
  package private(set) var deaths = 0
  /// The steps that ran in each of the last deaths; by id.
  package private(set) var suspects: [String] = []
  /// In how many deaths in a row they ran.
  package private(set) var suspectDeaths = 0
  /// The steps that the next launch is careful with; empty where it is not careful.
  package private(set) var culprits: [String] = []
  /// How many launches died from the first that counts against the first culprit.
  private var culpritDeaths = 0
  /// How much the next launch leaves out.
  package private(set) var level = SafeMode.Level.culprits

  /// Nothing is known against the next launch.
  package init() {}

  /// How the next launch is careful; `nil` where it is not.
  package var safeMode: SafeMode? {
    guard !culprits.isEmpty else { return nil }
    let others = suspects.filter { !culprits.contains($0) }
    let place = others.isEmpty ? "" : " in \(others.quoted)"
    let further = level == .followers || !others.isEmpty ? ", at last\(place) in safe mode" : ""
    let reason = "\(Self.died(culpritDeaths)), in \(culprits.quoted)\(further)"
    return SafeMode(culprits: culprits, level: level, reason: reason)
  }

  /// How the next launch is careful where it has to be, or where somebody wants it to be.
  package func safeMode(isForced: Bool) -> SafeMode? {
    if let safeMode { return safeMode }
    guard isForced else { return nil }
    var requested = SafeMode.requested
    requested.culprits = suspects
    return requested
  }

  /// What the deaths add up to, in words; `nil` where there are none.
  package var words: String? {
    guard deaths > 0 else { return nil }
    if let safeMode { return "the next launch will be in safe mode: \(safeMode.reason)" }
    return Self.died(deaths) + (suspects.isEmpty ? "" : ", at last in \(suspects.quoted)")
  }

  private static func died(_ count: Int) -> String {
    count == 1 ? "the last launch died" : "the last \(count) launches died"
  }

  mutating func addDeath(in running: [String], limit: Int) {
    let wasSafe = !culprits.isEmpty
    deaths += 1
    let common = suspects.filter(running.contains)
    culpritDeaths = common.isEmpty && !wasSafe ? 1 : culpritDeaths + 1
    (suspects, suspectDeaths) = common.isEmpty ? (running, 1) : (common, suspectDeaths + 1)
    if suspectDeaths >= limit, !suspects.isEmpty {
      culprits += suspects.filter { !culprits.contains($0) }
    }
    if wasSafe { level = .followers }
  }

  /// The state as one JSON object: `safeMode` (boolean), `culprits`, `level`, `deaths`, `suspects`, and `reason`.
  package func json(pretty: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.object { writer in
      writer.member("safeMode", safeMode != nil)
      writer.member("culprits", culprits)
      if let safeMode {
        writer.member("level", level.rawValue)
        writer.member("reason", safeMode.reason)
      }
      writer.member("deaths", deaths)
      writer.member("suspects", suspects)
    }
    return writer.text
  }

  /// What the guard knows of a state directory, whose files are only read; a launch that runs now is left out.
  package static func reading(_ directory: String, with guardian: LaunchGuard = LaunchGuard()) -> GuardState {
    let history = LaunchHistory(directory: directory)
    // As a launch does: where no death is noted and no journal was left, the records need not be read.
    guard history.hasCrashes || FileSystem.exists(history.journal) else { return GuardState() }
    return guardian.state(after: history.factsSinceHealthy())
  }
}
