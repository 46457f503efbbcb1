import AppBoot

/// The description of a member of an object in a record's JSON, for the schema.
struct RecordMember {
  /// The type of the member's value.
  enum Kind {
    case text, flag, texts, labels
    case integer(minimum: Int)
    case time
    case duration
    case choice([String])
    case version
    case part(String)
    case parts(String)
  }

  let name: String
  let kind: Kind
  let help: String
  var isRequired = false
}

/// A collector of the members that the parts of a record declare.
struct RecordSchema: RecordCoder {
  typealias Problem = Never

  let index = 0
  private(set) var members: [RecordMember] = []
  /// The definitions of the inner parts, by name.
  private(set) var definitions: [String: [RecordMember]] = [:]

  private mutating func add(
    _ name: String, _ kind: RecordMember.Kind, _ help: String, isRequired: Bool = false
  ) {
    members.append(RecordMember(name: name, kind: kind, help: help, isRequired: isRequired))
  }

  mutating func text(_ name: String, _ value: String?, _ help: String) -> String? {
    add(name, .text, help)
    return nil
  }

  mutating func requiredText(_ name: String, _ value: String?, _ help: String) -> String {
    add(name, .text, help, isRequired: true)
    return ""
  }

  mutating func texts(_ name: String, _ value: [String], _ help: String) -> [String] {
    add(name, .texts, help)
    return []
  }

  mutating func requiredTexts(_ name: String, _ value: [String], _ help: String) -> [String] {
    add(name, .texts, help, isRequired: true)
    return []
  }

  mutating func integer(_ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String) -> Int? {
    add(name, .integer(minimum: range.lowerBound), help)
    return nil
  }

  mutating func requiredInteger(
    _ name: String, _ value: Int?, in range: ClosedRange<Int>, _ help: String
  ) -> Int {
    add(name, .integer(minimum: range.lowerBound), help, isRequired: true)
    return range.lowerBound
  }

  mutating func time(_ name: String, _ value: Int64?, notBefore start: Int64?, _ help: String) -> Int64? {
    add(name, .time, help)
    return nil
  }

  mutating func requiredTime(_ name: String, _ value: Int64?, _ help: String) -> Int64 {
    add(name, .time, help, isRequired: true)
    return 0
  }

  mutating func labels(_ name: String, _ value: [LaunchLabel], _ help: String) -> [LaunchLabel] {
    add(name, .labels, help)
    return []
  }

  mutating func duration(_ name: String, _ value: Int64?, _ help: String) -> Int64? {
    add(name, .duration, help)
    return nil
  }

  mutating func flag(_ name: String, _ value: Bool, _ help: String) -> Bool {
    add(name, .flag, help)
    return false
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ value: Choice?, ifAbsent absent: Choice, _ help: String
  ) -> Choice {
    add(name, .choice(Choice.allCases.map(\.rawValue)), help, isRequired: true)
    return absent
  }

  mutating func part<Part: RecordPart>(_ name: String, _ value: Part?, _ help: String) -> Part? {
    add(name, .part(Part.definition), help)
    define(Part.self)
    return nil
  }

  mutating func parts<Part: RecordPart>(_ name: String, _ value: [Part], _ help: String) -> [Part] {
    add(name, .parts(Part.definition), help)
    define(Part.self)
    return []
  }

  private mutating func define<Part: RecordPart>(_ type: Part.Type) {
    guard definitions[Part.definition] == nil else { return }
    var inner = RecordSchema()
    _ = Part.coded(nil, by: &inner)
    definitions[Part.definition] = inner.members
    definitions.merge(inner.definitions) { first, _ in first }
  }

  // MARK: - The whole record

  /// Adds a required member. ``StartupRecord/json(pretty:)`` writes it without a ``RecordPart``.
  private mutating func required(_ name: String, _ kind: RecordMember.Kind, _ help: String) {
    add(name, kind, help, isRequired: true)
  }

  /// The definitions of all objects by name. The definition of the record itself is `record`.
  static var all: [String: [RecordMember]] {
    var record = RecordSchema()
    record.required("format", .choice([StartupRecord.formatName]), "The name of the format.")
    record.required("version", .version, "The version of the format.")
    record.required("name", .text, "The launch's name.")
    record.addMembers(of: RecordHeader.self)
    record.add("manifest", .part("manifest"), "The manifest; absent for a plan made in code.")
    record.addRun(of: "The launch")
    record.add("events", .parts("event"), "The runs of event handlers after the launch, sorted by start.")

    var event = RecordSchema()
    event.required("event", .text, "The event's name.")
    event.add("scene", .text, "The scene of the event; absent for an event of the process.")
    event.required("at", .time, "The time of the event, since the launch began.")
    event.addRun(of: "The run of the handlers")

    var step = RecordSchema()
    step.addMembers(of: PlannedStep.self)
    step.addStepPlace()
    step.addStepState()
    step.addMembers(of: StepDetails.self)

    var all = record.definitions.merging(event.definitions) { $1 }.merging(step.definitions) { $1 }
    (all["record"], all["event"], all["step"]) = (record.members, event.members, step.members)
    for (name, members) in small { all[name] = members }
    return all
  }

  private mutating func addMembers<Part: RecordPart>(of type: Part.Type) { _ = Part.coded(nil, by: &self) }

  /// Adds the members that a launch and a run of event handlers have in common.
  private mutating func addRun(of subject: String) {
    required("launch", .part(LaunchOptions.definition), "The request that the commands see.")
    define(LaunchOptions.self)
    _ = part("safeMode", SafeMode?.none, "The safe mode; absent outside safe mode.")
    add("budget", .duration, "The time budget.")
    add("timeout", .duration, "The timeout.")
    required("startedAt", .text, "The start as RFC 3339 in UTC, with milliseconds.")
    required(
      "outcome", .choice(["running", "succeeded", "failed", "timedOut", "cancelled"]),
      "The outcome; `running` if the record ends earlier than the launch.")
    add("failedStep", .text, "With `failed`: the id of the step that decided the outcome.")
    add("reason", .part("reason"), "With `cancelled`: the reason.")
    add("cancellation", .part("reason"), "The reason why cancellation was requested.")
    required("duration", .time, "\(subject)'s duration; 0 while it runs.")
    add("healthyAt", .time, "The time at which the app reported that it is up.")
    required("steps", .parts("step"), "The steps in manifest order.")
  }

  private mutating func addStepPlace() {
    add("line", .integer(minimum: 1), "The line of the command's name in the manifest.")
    add("column", .integer(minimum: 1), "The column of the command's name, in characters.")
    add("file", .text, "The included file that has the entry; absent for an entry of the manifest itself.")
  }

  private mutating func addStepState() {
    required("state", .choice(stateNames), "The state.")
    _ = part("failure", Failure?.none, "With `failed` and `timedOut`: the failure.")
    add("reason", .part("reason"), "With `skipped` and `cancelled`: the reason.")
    add("causes", .texts, "With `skipped`: the ids from the root cause to the nearest one. Derived.")
    add("ready", .time, "The time at which the steps before it had ended.")
    add("start", .time, "The start of the first attempt; absent if the step never ran.")
    add("end", .time, "The time at which the step ended or was skipped.")
    required("waiting", .time, "The time from `ready` to `start`. Derived.")
    required("running", .time, "The time from `start` to `end`. Derived.")
    required("critical", .flag, "Whether the step is on the critical path. Derived.")
    add(
      "slack", .time, "The delay of its end that would not delay the launch; absent if it never ran. Derived."
    )
  }

  private var stateNames: [String] {
    let failure = Failure(message: "", type: "")
    let states: [StepState] = [
      .waiting, .ready, .running, .succeeded, .failed(failure), .timedOut(failure), .cancelled(.deadline),
      .skipped(.condition("")),
    ]
    return states.map(\.name)
  }

  private static var reasonNames: [String] {
    let skips: [SkipReason] = [
      .excluded(""), .condition(""), .unnecessary(""), .safeMode(""), .dependency(0), .stopped(by: 0),
    ]
    let cancellations: [CancelReason] = [.requested(""), .deadline, .selfCancelled]
    return skips.map(\.name) + cancellations.map(\.name)
  }

  private static var small: [String: [RecordMember]] {
    var manifest = RecordSchema()
    manifest.required("path", .text, "The manifest's path; `<stdin>` for standard input.")
    manifest.add(
      "digest", .text, "`sha256:` and the SHA-256 of the manifest and of the files that it includes.")
    var reason = RecordSchema()
    reason.required("kind", .choice(reasonNames), "The kind of reason.")
    reason.required("text", .text, "The reason in words.")
    reason.add("step", .text, "With `dependency` and `stopped`: the id of the step that caused it.")
    return ["manifest": manifest.members, "reason": reason.members]
  }
}
