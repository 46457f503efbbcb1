@testable import AppBoot
@testable import AppBootRecords
@testable import AppBootReports
@testable import AppBootTool

/// Reads records, and writes every report of them.
func fuzzRecord(_ bytes: [UInt8]) {
  do {
    let records = try RecordSets.records(in: SourceText(name: "record.json", bytes: bytes))
    require(!records.isEmpty, "a text without records is accepted")
    for record in records.prefix(2) { checkReports(of: record, choice: bytes.choice) }
    if bytes.choice % 4 == 0 { checkComparison(of: records, choice: bytes.choice / 4) }
  } catch let error as RecordError {
    check(error, in: bytes)
  } catch {
    require(false, "\(error) is not an error of a record")
  }
}

/// Reads a journal: its events give the same record again, and so does every part of it up to a line.
func fuzzJournal(_ bytes: [UInt8]) {
  let source = SourceText(name: "journal.jsonl", bytes: bytes)
  do throws(RecordError) {
    let journal = try Journal(source)
    checkReports(of: journal.record, choice: bytes.choice)
    let launch = EndedLaunch(of: journal)
    requireJSON(GuardState(after: [launch, launch, launch]).json(), "the state of the guard")
    for line in journal.damage.map(\.line) { require(line > 1, "the first line is damaged") }
    checkEvents(of: journal, source)
    checkPart(of: journal, bytes)
  } catch {
    check(error, in: bytes)
  }
}

private func check(_ error: RecordError, in bytes: [UInt8]) {
  require(!error.summary.isEmpty && !error.description.isEmpty, "the error has no message")
  guard let place = error.location else { return }
  let lines = bytes.reduce(1) { $0 + ($1 == 0x0A || $1 == 0x0D ? 1 : 0) }
  require((1...lines).contains(place.line) && place.column >= 1, "the place \(place) is outside of the text")
}

// MARK: - Journals

/// Requires that the journal's events, written again, give the same record.
private func checkEvents(of journal: Journal, _ source: SourceText) {
  var lines = JournalLine.all(of: source).makeIterator()
  guard let header = lines.next() else { return }
  var encoder = JournalEncoder()
  for event in journal.events { encoder.add(event, in: journal.record.outline) }
  let text = header.text.bytes + [0x0A] + encoder.batch
  var expected = journal.record
  expected.events = []
  // Beyond its limit a journal holds output back.
  guard !encoder.holdsOutputBack else { return }
  let again = try? Journal(SourceText(name: "journal.jsonl", bytes: text))
  require(
    again != nil && again?.damage.isEmpty == true, "a written event cannot be read: \(again?.damage as Any)")
  requireEqual(again?.record.json() ?? "", expected.json(), "the record of the events")
}

/// Requires that a cut changes no line before it: a sound journal has sound beginnings.
private func checkPart(of journal: Journal, _ bytes: [UInt8]) {
  guard let start = bytes.firstIndex(of: 0x0A), start > 0 else { return }
  let end = start + 1 + bytes.choice % (bytes.count - start)
  guard
    let part = try? Journal(SourceText(name: "journal.jsonl", bytes: Array(bytes[..<min(end, bytes.count)])))
  else { return }
  let whole = journal.damage.prefix(part.damage.count)
  // The last line of the part may be cut.
  require(part.damage.dropLast().elementsEqual(whole.dropLast()), "a cut changes the damage before it")
  require(part.events.count <= journal.events.count, "a cut adds events")
}

// MARK: - Reports

/// The number of opening script tags in a page; the same for every record.
private let scripts: Int = {
  let outline = LaunchOutline(
    name: "", options: LaunchOptions(), steps: [], graph: DependencyGraph(predecessors: []))
  return count("<script", in: ReportFormat.html.render(LaunchRecord(outline: outline, startedAt: "")))
}()

/// Requires that a record is the same after it is written and read, and that one of its reports has the right form.
func checkReports(of record: LaunchRecord, choice: Int) {
  let json = record.json()
  do throws(RecordError) {
    let again = try LaunchRecord(json: SourceText(name: "record.json", text: json))
    requireEqual(again.json(), json, "the record")
  } catch {
    require(false, "the record cannot be read again: \(error.summary): \(shown(json))")
  }
  let format = ReportFormat.allCases[choice % ReportFormat.allCases.count]
  let text = format.render(record)
  switch format {
  case .json, .trace, .otlp: requireJSON(text, "\(format) report")
  case .junit, .svg: requireXML(text, "\(format) report")
  case .html:
    require(count("<script", in: text) == scripts, "html report: a text is a script: \(shown(json))")
  case .text, .markdown: requireVisible(text, "\(format) report")
  case .github, .dot, .mermaid: requireVisible(text, "\(format) report")
  }
  checkText(of: record, choice: choice / ReportFormat.allCases.count)
}

private func checkText(of record: LaunchRecord, choice: Int) {
  var style = TextStyle(width: choice % 2 == 0 ? 40 : 120, usesASCII: choice % 3 == 0)
  style.breaksWorkflowCommands = choice % 2 == 0
  let text = TextReport(style: style, detail: choice % 5 == 0 ? .failures : .full).text(of: record)
  requireVisible(text, "report")
  if style.breaksWorkflowCommands { requireInert(text, "report") }
  if style.usesASCII { require(text.utf8.allSatisfy { $0 < 0x80 }, "report is not ASCII: \(shown(text))") }
}

private func checkComparison(of records: [LaunchRecord], choice: Int) {
  let comparison = Comparison(base: [records], head: records.reversed())
  let format = ComparisonFormat.allCases[choice % ComparisonFormat.allCases.count]
  let text = format.render(comparison)
  if format == .json { requireJSON(text, "compare") } else { requireVisible(text, "compare") }
}

// MARK: - Texts

func requireEqual(_ text: String, _ expected: String, _ what: String) {
  guard !text.utf8.elementsEqual(expected.utf8) else { return }
  let place = zip(text.utf8, expected.utf8).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
  let parts = [text, expected].map {
    shown(String(decoding: $0.utf8.dropFirst(max(0, place - 60)).prefix(160), as: UTF8.self))
  }
  require(false, "\(what) has changed at byte \(place): \(parts[0]) was \(parts[1])")
}

private func count(_ word: String, in text: String) -> Int {
  let word = Array(word.utf8)
  let bytes = Array(text.utf8)
  guard bytes.count >= word.count else { return 0 }
  return (0...(bytes.count - word.count)).count { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
}
