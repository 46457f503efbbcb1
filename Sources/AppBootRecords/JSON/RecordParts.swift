import AppBoot

// The objects of a record's JSON, each member declared once: its name, its value and its description.

extension RecordHeader: RecordPart {
  static let definition = "header"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    RecordHeader(
      tool: try coder.part("tool", part?.tool, "The tool that wrote the record."),
      host: try coder.part("host", part?.host, "The machine that the launch ran on."),
      jobs: try coder.integer(
        "jobs", part?.jobs, in: 1...Int.max, "The most steps that ran at once off the main lane."),
      processors: try coder.integer(
        "processors", part?.processors, in: 1...Int(Int32.max), "The processors that the launch could use."),
      labels: try coder.labels(
        "labels", part?.labels ?? [], "The labels of the launch, from `--label` or the CI server."))
  }
}

extension RecordHeader.Tool: RecordPart {
  static let definition = "tool"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    Self(
      name: try coder.requiredText("name", part?.name, "The tool's name."),
      version: try coder.requiredText("version", part?.version, "The tool's version."))
  }
}

extension RecordHeader.Host: RecordPart {
  static let definition = "host"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    Self(
      system: try coder.requiredText("system", part?.system, "The kernel's name, as `uname` prints it."),
      release: try coder.requiredText("release", part?.release, "The kernel's release."),
      architecture: try coder.requiredText("architecture", part?.architecture, "The hardware: `x86_64`."),
      processor: try coder.text("processor", part?.processor, "The processor's name."),
      cores: try coder.requiredInteger(
        "cores", part?.cores, in: 1...Int(Int32.max), "The number of processors online."))
  }
}

extension LaunchOptions: RecordPart {
  static let definition = "launch"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    LaunchOptions(
      reason: try coder.choice("reason", part?.reason, ifAbsent: .normal, "The reason for the launch."),
      url: try coder.text("url", part?.url, "The URL to open."),
      payload: try coder.text(
        "payload", part?.payload, "The payload; of a device token only the beginning."))
  }
}

extension SafeMode: RecordPart {
  static let definition = "safeMode"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    SafeMode(
      culprits: try coder.requiredTexts(
        "culprits", part?.culprits ?? [], "The ids of the steps in which the last launches crashed."),
      level: try coder.choice(
        "level", part?.level, ifAbsent: .culprits, "The steps that are skipped."),
      reason: try coder.requiredText("reason", part?.reason, "The reason in words."))
  }
}

/// A step before it runs: its outline, and the ids of the steps that it comes after.
struct PlannedStep: RecordPart {
  var outline: StepOutline
  let after: [String]

  static let definition = "plannedStep"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    let old = part?.outline
    var new = PlannedStep(
      outline: StepOutline(
        id: try coder.requiredText("id", old?.id, "The step's id, unique in its run."),
        commandName: try coder.requiredText("command", old?.commandName, "The command's name."),
        lane: try coder.choice("lane", old?.lane, ifAbsent: .main, "The lane that the step runs on.")),
      after: try coder.requiredTexts(
        "after", part?.after ?? [], "The ids of the steps that it comes after."))
    new.outline.onFailure = try coder.choice(
      "onFailure", old?.onFailure, ifAbsent: .stop, "The effect of a failure on the other steps.")
    new.outline.takesNoSlot = try coder.flag(
      "takesNoSlot", old?.takesNoSlot ?? false, "Whether the step only waits, and takes no slot of `jobs`.")
    new.outline.isTask = try coder.flag(
      "isTask", old?.isTask ?? false, "Whether the step is a task, which takes no slot of `jobs`.")
    new.outline.timeout = try coder.duration("timeout", old?.timeoutTime, "The timeout of one attempt.")
      .map(Duration.nanoseconds)
    new.outline.budget = try coder.duration("budget", old?.budgetTime, "The time budget.")
      .map(Duration.nanoseconds)
    new.outline.retry = try coder.part("retry", old?.retry, "The retry policy.")
    new.outline.comment = try coder.text("comment", old?.comment, "The manifest's comment.")
    return new
  }
}

extension RetryPolicy: RecordPart {
  static let definition = "retry"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    RetryPolicy(
      attempts: try coder.requiredInteger(
        "attempts", part?.attempts, in: 1...Int.max, "The most attempts, the first included."),
      backoffTime: try coder.duration(
        "backoff", part?.backoffTime, "The wait before the second attempt; doubled before each further one.")
        ?? 0,
      maximumBackoffTime: try coder.duration(
        "maximumBackoff", part?.maximumBackoffTime, "The longest wait.") ?? 0)
  }
}

extension Failure: RecordPart {
  static let definition = "failure"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    Failure(
      message: try coder.requiredText("message", part?.message, "The error's message."),
      type: try coder.text("type", part?.type, "The error's type.") ?? "",
      causes: try coder.texts(
        "causes", part?.causes ?? [], "The messages of the errors behind it, outermost first."))
  }
}

extension StepDetails: RecordPart {
  static let definition = "details"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    let old = part ?? StepDetails()
    var new = StepDetails()
    new.note = try coder.text("note", old.note, "The command's result in one line.")
    new.announcement = try coder.text(
      "announcement", old.announcement, "The text that is shown at the end of the launch.")
    new.pid = try coder.integer(
      "pid", old.pid.map { Int($0) }, in: 1...Int(Int32.max), "The process of the last attempt."
    )
    .map { Int32($0) }
    new.commandLine = try coder.text(
      "commandLine", old.commandLine,
      "The program and the arguments of that process, quoted for a shell; at most 500 characters."
    )?.cut(toScalars: CommandLineText.longest)
    new.killTime = try coder.time(
      "killedAfter", old.killTime, notBefore: nil,
      "The time between the signal that asked the process to stop and SIGKILL; absent if it needed none.")
    new.failureTime = try coder.time(
      "failedAt", old.failureTime, notBefore: nil,
      "The time at which a service that had been ready failed; absent for other steps.")
    new.lastOutput = try coder.text(
      "lastOutput", old.lastOutput, "The last line of output; at most its first 1,000 characters."
    )?.cut(toScalars: StartupRecord.longestOutput)
    new.lastOutputTime = try coder.time(
      "lastOutputAt", old.lastOutputTime, notBefore: nil, "The time of the last line of output.")
    new.processorTime = try coder.time(
      "cpuTime", old.processorTime, notBefore: nil, "The CPU time, if it was measured.")
    new.overran = try coder.flag(
      "overran", old.overran,
      "Whether the step exceeded its timeout on the main lane, which cannot be interrupted.")
    new.attempts = try coder.parts("attempts", old.attempts, "The attempts, if there were several.")
    new.spans = try coder.parts("spans", old.spans, "The timed parts of the step, sorted by start.")
    new.reads = try coder.texts("reads", old.reads, "The context values that the step read.")
    new.provides = try coder.texts("provides", old.provides, "The context values that the step provided.")
    new.emitted = try coder.parts("emitted", old.emitted, "The lifecycle events that the step emitted.")
    new.declined = try coder.flag(
      "declined", old.declined, "Whether the command declined the event that it ran for.")
    new.undo = try coder.part("undo", old.undo, "The step's undo, if the launch rolled back.")
    return new
  }
}

extension StepAttempt: RecordPart {
  static let definition = "attempt"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    let start = try coder.requiredTime("start", part?.startTime, "The start.")
    return StepAttempt(
      startTime: start,
      endTime: try coder.time("end", part?.endTime, notBefore: start, "The end; absent if it did not end."),
      failure: try coder.part("failure", part?.failure, "The failure; absent if it succeeded."),
      pid: try coder.integer(
        "pid", part?.pid.map { Int($0) }, in: 1...Int(Int32.max), "The attempt's process."
      )
      .map { Int32($0) },
      commandLine: try coder.text(
        "commandLine", part?.commandLine, "The program and the arguments of the attempt's process."
      )?.cut(toScalars: CommandLineText.longest))
  }
}

extension StepSpan: RecordPart {
  static let definition = "span"

  /// Codes a span. Its id is its index, and its parent is an earlier span.
  ///
  /// A reader ignores `parent` of the first span.
  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    let index = coder.index
    let name = try coder.requiredText("name", part?.name, "The span's name.")
    let id = try coder.requiredInteger("id", part?.id, in: index...index, "The span's index: 0, 1, 2, ….")
    let parent = try coder.integer(
      "parent", part?.parent, in: 0...(index == 0 ? Int.max : index - 1), "The id of the enclosing span.")
    let start = try coder.requiredTime("start", part?.startTime, "The start.")
    return StepSpan(
      name: name, id: id, parent: index == 0 ? nil : parent, startTime: start,
      endTime: try coder.time(
        "end", part?.endTime, notBefore: start, "The end; absent if the span was open when the step ended."),
      error: try coder.text("error", part?.error, "The error that the span's body threw."))
  }
}

extension EmittedEvent: RecordPart {
  static let definition = "emitted"

  static func coded<Coder: RecordCoder>(
    _ part: Self?, by coder: inout Coder
  ) throws(Coder.Problem) -> Self {
    EmittedEvent(
      name: try coder.requiredText("event", part?.name, "The event's name."),
      payload: try coder.text(
        "payload", part?.written, "The event's payload; of a device token only the beginning."))
  }
}
