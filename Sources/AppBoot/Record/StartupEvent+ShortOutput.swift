extension StartupEvent {
  /// The event as a journal stores it. A line of output has at most ``StartupRecord/longestOutput`` Unicode scalars.
  package var withShortOutput: StartupEvent {
    guard case .output(let step, let attempt, let stream, let line) = kind,
      line.utf8.count > StartupRecord.longestOutput
    else { return self }
    let short = line.cut(toScalars: StartupRecord.longestOutput)
    return StartupEvent(.output(step: step, attempt: attempt, stream: stream, line: short), at: moment)
  }
}
