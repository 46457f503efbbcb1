import AppBoot

extension StartupRecord {
  /// Returns the first line of the journal without the start time, which is not known before the launch begins.
  ///
  /// ``endOfJournalHeader(startedAt:)`` completes the line. It has the form of a record without events.
  func beginningOfJournalHeader(process: Int32, wasDebugged: Bool) -> JSONWriter {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("format", Journal.formatName)
    writer.member("version", Self.formatVersion)
    writer.member("name", outline.name)
    writer.key("process")
    writer.object { writer in
      writer.member("id", process)
      if wasDebugged { writer.member("debugged", true) }
    }
    writer.members(of: header)
    if let manifest = RecordedManifest(outline) { writer.member("manifest", manifest) }
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
    _ = optional("steps", .parts(), PlannedStep.all(of: outline))
  }
}
