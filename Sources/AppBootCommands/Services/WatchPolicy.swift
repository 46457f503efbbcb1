public import AppBoot
package import AppBootSystem

/// The files after whose change a service restarts, while `appboot run` stays.
public struct WatchPolicy: ParameterGroup {
  /// The patterns of the files, relative to the manifest's directory.
  @Parameter(
    "Patterns of files below the manifest's directory, for example \"src/**/*.ts\". A directory's name is all of it.",
    schema: .nonEmpty(.array(TextParameter.schema)))
  public var files: [String]

  /// The patterns of files and directories that are left out.
  @Parameter(
    "Patterns to leave out, as in .gitignore: a name without a slash applies in every directory. .git, "
      + "node_modules, the state directory and temporary files of editors are always left out.",
    schema: .array(TextParameter.schema))
  public var ignore: [String] = []

  /// The ids of the steps that run before the restart. If one fails, the service goes on.
  @Parameter("The ids of steps that run again before the restart. If one fails, the service goes on.")
  public var run: [String] = []

  /// The time without a change after which changes take effect.
  @Parameter("The time without a further change after which changes take effect.")
  public var quiet: Duration = .milliseconds(100)

  /// The time between two comparisons of the files; `nil` to be notified by the system.
  @Parameter(
    "The interval between comparisons of the files, for file systems that report no changes.",
    schema: .optional(.timeout))
  public var poll: Duration?

  /// Creates a policy without files.
  public init() {}

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - files: The patterns of the files, relative to the manifest's directory.
  ///   - ignore: The patterns of files and directories that are left out.
  ///   - steps: The ids of the steps that run before the restart.
  public init(_ files: [String], ignore: [String] = [], run steps: [String] = []) {
    (self.files, self.ignore, run) = (files, ignore, steps)
  }

  /// Rejects a policy without files, and patterns for files outside of the manifest's directory.
  public func validate(_ validation: inout ParameterValidation) {
    if files.isEmpty { validation.reject("name at least one pattern of files", at: "files") }
    for (index, file) in files.enumerated() {
      if file.hasPrefix("/") || file.split(separator: "/").contains("..") {
        validation.reject(
          "must be below the manifest's directory, without \"..\"", at: "files", .index(index))
      }
    }
    for (key, patterns) in [("files", files), ("ignore", ignore)] {
      for (index, pattern) in patterns.enumerated() where pattern.hasPrefix("!") {
        validation.reject(
          "must not begin with \"!\": write only patterns of files to \(key == "files" ? "watch" : "ignore")",
          at: .key(key), .index(index))
      }
    }
    for (index, id) in run.enumerated() { validation.require(id, at: ["run", .index(index)], need: .step) }
    if let poll, poll <= .zero { validation.reject("must be greater than zero", at: "poll") }
  }

  /// Returns the selected files.
  ///
  /// - Parameter state: The path of the state directory below the manifest's directory; `nil` if it is elsewhere.
  package func selection(besides state: String?) -> FileSelection {
    FileSelection(
      files,
      ignoring: Self.ignored + (state.map { ["/\(GlobPattern.literal($0))"] } ?? []) + ignore)
  }

  /// The directories and the files of editors (Emacs, Vim, Kate, JetBrains) that no service uses.
  private static let ignored = [
    ".git", "node_modules", ".#*", "#*#", "*~", ".*.sw?", ".*.kate-swp", "4913", "*___jb_tmp___",
    "*___jb_old___",
  ]
}

extension WatchPolicy {
  /// An object, or the list of files.
  public static var parameterType: ParameterType<WatchPolicy> { parameterType(orOnly: "files") }
}

/// The changes of a service's files that wait for their effect.
///
///     idle → (a change) → quiet → (no change for a while) → serving → idle or quiet
///
/// The changes of all files take effect together. While they do, further changes wait, and take effect once afterwards.
package struct WatchedChanges: Sendable {
  /// The work that changed files require.
  package enum Work: Sendable, Equatable {
    /// The service must restart. The paths are the changed files, sorted.
    case serve([String])
    /// The service seems to write these files itself after each start. Their changes are ignored for a while. Then the
    /// last one takes effect, once.
    case loop([String])
  }

  /// The nanoseconds within which a change after a restart counts as a change by the service.
  private static let ownTime: Int64 = 1_000_000_000
  /// The number of restarts in a row, each for such changes, after which they count as a loop.
  package static let longestRow = 10
  /// The nanoseconds without changes after which files of a loop count again.
  private static let loopTime: Int64 = 10_000_000_000
  /// The most nanoseconds that changes wait for a quiet moment.
  private static let longestWait: Int64 = 2_000_000_000

  /// The nanoseconds after which a service that starts or stops is looked at again.
  private static let shortestWait: Int64 = 10_000_000

  private let quiet: Int64
  private var files: Set<String> = []
  private var due: Int64?
  private var since: Int64 = 0
  private var isServing = false
  /// The end of the last restart; `nil` before.
  private var servedAt: Int64?
  private var row = 0
  /// The files of a loop, and the time from which their changes count again.
  private var loop: (files: Set<String>, until: Int64) = ([], 0)
  /// True if the last change of a loop takes effect at its end, because something else may have written the files.
  private var awaitsLast = false
  /// True if the last change of this loop has taken effect.
  private var isLastServed = false

  package init(quiet: Duration) { self.quiet = quiet.nanoseconds }

  /// The time at which ``take(at:in:)`` returns work; `nil` for none.
  package var deadline: Int64? {
    isServing ? nil : [due, awaitsLast ? loop.until : nil].compactMap(\.self).min()
  }

  /// Returns whether ``take(at:in:)`` may return work now.
  package func isDue(at now: Int64) -> Bool { deadline.map { $0 <= now } ?? false }

  /// Adds changed files.
  package mutating func add(_ changed: some Collection<String>, at now: Int64) {
    if now >= loop.until, !awaitsLast { loop.files = [] }
    let new = changed.filter { !loop.files.contains($0) }
    if new.count < changed.count { loop.until = now + Self.loopTime }
    guard !new.isEmpty else { return }
    if files.isEmpty { since = now }
    files.formUnion(new)
    due = min(
      MonotonicClock.deadline(after: quiet, from: now),
      MonotonicClock.deadline(after: max(Self.longestWait, quiet), from: since))
  }

  /// Returns the work that is due. After ``Work/serve(_:)``, the caller calls ``finish(at:)`` when the service has
  /// restarted, or cannot.
  ///
  /// While a process of the service starts or stops, changes wait: it may have read the files already. The changes of a
  /// service that was stopped on request have no effect.
  ///
  /// - Parameter state: The state of the service; `nil` before its first start.
  package mutating func take(at now: Int64, in state: ServiceState?) -> Work? {
    guard isDue(at: now) else { return nil }
    switch state {
    case .waiting, .starting, .stopping, nil:
      let later = MonotonicClock.deadline(after: max(quiet, Self.shortestWait), from: now)
      if due != nil { due = later }
      if awaitsLast { loop.until = max(loop.until, later) }
      return nil
    case .stopped, .skipped:
      (files, due, awaitsLast) = ([], nil, false)
      return nil
    case .ready, .restarting, .ended, .failed: break
    }
    if awaitsLast, loop.until <= now {
      files.formUnion(loop.files)
      // One more change by the service is then a loop again, and its last change has no effect.
      (loop.files, awaitsLast, isLastServed, row) = ([], false, true, Self.longestRow - 1)
    } else {
      let isOwn = servedAt.map { since < $0 + Self.ownTime } ?? false
      row = isOwn ? row + 1 : 0
      if !isOwn { isLastServed = false }
    }
    let changed = files
    (files, due) = ([], nil)
    if row >= Self.longestRow {
      (row, loop) = (0, (changed, now + Self.loopTime))
      awaitsLast = !isLastServed
      return .loop(changed.sorted())
    }
    isServing = true
    return .serve(changed.sorted())
  }

  /// Notes that the service has restarted, or that it cannot. Changes since then are due after their quiet time.
  package mutating func finish(at now: Int64) { (isServing, servedAt) = (false, now) }
}
