package import AppBoot
package import AppBootLifecycle

extension LaunchPlan {
  /// Creates a launch of steps, for this package's tests.
  ///
  /// - Parameter steps: The steps, each with the ids of the steps that must come before it; `nil` means the step before
  ///   it.
  /// - Throws: ``PlanError``.
  package init(
    name: String = "launch", steps: [(step: LaunchStep, after: [String]?)],
    options: LaunchOptions = LaunchOptions(), window: (any AppWindow)? = nil,
    state: any StateStore = MemoryStateStore(), timeout: Duration? = nil
  ) throws {
    var plan = try LaunchPlan(name, timeout: timeout, options: options, state: state) {
      for (step, ids) in steps {
        let part = Step(step.id, step.command).with { $0 = step.outline.attributes }
        ids.map(part.after) ?? part
      }
    }
    for index in plan.indices where steps[index].step.skip != nil {
      plan.outline.steps[index].skip = steps[index].step.skip
    }
    self = plan.window(window)
  }

  /// Creates a launch of steps with a graph that is not checked, for this package's tests.
  package init(
    name: String, options: LaunchOptions, source: SourceText? = nil, steps: [LaunchStep],
    graph: DependencyGraph, environment: LaunchEnvironment
  ) {
    let outline = LaunchOutline(
      name: name, options: options, steps: steps.map(\.outline), graph: graph,
      manifest: source.map(ManifestReference.init))
    self.init(outline: outline, commands: steps.map(\.command), environment: environment)
  }
}

/// A step of a plan: a command and its outline.
///
/// The properties of the outline can also be read and set here, for example `step.onFailure = .continue`.
@dynamicMemberLookup
package struct LaunchStep: Sendable {
  /// The command of the step.
  package let command: any Command
  /// The step as data.
  package var outline: StepOutline

  /// Creates a step of a command. If `id` is `nil`, the step's id is the command's name.
  package init(_ command: any Command, id: String? = nil) {
    self.command = command
    outline = StepOutline(of: command, id: id ?? type(of: command).name)
  }

  /// A property of the outline.
  package subscript<Value>(dynamicMember member: KeyPath<StepOutline, Value>) -> Value {
    outline[keyPath: member]
  }

  /// A property of the outline. It can be set.
  package subscript<Value>(dynamicMember member: WritableKeyPath<StepOutline, Value>) -> Value {
    get { outline[keyPath: member] }
    set { outline[keyPath: member] = newValue }
  }
}
