package import AppBoot
import AppBootSystem

/// The launch guard: the rule that decides from the last launches whether the next one runs in safe mode.
///
/// After ``crashes`` crashes in a row in the same step, the next launch skips that step. If a launch in safe mode
/// crashes as well, the next one skips more steps. Neutral launches (``LaunchFacts/Ending/neutral``) are ignored. A
/// healthy launch resets the guard, unless its user excluded a step that crashed. The rule is a pure function.
package struct LaunchGuard: Sendable, Hashable {
  /// The number of crashes in a row in the same step after which safe mode begins; at least 1.
  package let crashes: Int

  /// Creates a guard. By default, safe mode begins after two crashes in a row.
  package init(crashes: Int = 2) {
    self.crashes = max(1, crashes)
  }

  /// Returns the state of the guard after these launches.
  ///
  /// - Parameter launches: The ends of the launches, oldest first.
  package func state(after launches: [LaunchFacts]) -> GuardState {
    var state = GuardState()
    for launch in launches {
      switch launch.ending {
      case .neutral: continue
      case .healthy(let excluded): if !state.suspects(anyOf: excluded) { state = GuardState() }
      case .crashed(let running): state.addCrash(in: running, limit: crashes)
      }
    }
    return state
  }
}

/// The state of the launch guard. It decides whether the next launch runs in safe mode.
package struct GuardState: Sendable, Hashable {
  /// The number of known crashes since the last healthy launch. Markers of at most 100 crashes are stored.
  package private(set) var crashes = 0
  /// The ids of the steps that were running in each of the last crashes.
  package private(set) var suspects: [String] = []
  /// The number of crashes in a row in which the suspects were running.
  package private(set) var suspectCrashes = 0
  /// The ids of the steps because of which the next launch runs in safe mode; empty without safe mode.
  package private(set) var culprits: [String] = []
  /// The number of crashes since the first one that counts against the first culprit.
  private var culpritCrashes = 0
  /// The extent of the steps that the next launch skips.
  package private(set) var level = SafeMode.Level.culprits

  /// Creates the state without crashes.
  package init() {}

  /// The safe mode of the next launch; `nil` if it is a normal launch.
  package var safeMode: SafeMode? {
    guard !culprits.isEmpty else { return nil }
    let others = suspects.filter { !culprits.contains($0) }
    let place = others.isEmpty ? "" : " in \(others.quoted)"
    let further = level == .followers || !others.isEmpty ? ", most recently\(place) in safe mode" : ""
    let reason = "\(Self.crashed(culpritCrashes)), in \(culprits.quoted)\(further)"
    return SafeMode(culprits: culprits, level: level, reason: reason)
  }

  /// Returns the safe mode of the next launch; `nil` if it is a normal launch.
  ///
  /// - Parameter isForced: True to run the launch in safe mode even if the guard does not require it.
  package func safeMode(isForced: Bool) -> SafeMode? {
    if let safeMode { return safeMode }
    guard isForced else { return nil }
    var requested = SafeMode.requested
    requested.culprits = suspects
    return requested
  }

  /// A message about the crashes; `nil` if there are none.
  package var words: String? {
    guard crashes > 0 else { return nil }
    if let safeMode { return "the next launch will be in safe mode: \(safeMode.reason)" }
    let place = suspects.isEmpty ? "" : "\(crashes > 1 ? ", most recently" : "") in \(suspects.quoted)"
    return Self.crashed(crashes) + place
  }

  private static func crashed(_ count: Int) -> String {
    count == 1 ? "the last launch crashed" : "the last \(count) launches crashed"
  }

  /// Returns whether at least one of the steps is a suspect or a culprit.
  func suspects(anyOf steps: Set<String>) -> Bool { (suspects + culprits).contains(where: steps.contains) }

  mutating func addCrash(in running: [String], limit: Int) {
    let wasSafe = !culprits.isEmpty
    crashes += 1
    let common = suspects.filter(running.contains)
    culpritCrashes = common.isEmpty && !wasSafe ? 1 : culpritCrashes + 1
    (suspects, suspectCrashes) = common.isEmpty ? (running, 1) : (common, suspectCrashes + 1)
    if suspectCrashes >= limit, !suspects.isEmpty {
      culprits += suspects.filter { !culprits.contains($0) }
    }
    if wasSafe { level = .followers }
  }

  /// Returns the state as a JSON object: `safeMode` (Boolean), `culprits`, `level`, `reason`, `crashes` and `suspects`.
  package func json(pretty: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.object { writer in
      writer.member("safeMode", safeMode != nil)
      writer.member("culprits", culprits)
      if let safeMode {
        writer.member("level", level.rawValue)
        writer.member("reason", safeMode.reason)
      }
      writer.member("crashes", crashes)
      writer.member("suspects", suspects)
    }
    return writer.text
  }

  /// Returns the state of the guard for a manifest. It changes no file. A launch that is running does not count.
  package static func reading(
    _ directory: String, of manifest: String? = nil, with guardian: LaunchGuard = LaunchGuard()
  ) -> GuardState {
    let history = LaunchHistory(directory: directory, manifest: manifest)
    // Like a launch, it reads the records only if a crash is marked or a journal was left behind.
    guard history.hasCrashes || FileSystem.exists(history.journal), history.isTrusted else {
      return GuardState()
    }
    return guardian.state(after: history.factsSinceHealthy())
  }
}
