import AppBoot

/// The details of a step that a full text report prints below the step's row.
struct StepDetailLines {
  let style: TextStyle

  func lines(of step: StepRecord, in record: StartupRecord) -> [String] {
    guard let start = step.execution.startTime else { return [] }
    let details = step.details
    let separator = style.usesASCII ? ", " : " · "
    var facts = [
      "\(step.step.commandName)", "\(step.step.lane.rawValue) lane", "started at \(style.time(start))",
    ]
    if step.execution.waitingTime > 0 { facts.append("waited \(style.time(step.execution.waitingTime))") }
    if let cpuTime = details.processorTime { facts.append("CPU time \(style.time(cpuTime))") }
    if let time = details.killTime {
      facts.append("killed \(style.time(time)) after the stop signal")
    }
    if !details.reads.isEmpty { facts.append("read \(details.reads.joined(separator: ", "))") }
    if !details.provides.isEmpty { facts.append("provided \(details.provides.joined(separator: ", "))") }
    if !details.emitted.isEmpty {
      facts.append("emitted \(details.emitted.map(\.name).joined(separator: ", "))")
    }
    var lines = [facts.map(style.visible).joined(separator: separator)]
    if let line = details.commandLine, !step.state.isFailure {
      lines.append(style.visible(FailureText.prompt(line)))
    }
    lines += details.attempts.enumerated().map { attempt($0.element, number: $0.offset + 1) }
    lines += details.spans.map { span($0, depth: depth(of: $0, details.spans)) }
    if let output = step.newLastOutput, !step.state.isFailure {
      lines.append("\(FailureText.lastOutput) \(style.visible(output))")
    }
    return lines
  }

  private func attempt(_ attempt: StepAttempt, number: Int) -> String {
    let time = attempt.endTime.map { style.time($0 - attempt.startTime) } ?? ""
    let failure = attempt.failure.map { ": \(style.visible($0.message))" } ?? ""
    return "attempt \(number)  \(time)\(failure)"
  }

  private func span(_ span: StepSpan, depth: Int) -> String {
    let time = span.endTime.map { style.time($0 - span.startTime) } ?? "unfinished"
    let error = span.error.map { "  failed: \($0)" } ?? ""
    let indent = String(repeating: "  ", count: depth)
    return "\(indent)\(style.visible(span.name))  \(time)\(style.visible(error))"
  }

  private func depth(of span: StepSpan, _ spans: [StepSpan]) -> Int {
    var depth = 0
    var parent = span.parent
    while let number = parent, spans.indices.contains(number), depth < 16 {
      depth += 1
      parent = spans[number].parent
    }
    return depth
  }
}
