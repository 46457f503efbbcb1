package import AppBoot
import AppBootSystem

// The members of the context that only the stock commands use.

extension LaunchContext {
  /// True if another step or the step's undo inserts the standard output of this step.
  package var isOutputInserted: Bool {
    let steps = session.environment.insertedOutputs
    return !isUndo && !steps.isEmpty && steps.contains(stepID)
  }

  /// Provides the standard output of this step to the steps that insert it. The text has no final newline.
  package func provideOutput(_ text: String) {
    let name = ContextKey<String>.output(ofStep: stepID).name
    session.outputs.provide(text, as: name)
    record(.valueProvided(step: step, name: name))
  }

  /// Returns the standard output of a step; `nil` if there is none.
  ///
  /// If the plan that runs inserts the output of a step with this id, it is the plan's step. Otherwise it is the
  /// launch's step.
  package func output(ofStep id: String) -> String? {
    let outputs = session.environment.insertedOutputs.contains(id) ? session.outputs : session.values
    let name = ContextKey<String>.output(ofStep: id).name
    let text = outputs[name] as? String
    record(.valueRead(.init(step: step, name: name, found: text != nil)))
    return text
  }

  /// The variables that a process of the step gets in addition to the inherited ones.
  ///
  /// They are those of environment files and of `environment`, `APPBOOT_STEP`, `APPBOOT_ATTEMPT` and `APPBOOT_LAUNCH`.
  package var processVariables: [String: String] {
    let environment = session.environment
    var variables = environment.fileVariables
    if let own = environment.stepVariables[step] { variables.merge(own) { $1 } }
    for (name, value) in environment.changes(ofStep: step) { variables[name] = value }
    variables["APPBOOT_STEP"] = stepID
    variables["APPBOOT_ATTEMPT"] = String(attempt)
    variables[GroupWatcher.launchVariable] = session.launchID
    return variables
  }

  /// The variables that a process of the step does not inherit.
  var removedVariables: Set<String> {
    Set(session.environment.changes(ofStep: step).filter { $0.value == nil }.keys)
  }

  /// The names of the variables that all processes of a step inherit, and no other process.
  package static var processMarks: Set<String> { ["APPBOOT_STEP", GroupWatcher.launchVariable] }

  /// Returns the variables of a request that identify the processes that its program starts.
  static func marks(in request: ProcessRequest) -> [String: String] {
    (request.environment ?? [:]).filter { processMarks.contains($0.key) }
  }

  /// Records lines that the command's process printed, in order.
  package func output(_ lines: [OutputLine]) {
    if !lines.isEmpty { session.recorder.record(lines, from: step, attempt: attempt) }
  }

  /// Records that the command's process was killed with SIGKILL, because it did not stop.
  ///
  /// - Parameter time: The nanoseconds since the process was asked to stop.
  package func processKilled(after time: Int64) { session.recorder.recordKill(of: step, after: time) }

  /// The timeout of the step in nanoseconds; `nil` for none.
  var timeout: Int64? { session.outline[step].timeoutTime }

  /// The host that runs the launch's services; `nil` if there is none.
  package var services: (any ServiceHost)? { session.environment.host.services }

  /// Returns the ids of the declared providers of a context value.
  package func providers(of value: String) -> [String] { session.providers(of: value).map(\.id) }
}
