extension StartupRecord {
  /// The first line of the launch's journal, up to the moment of its start: everything known before it begins.
  ///
  /// ``endOfJournalHeader(startedAt:)`` completes it. It is a record without what happened.
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
    writeMaking(to: &writer)
    writePlannedSteps(to: &writer)
    return writer
  }
}

extension JSONWriter {
  /// Completes the first line of a journal.
  mutating func endOfJournalHeader(startedAt: String) {
    member("startedAt", startedAt)
    endObject()
    endLine()
  }
}

extension RecordReader {
  /// The process that wrote a journal.
  func process() throws(RecordError) -> Int32? { try processObject()?.integer("id", in: 1...Int32.max) }

  /// Whether that process began under a debugger.
  func wasDebugged() throws(RecordError) -> Bool { try processObject()?.flag("debugged") ?? false }
}
