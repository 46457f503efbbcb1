extension StartupEvent {
  /// Returns the event with each secret in its texts replaced by `***`.
  ///
  /// The payload of an event with a device's token is not replaced. It is shortened when it is written.
  func masked(by secrets: Secrets) -> StartupEvent {
    StartupEvent(kind.masked(by: secrets), at: moment)
  }
}

extension StartupEvent.Kind {
  fileprivate func masked(by secrets: Secrets) -> StartupEvent.Kind {
    switch self {
    case .retrying(let step, let attempt, let failure, let delay):
      .retrying(step: step, attempt: attempt, failure: failure.masked(by: secrets), delay: delay)
    case .noted(let step, let text): .noted(step: step, text: secrets.masking(text))
    case .processStarted(let step, let attempt, let pid, let commandLine):
      .processStarted(step: step, attempt: attempt, pid: pid, commandLine: secrets.masking(commandLine))
    case .announced(let step, let text): .announced(step: step, text: secrets.masking(text))
    case .output(let step, let attempt, let stream, let line):
      .output(step: step, attempt: attempt, stream: stream, line: secrets.masking(line))
    case .spanStarted(let step, let span, let parent, let name):
      .spanStarted(step: step, span: span, parent: parent, name: secrets.masking(name))
    case .spanEnded(let step, let span, let error):
      .spanEnded(step: step, span: span, error: secrets.masking(error))
    case .emitted(let step, let event, let payload)
    where event != EventName.didRegisterForRemoteNotifications.name:
      .emitted(step: step, event: secrets.masking(event), payload: secrets.masking(payload))
    case .valueRead(let step, let name, let found):
      .valueRead(step: step, name: secrets.masking(name), found: found)
    case .valueProvided(let step, let name): .valueProvided(step: step, name: secrets.masking(name))
    case .ended(let step, let state): .ended(step: step, state: state.masked(by: secrets))
    case .undoEnded(let step, let failure): .undoEnded(step: step, failure: failure?.masked(by: secrets))
    case .cancelled(let reason): .cancelled(reason: reason.masked(by: secrets))
    case .launchEnded(.cancelled(let text)): .launchEnded(.cancelled(secrets.masking(text)))
    case .launchStarted, .ready, .started, .overran, .killed, .emitted, .declined, .usedCPU, .undoStarted,
      .markedHealthy, .launchEnded:
      self
    }
  }
}

extension StepState {
  fileprivate func masked(by secrets: Secrets) -> StepState {
    switch self {
    case .failed(let failure): .failed(failure.masked(by: secrets))
    case .timedOut(let failure): .timedOut(failure.masked(by: secrets))
    case .cancelled(let reason): .cancelled(reason.masked(by: secrets))
    case .skipped(.condition(let text)): .skipped(.condition(secrets.masking(text)))
    case .waiting, .ready, .running, .succeeded, .skipped: self
    }
  }
}

extension Failure {
  fileprivate func masked(by secrets: Secrets) -> Failure {
    Failure(
      message: secrets.masking(message), type: type, causes: causes.map { secrets.masking($0) })
  }
}

extension CancelReason {
  fileprivate func masked(by secrets: Secrets) -> CancelReason {
    switch self {
    case .requested(let text): .requested(secrets.masking(text))
    case .deadline, .selfCancelled: self
    }
  }
}
