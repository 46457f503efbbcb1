import AppBootSystem

/// A launch as data: its steps with their predecessors, timeouts and places in the manifest.
///
/// A ``StartupPlan`` and a ``StartupRecord`` share it. It holds no commands: it can be stored and read back, not run.
public struct LaunchOutline: Sendable, RandomAccessCollection {
  /// The launch's name.
  public let name: String
  /// The launch's time budget, in nanoseconds.
  public internal(set) var budget: Int64?
  /// The launch's timeout, in nanoseconds.
  public internal(set) var timeout: Int64?
  /// The reason of the launch and its URL.
  public internal(set) var options: LaunchOptions
  /// The safe mode that this launch runs in; `nil` for a normal launch.
  package var safeMode: SafeMode?

  var steps: [StepOutline]
  let graph: DependencyGraph
  let manifest: ManifestReference?

  init(
    name: String, options: LaunchOptions, steps: [StepOutline], graph: DependencyGraph,
    manifest: ManifestReference? = nil
  ) {
    self.name = name
    self.options = options
    self.steps = steps
    self.graph = graph
    self.manifest = manifest
  }

  /// The index of the first step, 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { steps.count }
  /// The step at an index.
  public subscript(position: Int) -> StepOutline { steps[position] }

  /// Returns the index of the step with an id; `nil` if no step has it. Linear in the number of steps.
  public func index(ofStep id: String) -> Int? { steps.firstIndex { $0.id == id } }

  /// Returns the indices of the steps that a step comes after, in the order of the manifest's `after`.
  public func predecessors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.predecessors(of: step).lazy.map { Int($0) }
  }

  /// Returns the indices of the steps that come after a step, in manifest order.
  public func successors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.successors(of: step).lazy.map { Int($0) }
  }
}

extension LaunchOutline {
  /// The manifest's name: its path if it is a file; `nil` for a launch made in code.
  public var manifestName: String? { manifest?.name }

  /// Returns the file of a place: the manifest, or a file that it includes.
  package func file(of location: SourceLocation?) -> String? { location?.file ?? manifestName }

  /// The SHA-256 of the manifest and of what it includes, as `sha256:` and 64 hexadecimal digits; linear in their
  /// length.
  public var manifestDigest: String? { manifest?.digest }

  /// Returns the place of a step's command in the manifest; `nil` if unknown. The first call reads the whole text.
  package func location(ofStep step: Int) -> SourceLocation? {
    manifest?.location(ofStep: step, at: steps[step].range)
  }

  /// Returns the place of each step's command in the manifest, by step index, with `nil` for unknown places.
  ///
  /// Linear in the manifest's length.
  package func locations() -> [SourceLocation?] {
    guard let manifest else { return [SourceLocation?](repeating: nil, count: count) }
    return steps.indices.map { manifest.location(ofStep: $0, at: steps[$0].range) }
  }
}

/// Single properties of a step, for lists of many steps: they copy no whole step.
extension LaunchOutline {
  package func id(ofStep step: Int) -> String { steps[step].id }

  package func commandName(ofStep step: Int) -> String { steps[step].commandName }

  package func lane(ofStep step: Int) -> Lane { steps[step].lane }

  package func isSkipped(step: Int) -> Bool { steps[step].skip != nil }

  /// True if the step has an attribute that most steps do not have, for example a timeout.
  package func isSpecial(step: Int) -> Bool { steps[step].isSpecial }
}
