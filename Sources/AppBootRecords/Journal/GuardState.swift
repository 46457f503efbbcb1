package import AppBoot
import AppBootSystem

/// A launch that has ended, as the launch guard sees it.
package enum EndedLaunch: Sendable, Hashable {
  /// The launch ended with any outcome, or the app reported that it is healthy.
  ///
  /// The user excluded the steps in `without`. Earlier crashes in these steps still count.
  case healthy(without: Set<String> = [])
  /// The process ended before the launch did. The ids are those of the running steps, in manifest order.
  case crashed(in: [String])
  /// The launch does not count: a user stopped it, a debugger was attached, or it ran in the background.
  case neutral

  /// Classifies the launch of a journal whose process has ended.
  package init(of journal: Journal) {
    let record = journal.record
    switch record.outline.options.reason {
    // The system may end background launches at any time.
    case .background, .prewarm: self = .neutral
    // A cancelled launch ends because its user wants it to.
    case _ where record.cancellation?.isRequested == true: self = .neutral
    case _ where journal.hasEnded || record.healthyTime != nil:
      self = .healthy(without: Set(record.filter(\.isExcluded).map(\.id)))
    case .normal, .url, .activity, .quickAction, .notification:
      self = journal.wasDebugged ? .neutral : .crashed(in: journal.running.map(\.id))
    }
  }
}

extension CancelReason {
  fileprivate var isRequested: Bool { if case .requested = self { true } else { false } }
}

extension StepRecord {
  /// True if the selection of steps excluded the step, for example with `--skip`.
  fileprivate var isExcluded: Bool { if case .skipped(.excluded) = state { true } else { false } }
}

/// The state of the launch guard, which decides from the last launches whether the next one runs in safe mode.
///
/// After a number of crashes in a row in the same step, the next launch skips that step. If a launch in safe mode
/// crashes as well, the next one skips more steps. Neutral launches (``EndedLaunch/neutral``) are ignored. A healthy
/// launch resets the guard, unless its user excluded a step that crashed. The rule is a pure function.
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

  /// Creates the state after these launches, oldest first.
  ///
  /// - Parameter crashLimit: The number of crashes in a row in the same step after which safe mode begins; at least 1.
  package init(after launches: [EndedLaunch] = [], crashLimit: Int = 2) {
    for launch in launches {
      switch launch {
      case .neutral: continue
      case .healthy(let excluded): if !suspects(anyOf: excluded) { self = GuardState() }
      case .crashed(let running): addCrash(in: running, limit: max(1, crashLimit))
      }
    }
  }

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
  private func suspects(anyOf steps: Set<String>) -> Bool {
    (suspects + culprits).contains(where: steps.contains)
  }

  private mutating func addCrash(in running: [String], limit: Int) {
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
  package func json() -> String {
    JSONWriter.object { writer in
      writer.member("safeMode", safeMode != nil)
      writer.member("culprits", culprits)
      if let safeMode {
        writer.member("level", level.rawValue)
        writer.member("reason", safeMode.reason)
      }
      writer.member("crashes", crashes)
      writer.member("suspects", suspects)
    }
  }

  /// Returns the state of the guard for a manifest. It changes no file. A launch that is running does not count.
  package static func reading(
    _ directory: String, of manifest: String? = nil, crashLimit: Int = 2
  ) -> GuardState {
    let history = LaunchHistory(directory: directory, manifest: manifest)
    // Like a launch, it reads the records only if a crash is marked or a journal was left behind.
    guard history.hasCrashes || FileSystem.exists(history.journal), history.isTrusted else {
      return GuardState()
    }
    return GuardState(after: history.launchesSinceHealthy(), crashLimit: crashLimit)
  }
}
