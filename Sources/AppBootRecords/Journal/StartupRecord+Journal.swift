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
    writeMaking(to: &writer)
    writePlannedSteps(to: &writer)
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
}

extension RecordReader {
  /// Returns the identifier of the process that wrote the journal; `nil` if the journal does not have it.
  func process() throws(RecordError) -> Int32? { try processObject()?.integer("id", in: 1...Int32.max) }

  /// Returns whether the process that wrote the journal began under a debugger.
  func wasDebugged() throws(RecordError) -> Bool { try processObject()?.flag("debugged") ?? false }
}
