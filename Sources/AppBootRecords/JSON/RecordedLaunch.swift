import AppBoot

// A launch as its JSON has it, with the ids of steps in place of their indices.

/// The record of a launch.
struct RecordedLaunch: RecordMembers {
  let format: String
  let version: Int
  let name: String
  let header: RecordHeader
  let manifest: ManifestReference?
  let run: RecordedRun
  let events: [RecordedEvent]

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedLaunch(
      format: try coder.required(
        "format", .word(of: [LaunchRecord.formatName]), part?.format, "The name of the format."),
      version: try coder.required("version", .version, part?.version, "The version of the format."),
      name: try coder.required("name", .text, part?.name, "The launch's name."),
      header: try RecordHeader.coded(part?.header, by: &coder),
      manifest: try coder.optional(
        "manifest", .part, part?.manifest, "The manifest; absent for a plan made in code."),
      run: try RecordedRun.coded(part?.run, by: &coder),
      events: try coder.list(
        "events", .parts(), part?.events, "The runs of event handlers after the launch, sorted by start."))
  }
}

extension RecordForm<Int> {
  /// The version of the format, which is checked before the rest is read.
  fileprivate static var version: Self {
    let integer = Self.integer(in: 1...Int.max)
    return Self(
      write: integer.write, read: integer.read,
      schema: { $0.member("const", LaunchRecord.formatVersion) },
      placeholder: { LaunchRecord.formatVersion })
  }
}

/// The members of a run that are known before it begins.
struct RecordedPlan: RecordMembers {
  let launch: LaunchOptions
  let safeMode: SafeMode?
  let budget: Int64?
  let timeout: Int64?

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedPlan(
      launch: try coder.required(
        "launch", .part, part?.launch, ifAbsent: LaunchOptions(), "The request that the commands see."),
      safeMode: try coder.optional(
        "safeMode", .part, part?.safeMode, "The safe mode; absent outside safe mode."),
      budget: try coder.optional("budget", .duration, part?.budget, "The time budget."),
      timeout: try coder.optional("timeout", .duration, part?.timeout, "The timeout."))
  }
}

/// A launch, or a run of event handlers: its plan, and what happened.
struct RecordedRun: RecordMembers {
  let plan: RecordedPlan
  let startedAt: String
  let outcome: RecordedOutcome
  let cancellation: RecordedReason?
  let duration: Int64
  let healthyAt: Int64?
  let steps: [RecordedStep]

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedRun(
      plan: try RecordedPlan.coded(part?.plan, by: &coder),
      startedAt: try coder.required(
        "startedAt", .text, part?.startedAt, "The start as RFC 3339 in UTC, with milliseconds."),
      outcome: try RecordedOutcome.coded(part?.outcome, by: &coder),
      cancellation: try coder.optional(
        "cancellation", .part, part?.cancellation, "The reason why cancellation was requested."),
      duration: try coder.required(
        "duration", .time, part?.duration, ifAbsent: 0, "The duration; 0 while it runs."),
      healthyAt: try coder.optional(
        "healthyAt", .time, part?.healthyAt, "The time at which the app reported that it is up."),
      steps: try coder.required("steps", .parts(), part?.steps, ifAbsent: [], "The steps in manifest order."))
  }
}

struct RecordedOutcome: RecordMembers {
  let kind: LaunchOutcome.Kind
  var failedStep: String?
  var reason: RecordedReason?

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedOutcome(
      kind: try coder.required(
        "outcome", .choice(.running), part?.kind, ifAbsent: .running,
        "The outcome; `running` if the record ends earlier than the launch."),
      failedStep: try coder.optional(
        "failedStep", .text, part?.failedStep, "With `failed`: the id of the step that decided the outcome."),
      reason: try coder.optional("reason", .part, part?.reason, "With `cancelled`: the reason."))
  }
}

struct RecordedReason: RecordPart {
  let kind: String
  let text: String
  var step: String?

  static let definition = "reason"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedReason(
      kind: try coder.required("kind", .word(of: kinds), part?.kind, ifAbsent: "", "The kind of reason."),
      text: try coder.required("text", .text, part?.text, ifAbsent: "", "The reason in words."),
      step: try coder.optional(
        "step", .text, part?.step, "With `dependency` and `stopped`: the id of the step that caused it."))
  }

  private static var kinds: [String] {
    let skips: [SkipReason] = [
      .excluded(""), .condition(""), .unnecessary(""), .safeMode(""), .dependency(0), .stopped(by: 0),
    ]
    let cancellations: [CancelReason] = [.requested(""), .deadline, .selfCancelled]
    return skips.map(\.name) + cancellations.map(\.name)
  }
}

/// A run of event handlers.
struct RecordedEvent: RecordPart {
  let head: Head
  let run: RecordedRun

  /// The event.
  struct Head: RecordMembers {
    let event: String
    let scene: String?
    let time: Int64

    static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
      Head(
        event: try coder.required("event", .text, part?.event, "The event's name."),
        scene: try coder.optional(
          "scene", .text, part?.scene, "The scene of the event; absent for an event of the process."),
        time: try coder.required("at", .time, part?.time, "The time of the event, since the launch began."))
    }
  }

  static let definition = "event"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedEvent(
      head: try Head.coded(part?.head, by: &coder), run: try RecordedRun.coded(part?.run, by: &coder))
  }
}

/// A step of a run: its plan, what happened, and the facts that only some steps have.
struct RecordedStep: RecordPart {
  let planned: RecordedStepPlan
  let state: RecordedState
  let causes: [String]
  let execution: StepExecution
  let isCritical: Bool
  let slack: Int64?
  let details: StepDetails

  static let definition = "step"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedStep(
      planned: try RecordedStepPlan.coded(part?.planned, by: &coder),
      state: try RecordedState.coded(part?.state, by: &coder),
      causes: try coder.list(
        "causes", .texts.derived, part?.causes,
        "With `skipped`: the ids from the root cause to the nearest one, at most 16. Derived."),
      execution: try StepExecution.coded(part?.execution, by: &coder),
      isCritical: try coder.required(
        "critical", .flag.derived, part?.isCritical, ifAbsent: false,
        "Whether the step is on the critical path. Derived."),
      slack: try coder.optional(
        "slack", .time.derived, part?.slack,
        "The delay of its end that would not delay the launch; absent if it never ran. Derived."),
      details: try StepDetails.coded(part?.details, by: &coder))
  }
}

struct RecordedState: RecordMembers {
  let kind: StepState.Kind
  let failure: Failure?
  let reason: RecordedReason?

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RecordedState(
      kind: try coder.required("state", .choice(.waiting), part?.kind, ifAbsent: .waiting, "The state."),
      failure: try coder.optional(
        "failure", .part, part?.failure, "With `failed` and `timedOut`: the failure."),
      reason: try coder.optional(
        "reason", .part, part?.reason, "With `skipped` and `cancelled`: the reason."))
  }
}
