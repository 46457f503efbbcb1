import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords

@Suite("The record schema", .ownThread)
struct RecordSchemaTests {
  /// Records that together have every member of the schema.
  private static var records: [LaunchRecord] {
    get throws {
      var safe = LaunchRecord(
        outline: RecordSample.plan.inSafeMode(SafeMode(culprits: ["Push"], reason: "two crashes")).outline,
        startedAt: RecordSample.startedAt)
      safe.cancellation = .requested("SIGINT")
      safe.apply(LaunchEvent(.cancelled(reason: .requested("SIGINT")), at: 1))
      safe.apply(LaunchEvent(.declined(step: 0), at: 2))
      safe.apply(LaunchEvent(.launchEnded(.cancelled("SIGINT")), at: 3))

      var full = RecordSample.record
      full.header.jobs = 4
      full.header.labels = [LaunchLabel("branch", "main")]
      full.header.processors = 6
      full.header.isSerial = true
      full.header.trace = RecordHeader.Trace(
        traceID: "0af7651916cd43dd8448eb211c80319c", spanID: "00f067aa0ba902b7", parentID: "b7ad6b7169203331")
      full.events = [
        EventRecord(event: "openURL", scene: "main", time: 50_000_000, record: full),
        EventRecord(event: "didBecomeActive", time: 60_000_000, record: safe),
      ]
      let journal = try Journal(SourceText(name: "journal.jsonl", text: RecordSample.journal()))
      let payload = LaunchPlan(sequence: [FakeCommand()]).adapted(
        to: LaunchOptions(reason: .notification, payload: "{}"), on: nil, nil)
      var process = RecordSample.record
      process.apply(
        LaunchEvent(
          .processStarted(.init(step: 2, attempt: 2, pid: 4712, commandLine: "psql -f schema.sql")),
          at: 9_020_000))
      // The process of the undo of step 2, and the process of step 1.
      process.apply(
        LaunchEvent(
          .processStarted(.init(step: 1, attempt: 1, pid: 4713, commandLine: "track")), at: 9_021_000))
      process.apply(LaunchEvent(.killed(step: 1, after: .seconds(2)), at: 50_000_000))
      let crash = StepState.failed(Failure(message: "exited with code 1", type: "ServiceError"))
      process.apply(LaunchEvent(.ended(step: 0, state: crash), at: 60_000_000))
      process.apply(LaunchEvent(.announced(step: 2, text: "ready"), at: 9_030_000))
      let included = RecordSample.record.json()
        .replacing(/"column": [0-9]+/, maxReplacements: 1) { "\($0.output),\n      \"file\": \"base.json\"" }
      return [
        full, safe, process, try LaunchRecord(json: included), journal.record, payload.runBlocking(),
        LaunchRunner(LaunchPlan(sequence: [SimulatedWait(), Suspended()])).snapshot().record,
      ]
    }
  }

  @Test("Every record fits the schema, and the schema describes each of its members")
  func written() throws {
    for record in try Self.records {
      var validator = try SchemaValidator()
      validator.check(try JSONDocument(parsing: SourceText(name: "record.json", text: record.json())).root)
      #expect(validator.problems.isEmpty, "\(validator.problems)")
    }
  }

  @Test("Each member that the schema describes is in one of the records")
  func described() throws {
    var validator = try SchemaValidator()
    for record in try Self.records {
      validator.check(try JSONDocument(parsing: SourceText(name: "record.json", text: record.json())).root)
    }
    #expect(validator.unseen.isEmpty, "\(validator.unseen)")
  }

  @Test("No object of a record declares a member twice")
  func duplicates() throws {
    let schema = SourceText(name: "schema.json", text: LaunchRecord.jsonSchema())
    #expect(try JSONDocument(parsing: schema).duplicateKeys.map(\.key) == [])
  }

  @Test("A record that is read back has the same text")
  func readBack() throws {
    for record in try Self.records {
      let json = record.json()
      #expect(try LaunchRecord(json: SourceText(name: "record.json", text: json)).json() == json)
    }
  }

  @Test("The record that Docs/record.md shows is one that fits the schema")
  func example() throws {
    let path = FileSystem.directory(of: #filePath) + "/../../../Docs/samples/record.json"
    let example = String(decoding: try FileSystem.readFile(path), as: UTF8.self).dropLast()
    let source = SourceText(name: "record.json", text: String(example))
    var validator = try SchemaValidator()
    validator.check(try JSONDocument(parsing: source).root)
    #expect(validator.problems.isEmpty, "\(validator.problems)")
    #expect(try LaunchRecord(json: source).json().utf8.elementsEqual(example.utf8))
  }

  @Test("The schema rejects a record with a wrong type, a missing member or an unknown choice")
  func rejected() throws {
    let json = RecordSample.record.json()
    for (text, replacement) in [
      ("\"duration\": 41000000", "\"duration\": \"41 ms\""), ("\"name\": \"Notes\",", ""),
      ("\"lane\": \"main\"", "\"lane\": \"side\""), ("\"note\":", "\"notes\":"),
      ("\"ready\": 0", "\"ready\": -1"),
    ] {
      let changed = json.replacing(text, with: replacement)
      #expect(changed != json)
      var validator = try SchemaValidator()
      validator.check(try JSONDocument(parsing: SourceText(name: "record.json", text: changed)).root)
      #expect(!validator.problems.isEmpty, "\(text)")
    }
  }
}

/// A validator for the keywords that the record's schema uses; members without a description are problems too.
private struct SchemaValidator {
  private let root: JSONValue
  private(set) var problems: [String] = []
  private var seen: Set<String> = []

  init() throws {
    root = try JSONDocument(
      parsing: SourceText(name: "schema.json", text: LaunchRecord.jsonSchema())
    ).root
  }

  mutating func check(_ record: JSONValue) { check(record, root, at: "record") }

  /// The members of the schema that no checked record had.
  var unseen: [String] {
    var all = Self.members(of: root, "record")
    for definition in Self.members(of: root["$defs"]) {
      all += Self.members(of: definition.value, definition.key.string)
    }
    return all.filter { !seen.contains($0) }
  }

  private static func members(of schema: JSONValue, _ name: String) -> [String] {
    members(of: schema["properties"]).map { "\(name).\($0.key.string)" }
  }

  private static func members(of object: JSONValue?) -> [JSONValue.Member] {
    object.map { Array($0.members) } ?? []
  }

  private mutating func check(_ value: JSONValue, _ schema: JSONValue, at path: String) {
    if let reference = schema["$ref"]?.string {
      let name = String(reference.dropFirst("#/$defs/".count))
      guard let definition = root["$defs"]?[name] else { return problems.append("no definition \(name)") }
      return check(value, definition, at: name)
    }
    if let choices = schema["enum"], !choices.elements.contains(where: { $0.string == value.string }) {
      problems.append("\(path): \(value.text)")
    }
    if let constant = schema["const"], constant.text != value.text {
      problems.append("\(path): \(value.text)")
    }
    switch schema["type"]?.string {
    case "object": checkMembers(of: value, schema, at: path)
    case "array":
      if value.kind != .array { problems.append("\(path): \(value.kind)") }
      if let items = schema["items"] { for element in value.elements { check(element, items, at: path) } }
    case "integer": checkInteger(value, schema, at: path)
    case "string": if value.string == nil { problems.append("\(path): \(value.kind)") }
    case "boolean": if value.bool == nil { problems.append("\(path): \(value.kind)") }
    default: break
    }
  }

  private mutating func checkMembers(of value: JSONValue, _ schema: JSONValue, at path: String) {
    guard value.kind == .object else { return problems.append("\(path): \(value.kind)") }
    let required = schema["required"].map { Array($0.elements) } ?? []
    for name in required where name.string.flatMap({ value[$0] }) == nil {
      problems.append("\(path): \(name.text) is missing")
    }
    for member in value.members {
      let name = "\(path).\(member.key.string)"
      guard let property = schema["properties"]?[member.key.string] ?? schema["additionalProperties"]
      else {
        problems.append("\(name) is not described")
        continue
      }
      seen.insert(name)
      check(member.value, property, at: name)
    }
  }

  private mutating func checkInteger(_ value: JSONValue, _ schema: JSONValue, at path: String) {
    guard let number = try? value.integer(as: Int64.self) else {
      return problems.append("\(path): \(value.text)")
    }
    if let minimum = try? schema["minimum"]?.integer(as: Int64.self), number < minimum {
      problems.append("\(path): \(number)")
    }
    if let maximum = try? schema["maximum"]?.integer(as: Int64.self), number > maximum {
      problems.append("\(path): \(number)")
    }
  }
}

private struct Suspended: AsyncCommand {
  func execute(in context: LaunchContext) async {}
}
