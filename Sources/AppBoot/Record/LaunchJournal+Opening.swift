import AppBootSystem

extension LaunchJournal {
  /// Takes the journal for a launch, and answers with the plan as the launch guard lets it run.
  func open(for plan: StartupPlan, header: RecordHeader) -> StartupPlan {
    let opened = openFile()
    let safeMode = self.safeMode(after: opened.dead)
    let plan = safeMode.map(plan.inSafeMode) ?? plan
    let isFresh = state.withLock { state in
      guard state.standing == .unopened else { return false }
      state.standing = opened.standing
      state.file = opened.file
      return true
    }
    guard isFresh else {
      warn("a journal serves one launch: this one is not recorded")
      return plan
    }
    if opened.file != nil {
      var record = StartupRecord(plan: plan, startedAt: "")
      record.header = header
      let line = record.beginningOfJournalHeader(
        process: Host.processIdentifier, wasDebugged: Debugger.isAttached)
      state.withLock { $0.header = line }
    }
    return plan
  }

  private struct Opened {
    var standing: Standing
    var file: ExclusiveFile?
    /// Whether an earlier launch left its journal behind.
    var dead = false
  }

  private func openFile() -> Opened {
    var isDead = false
    do {
      // Each round either has an empty journal or puts one out of the way that a dead launch left.
      for _ in 0..<8 {
        guard let file = try openJournal() else { return busy() }
        if file.isEmpty { return Opened(standing: .writing, file: file, dead: isDead) }
        isDead = true
        try putAway(file)
      }
      return busy()
    } catch {
      let reason = String(describing: error)
      warn("nothing is kept of this launch: \(reason)")
      return Opened(standing: .unavailable(reason), dead: isDead)
    }
  }

  private func openJournal() throws -> ExclusiveFile? {
    do throws(SystemError) {
      return try ExclusiveFile.open(history.journal)
    } catch  where error.isNotFound {
      try DirectoryStateStore(path: directory).prepare()
      return try ExclusiveFile.open(history.journal)
    }
  }

  private func busy() -> Opened {
    let bytes = (try? FileSystem.readFile(history.journal)) ?? []
    let process = (try? Journal(SourceText(name: history.journal, bytes: bytes)))?.process
    let who = process.map { "process \($0)" } ?? "another launch"
    warn("\(who) boots with \(directory) right now: this launch goes on, and keeps nothing there")
    return Opened(standing: .busy(process: process))
  }

  /// Puts the journal of a launch that did not reach its end among the records.
  private func putAway(_ file: ExclusiveFile) throws(SystemError) {
    defer { file.close() }
    let source = SourceText(name: history.journal, bytes: try FileSystem.readFile(history.journal))
    let journal: Journal
    do throws(RecordError) {
      journal = try Journal(source)
    } catch {
      return try discard(file, error.summary)
    }
    let startedAt = journal.record.startedAt
    guard let place = history.place(startedAt: startedAt, process: journal.process ?? 0) else {
      return try discard(file, "it does not say when it began")
    }
    if let first = journal.damage.first {
      let more = journal.damage.count > 1 ? ", and \(journal.damage.count - 1) more" : ""
      warn("the last launch's journal is damaged, and read without \(first)\(more)")
    }
    try history.keep(file, at: place)
  }

  private func discard(_ file: ExclusiveFile, _ reason: String) throws(SystemError) {
    try file.rename(to: history.damagedJournal)
    warn("the last launch's journal cannot be read, and is kept as \(history.damagedJournal): \(reason)")
  }

  /// How this launch is careful; asks the records only where the last launch left its journal behind.
  private func safeMode(after hasDeath: Bool) -> SafeMode? {
    let known = hasDeath ? launchGuard.state(after: history.factsSinceHealthy()) : GuardState()
    if let safeMode = known.safeMode { return safeMode }
    guard forcesSafeMode else { return nil }
    let reason = "it was asked for"
    return SafeMode(culprits: known.suspects, reason: reason)
  }
}

extension SafeMode {
  /// A launch that is careful because somebody wants it to be, where nothing is known of earlier ones.
  public static var requested: SafeMode { SafeMode(culprits: [], reason: "it was asked for") }
}
