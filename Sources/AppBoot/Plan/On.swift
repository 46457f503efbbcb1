/// The handlers of an event in a plan that is written in code.
///
/// ```swift
/// On(.didShowFirstScreen) { Step("index", IndexNotes()) }
/// ```
///
/// They run when the event arrives, in the order of a launch. Several `On` for one event count as one.
public struct On: Sendable {
  let event: EventName
  let place: CodePlace
  let parts: [StepGroup]

  /// Creates the handlers of an event.
  public init(
    _ event: EventName, fileID: String = #fileID, line: Int = #line,
    @PlanBuilder<StepGroup> steps: () throws -> [StepGroup]
  ) rethrows {
    self.event = event
    place = CodePlace(fileID: fileID, line: line)
    parts = try steps()
  }
}

/// A part of a plan that is written in code: steps, the handlers of an event, environment files or secret variables.
public struct PlanPart: Sendable {
  enum Kind: Sendable {
    case steps([StepGroup])
    case handlers(On)
    case files(EnvironmentFiles)
    case secrets(SecretVariables)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}
