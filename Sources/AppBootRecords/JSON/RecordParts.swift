import AppBoot

// The objects of a record's JSON, each member declared once: its name, its value and its description.

extension RecordHeader: RecordMembers {
  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    var header = RecordHeader()
    header.tool = try coder.optional("tool", .part, part?.tool, "The tool that wrote the record.")
    header.host = try coder.optional("host", .part, part?.host, "The machine that the launch ran on.")
    header.jobs = try coder.optional(
      "jobs", .integer(in: 1...Int.max), part?.jobs,
      "The most threads and processes that ran at once off the main lane.")
    header.isSerial = try coder.flag(
      "serial", part?.isSerial, "Whether one step ran at a time, over all lanes, as with `--shuffle`.")
    header.processors = try coder.optional(
      "processors", .count, part?.processors, "The processors that the launch could use.")
    header.labels = try coder.list(
      "labels", .labels, part?.labels,
      "The labels of the launch, from `--label`, environment variables or the CI server.")
    header.trace = try coder.optional(
      "trace", .part, part?.trace, "The launch's trace context; absent if it is not sent.")
    return header
  }
}

extension RecordHeader.Trace: RecordPart {
  static let definition = "trace"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    Self(
      traceID: try coder.required("traceId", .text, part?.traceID, "The trace's id."),
      spanID: try coder.required("spanId", .text, part?.spanID, "The id of the launch's span."),
      parentID: try coder.optional(
        "parentSpanId", .text, part?.parentID, "The id of the span that started the launch."))
  }
}

extension RecordHeader.Tool: RecordPart {
  static let definition = "tool"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    Self(
      name: try coder.required("name", .text, part?.name, "The tool's name."),
      version: try coder.required("version", .text, part?.version, "The tool's version."))
  }
}

extension RecordHeader.Host: RecordPart {
  static let definition = "host"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    Self(
      system: try coder.required("system", .text, part?.system, "The kernel's name, as `uname` prints it."),
      release: try coder.required("release", .text, part?.release, "The kernel's release."),
      architecture: try coder.required("architecture", .text, part?.architecture, "The hardware: `x86_64`."),
      processor: try coder.optional("processor", .text, part?.processor, "The processor's name."),
      cores: try coder.required("cores", .count, part?.cores, "The number of processors online."))
  }
}

extension LaunchOptions: RecordPart {
  static let definition = "launch"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    LaunchOptions(
      reason: try coder.required(
        "reason", .choice(.normal), part?.reason, ifAbsent: .normal, "The reason for the launch."),
      url: try coder.optional("url", .text, part?.url, "The URL to open."),
      payload: try coder.optional(
        "payload", .text, part?.payload, "The payload; of a device token only the beginning."))
  }
}

extension SafeMode: RecordPart {
  static let definition = "safeMode"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    SafeMode(
      culprits: try coder.required(
        "culprits", .texts, part?.culprits, ifAbsent: [],
        "The ids of the steps in which the last launches crashed."),
      level: try coder.required(
        "level", .choice(.culprits), part?.level, ifAbsent: .culprits, "The steps that are skipped."),
      reason: try coder.required("reason", .text, part?.reason, "The reason in words."))
  }
}

/// A step before it runs: its outline, the ids of the steps that it comes after, and its place in the manifest.
struct RecordedStepPlan: RecordPart {
  var outline: StepOutline
  let after: [String]
  var location: SourceLocation?

  static let definition = "plannedStep"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    let old = part?.outline
    var new = RecordedStepPlan(
      outline: StepOutline(
        id: try coder.required("id", .text, old?.id, "The step's id, unique in its run."),
        commandName: try coder.required("command", .text, old?.commandName, "The command's name."),
        lane: try coder.required(
          "lane", .choice(.main), old?.lane, ifAbsent: .main, "The lane that the step runs on.")),
      after: try coder.required(
        "after", .texts, part?.after, ifAbsent: [], "The ids of the steps that it comes after."))
    var attributes = new.outline.attributes
    attributes.onFailure = try coder.required(
      "onFailure", .choice(.stop), old?.onFailure, ifAbsent: .stop,
      "The effect of a failure on the other steps.")
    let takesNoSlot = try coder.flag(
      "takesNoSlot", old?.placement.takesNoSlot, "Whether the step only waits, and takes no slot of `jobs`.")
    let isTask = try coder.flag(
      "isTask", old?.placement.isTask, "Whether the step is a task, which takes no slot of `jobs`.")
    new.outline.kind = isTask ? .asynchronous : takesNoSlot ? .slotless : .synchronous
    let timeout = try coder.optional("timeout", .duration, old?.timeoutTime, "The timeout of one attempt.")
    attributes.timeout = timeout.map { .nanoseconds($0) }
    let budget = try coder.optional("budget", .duration, old?.budgetTime, "The time budget.")
    attributes.budget = budget.map { .nanoseconds($0) }
    attributes.retry = try coder.optional("retry", .part, old?.retry, "The retry policy.")
    attributes.comment = try coder.optional("comment", .text, old?.comment, "The manifest's comment.")
    new.outline.attributes = attributes
    new.location = try place(part?.location, by: &coder)
    return new
  }

  private static func place<Coder: RecordCoder>(
    _ place: SourceLocation?, by coder: inout Coder
  ) throws(Coder.Problem) -> SourceLocation? {
    let counts = 1...Int(UInt32.max)
    let line = try coder.optional(
      "line", .integer(in: counts), place?.line, "The line of the command's name in the manifest.")
    let column = try coder.optional(
      "column", .integer(in: counts), place?.column, "The column of the command's name, in characters.")
    let file = try coder.optional(
      "file", .text, place?.file,
      "The included file that has the entry; absent for an entry of the manifest itself.")
    guard let line else { return nil }
    var location = SourceLocation(line: line, column: column ?? 1)
    location.file = file
    return location
  }
}

extension ManifestReference: RecordPart {
  static let definition = "manifest"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    ManifestReference(
      name: try coder.required(
        "path", .text, part?.name, "The manifest's path; `<stdin>` for standard input."),
      digest: try coder.optional(
        "digest", .text, part?.digest,
        "`sha256:` and the SHA-256 of the manifest and of the files that it includes."))
  }
}

extension RetryPolicy: RecordPart {
  static let definition = "retry"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    RetryPolicy(
      attempts: try coder.required(
        "attempts", .integer(in: 1...Int.max), part?.attempts, "The most attempts, the first included."),
      backoffTime: try coder.optional(
        "backoff", .duration, part?.backoffTime,
        "The wait before the second attempt; doubled before each further one.")
        ?? 0,
      maxBackoffTime: try coder.optional(
        "maximumBackoff", .duration, part?.maxBackoffTime, "The longest wait.") ?? 0)
  }
}

extension Failure: RecordPart {
  static let definition = "failure"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    Failure(
      message: try coder.required("message", .text, part?.message, "The error's message."),
      type: try coder.optional("type", .text, part?.type, "The error's type.") ?? "",
      causes: try coder.list(
        "causes", .texts, part?.causes, "The messages of the errors behind it, outermost first."))
  }
}

extension StepExecution: RecordMembers {
  /// Codes the times of a step, and what follows from them. The state is a part of its own, with the ids of steps.
  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    var new = StepExecution()
    new.readyTime = try coder.optional(
      "ready", .time, part?.readyTime, "The time at which the steps before it had ended.")
    new.startTime = try coder.optional(
      "start", .time(notBefore: new.readyTime), part?.startTime,
      "The start of the first attempt; absent if the step never ran.")
    new.endTime = try coder.optional(
      "end", .time(notBefore: new.startTime ?? new.readyTime), part?.endTime,
      "The time at which the step ended or was skipped.")
    _ = try coder.required(
      "waiting", .time.derived, part?.waitingTime, ifAbsent: 0,
      "The time from `ready` to `start`, or to `end` if it never ran. Derived.")
    _ = try coder.required(
      "running", .time.derived, part?.runningTime, ifAbsent: 0,
      "The time from `start` to `end`, pauses between attempts included. Derived.")
    return new
  }
}

extension StepDetails: RecordMembers {
  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    let old = part ?? StepDetails()
    var new = StepDetails()
    new.note = try coder.optional("note", .text, old.note, "The command's result in one line.")
    new.announcement = try coder.optional(
      "announcement", .text, old.announcement, "The text that is shown at the end of the launch.")
    new.pid = try coder.optional("pid", .pid, old.pid, "The process of the last attempt.")
    new.commandLine = try coder.optional(
      "commandLine", .text, old.commandLine,
      "The program and the arguments of that process, quoted for a shell; at most 500 characters."
    )?.cut(toScalars: CommandLineText.longest)
    new.killTime = try coder.optional(
      "killedAfter", .time, old.killTime,
      "The time between the signal that asked the process to stop and SIGKILL; absent if it needed none.")
    new.failureTime = try coder.optional(
      "failedAt", .time, old.failureTime,
      "The time at which a service that had been ready failed; absent for other steps.")
    new.lastOutput = try coder.optional(
      "lastOutput", .text, old.lastOutput, "The last line of output; at most its first 1,000 characters."
    )?.cut(toScalars: LaunchRecord.longestOutput)
    new.lastOutputTime = try coder.optional(
      "lastOutputAt", .time, old.lastOutputTime, "The time of the last line of output.")
    new.processorTime = try coder.optional(
      "cpuTime", .time, old.processorTime, "The CPU time, if it was measured.")
    new.overran = try coder.flag(
      "overran", old.overran,
      "Whether the step exceeded its timeout on the main lane, which cannot be interrupted.")
    new.attempts = try coder.list("attempts", .parts(), old.attempts, "The attempts, if there were several.")
    new.spans = try coder.list("spans", .parts(), old.spans, "The timed parts of the step, sorted by start.")
    new.reads = try coder.list("reads", .texts, old.reads, "The context values that the step read.")
    new.provides = try coder.list(
      "provides", .texts, old.provides, "The context values that the step provided.")
    new.emitted = try coder.list(
      "emitted", .parts(), old.emitted, "The lifecycle events that the step emitted.")
    new.declined = try coder.flag(
      "declined", old.declined, "Whether the command declined the event that it ran for.")
    new.undo = try coder.optional("undo", .part, old.undo, "The step's undo, if the launch rolled back.")
    return new
  }
}

extension StepAttempt: RecordPart {
  static let definition = "attempt"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    let start = try coder.required("start", .time, part?.startTime, "The start.")
    return StepAttempt(
      startTime: start,
      endTime: try coder.optional(
        "end", .time(notBefore: start), part?.endTime, "The end; absent if it did not end."),
      failure: try coder.optional("failure", .part, part?.failure, "The failure; absent if it succeeded."),
      pid: try coder.optional("pid", .pid, part?.pid, "The attempt's process."),
      commandLine: try coder.optional(
        "commandLine", .text, part?.commandLine, "The program and the arguments of the attempt's process."
      )?.cut(toScalars: CommandLineText.longest))
  }
}

extension StepSpan: RecordPart {
  static let definition = "span"

  /// Codes a span. Its id is its index, and its parent is an earlier span.
  ///
  /// A reader ignores `parent` of the first span.
  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    let index = coder.index
    let name = try coder.required("name", .text, part?.name, "The span's name.")
    let id = try coder.required("id", .integer(in: index...index), part?.id, "The span's index: 0, 1, 2, ….")
    let parent = try coder.optional(
      "parent", .integer(in: 0...(index == 0 ? Int.max : index - 1)), part?.parent,
      "The id of the enclosing span.")
    let start = try coder.required("start", .time, part?.startTime, "The start.")
    return StepSpan(
      name: name, id: id, parent: index == 0 ? nil : parent, startTime: start,
      endTime: try coder.optional(
        "end", .time(notBefore: start), part?.endTime,
        "The end; absent if the span was open when the step ended."),
      error: try coder.optional("error", .text, part?.error, "The error that the span's body threw."))
  }
}

extension EmittedEvent: RecordPart {
  static let definition = "emitted"

  static func coded<C: RecordCoder>(_ part: Self?, by coder: inout C) throws(C.Problem) -> Self {
    EmittedEvent(
      name: try coder.required("event", .text, part?.name, "The event's name."),
      payload: try coder.optional(
        "payload", .text, part?.written, "The event's payload; of a device token only the beginning."))
  }
}
