package import AppBoot
import AppBootSystem

extension LaunchJournal {
  /// Opens the journal for a launch. Returns the outline, which is in safe mode if the launch guard requires it.
  package func open(
    for outline: LaunchOutline, masking secrets: Secrets = Secrets(), header: RecordHeader
  ) -> LaunchOutline {
    let isFresh = state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
    guard isFresh else {
      warn("a journal records one launch; this one is not recorded")
      return outline
    }
    manifest.withLock { $0 = outline.manifestName }
    let opened = openFile()
    let hasCrashes = opened.isTrusted && (opened.wasLeft || history.hasCrashes)
    if hasCrashes, history.hasForeignMarkers {
      warn("\"\(history.crashMarkerPath)\" has crashes from another directory, which do not count")
    }
    // Records are read only if a launch has crashed since the last healthy launch.
    let guardState = GuardState(
      after: hasCrashes ? history.launchesSinceHealthy() : [], crashLimit: crashLimit)
    let outline = guardState.safeMode(isForced: forcesSafeMode).map(outline.inSafeMode) ?? outline
    var record = LaunchRecord(outline: outline.masked(by: secrets), startedAt: "")
    record.header = header
    let line = record.beginningOfJournalHeader(
      process: Host.processIdentifier, in: history.origin, wasDebugged: Debugger.isAttached)
    state.withLock { state in
      state.standing = opened.standing
      state.file = opened.file
      state.hasCrashes = hasCrashes
      state.header = opened.file == nil ? nil : line
    }
    return outline
  }

  private struct Opened {
    var standing = Standing.writing
    var file: ExclusiveFile?
    /// True if an earlier launch left its journal.
    var wasLeft = false
    /// False if another user may have changed the directory.
    var isTrusted = false
  }

  private func openFile() -> Opened {
    var opened = Opened()
    do {
      try FileSystem.checkOwn(directory: directory)
      opened.isTrusted = true
      // Each round finds an empty journal, or stores the one that a crashed launch left.
      for _ in 0..<64 {
        guard let file = try openJournal() else { break }
        if file.length == 0 {
          opened.file = file
          return opened
        }
        opened.wasLeft = true
        try putAway(file)
      }
      opened.standing = busy()
    } catch {
      let reason = String(describing: error)
      warn("continuing without recording this launch: \(reason)")
      opened.standing = .unavailable(reason)
    }
    return opened
  }

  private func openJournal() throws -> ExclusiveFile? {
    do throws(SystemError) {
      return try ExclusiveFile.open(history.journal)
    } catch  where error.isNotFound {
      try DirectoryStateStore(path: directory).prepare()
      return try ExclusiveFile.open(history.journal)
    }
  }

  /// Returns the first line of the journal, about the launch that uses it; `nil` if it is unknown.
  private func ownerOfJournal() -> Journal? {
    // The first line names the process. One of more than a MiB has thousands of steps and takes too long to read.
    let start = (try? FileSystem.readStart(of: history.journal, limit: 1 << 20)) ?? []
    let line = Array(start.prefix { $0 != UInt8(ascii: "\n") })
    return try? Journal(SourceText(name: history.journal, bytes: line))
  }

  private func busy() -> Standing {
    let owner = ownerOfJournal()
    let pid = owner?.process.map { " (pid \($0))" } ?? ""
    let own = manifest.withLock(\.self)
    let other = owner?.record.outline.manifestName.flatMap { ManifestScope.isSame($0, own) ? nil : $0 }
    let name = other.map { " of \($0)" } ?? ""
    let help = other == nil ? "" : ": give each manifest its own directory, with --state DIR"
    warn("another launch\(name)\(pid) is using \(directory); continuing without saving state\(help)")
    return .busy(process: owner?.process)
  }

  /// Stores the journal that an earlier launch left as a record.
  private func putAway(_ file: ExclusiveFile) throws(SystemError) {
    defer { file.close() }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.readFile(history.journal, limit: LaunchHistory.mostBytes)
    } catch  where error.isTooLarge {
      return try moveAside(file, "cannot be read", "it is larger than \(LaunchHistory.mostBytes >> 20) MiB")
    }
    let journal: Journal
    do throws(RecordError) {
      journal = try Journal(SourceText(name: history.journal, bytes: bytes))
    } catch {
      return try moveAside(file, "cannot be read", error.summary)
    }
    guard let stamp = LaunchID.stamp(of: journal.record.startedAt) else {
      return try moveAside(file, "cannot be read", "it has no start time")
    }
    if history.isFromHere(journal) {
      // Before the journal moves: if the process ends in between, the journal stays.
      history.note(journal)
    } else if !journal.hasEnded {
      warn(
        "\"\(history.journal)\" is from another directory: it is stored as a record, and does not count as a crash"
      )
    }
    if let damage = journal.damage.words {
      warn("the last launch's journal is damaged; skipping \(damage)")
    }
    do throws(SystemError) {
      try history.keep(file, stamp: stamp, process: journal.process ?? 0)
    } catch {
      // A journal that stays would keep this launch from being recorded.
      try moveAside(file, "cannot be stored", error.description)
    }
  }

  private func moveAside(_ file: ExclusiveFile, _ problem: String, _ reason: String) throws(SystemError) {
    try file.rename(to: history.damagedJournal)
    warn("the last launch's journal \(problem); it was moved to \(history.damagedJournal): \(reason)")
  }
}

extension LaunchRecord {
  /// Returns the first line of the journal without the start time, which is not known before the launch begins.
  ///
  /// ``endOfJournalHeader(startedAt:)`` completes the line. It has the form of a record without events.
  ///
  /// - Parameter origin: The origin of the state directory (`FileSystem.origin(of:)`).
  func beginningOfJournalHeader(process: Int32, in origin: String?, wasDebugged: Bool) -> JSONWriter {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("format", Journal.formatName)
    writer.member("version", Self.formatVersion)
    writer.member("name", outline.name)
    writer.object("process") { writer in
      writer.member("id", process)
      if let origin { writer.member("origin", origin) }
      if wasDebugged { writer.member("debugged", true) }
    }
    writer.members(of: header)
    if let manifest = outline.manifest { writer.member("manifest", manifest) }
    writer.members(of: RecordedPlan(outline))
    writer.plannedSteps(of: outline)
    return writer
  }
}

extension JSONWriter {
  /// Completes the first line of a journal with the start time.
  mutating func endOfJournalHeader(startedAt: String) {
    member("startedAt", startedAt)
    endObject()
    endLine()
  }

  /// Writes `steps` with the members that are known before a run begins.
  mutating func plannedSteps(of outline: LaunchOutline) {
    _ = optional("steps", .parts(), RecordedStepPlan.all(of: outline))
  }
}

extension LaunchOutline {
  /// Returns the outline in safe mode. Steps that safe mode leaves out are skipped with a reason.
  ///
  /// - A culprit is skipped unless its policy is `stop`. The launch needs that step; its command can check
  ///   ``LaunchContext/isSafeMode``.
  /// - Steps that come after a skipped step are skipped too, unless the policy of the skipped step is `continue`
  ///   or `keepGoing`.
  /// - On the level `followers`, steps that come after a culprit are skipped if their policy is `continue` or
  ///   `skipDependents`.
  package func inSafeMode(_ mode: SafeMode) -> LaunchOutline {
    var reasons: [Int: String] = [:]
    var dependents: Set<Int> = []
    var optionals: Set<Int> = []
    func leaveOut(_ step: Int, _ reason: String) {
      guard reasons[step] == nil else { return }
      reasons[step] = reason
      guard !self[step].onFailure.releasesSuccessors else { return }
      for follower in followers(of: step, notIn: &dependents) where reasons[follower] == nil {
        reasons[follower] = "safe mode: it comes after \"\(self[step].id)\", which is skipped"
      }
    }
    for culprit in mode.culprits.compactMap(index(ofStep:)) {
      if self[culprit].onFailure != .stop {
        leaveOut(culprit, "safe mode: the last launches crashed in this step")
      }
      guard mode.level == .followers else { continue }
      for follower in followers(of: culprit, notIn: &optionals).sorted() {
        switch self[follower].onFailure {
        case .continue, .skipDependents:
          leaveOut(follower, "safe mode: it is optional and comes after \"\(self[culprit].id)\"")
        case .stop, .keepGoing, .rollback: continue
        }
      }
    }
    var outline = self
    for (step, text) in reasons where steps[step].skip == nil { outline.steps[step].skip = .safeMode(text) }
    outline.safeMode = mode
    return outline
  }

  /// Returns the steps that come after a step, directly or indirectly, and that no search has visited.
  private func followers(of step: Int, notIn visited: inout Set<Int>) -> [Int] {
    var found = [step]
    var next = 0
    while next < found.count {
      found += successors(of: found[next]).filter { visited.insert($0).inserted }
      next += 1
    }
    return Array(found.dropFirst())
  }
}

extension LaunchPlan {
  /// Returns the plan in safe mode. ``LaunchOutline/inSafeMode(_:)`` has the rules.
  package func inSafeMode(_ mode: SafeMode) -> LaunchPlan {
    var plan = self
    plan.outline = outline.inSafeMode(mode)
    return plan
  }
}

private typealias Machine = Host

extension RecordHeader.Host {
  /// Returns the facts about this machine. It makes system calls.
  package static func current() -> Self {
    let kernel = Machine.kernel()
    return Self(
      system: kernel.system, release: kernel.release, architecture: kernel.architecture,
      processor: Machine.processorModel(), cores: Machine.processorCount)
  }
}
