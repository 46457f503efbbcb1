import AppBootBase

/// A launch as data: its steps with their predecessors, timeouts and places in the manifest.
///
/// A ``StartupPlan`` and a ``StartupRecord`` share it. It contains no commands. It can be stored and read, but not run.
public struct LaunchOutline: Sendable, RandomAccessCollection {
  /// The launch's name.
  public let name: String
  /// The time budget of the launch; `nil` for none.
  public var budget: Duration? { budgetTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``budget``.
  package var budgetTime: Int64?
  /// The timeout of the launch; `nil` for none.
  public var timeout: Duration? { timeoutTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``timeout``.
  package var timeoutTime: Int64?
  /// The reason for the launch, and the data that came with it.
  public package(set) var options: LaunchOptions
  /// The safe mode in which the launch runs; `nil` for a normal launch.
  package var safeMode: SafeMode?

  package var steps: [StepOutline]
  package var graph: DependencyGraph
  package let manifest: ManifestReference?

  package init(
    name: String, options: LaunchOptions, steps: [StepOutline], graph: DependencyGraph,
    manifest: ManifestReference? = nil
  ) {
    self.name = name
    self.options = options
    self.steps = steps
    self.graph = graph
    self.manifest = manifest
  }

  /// The index of the first step, which is 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { steps.count }
  /// The step at an index.
  public subscript(position: Int) -> StepOutline { steps[position] }

  /// Returns the index of the step with an id; `nil` if there is none. Takes O(steps).
  public func index(ofStep id: String) -> Int? { steps.firstIndex { $0.id == id } }

  /// Returns the indices of a step's predecessors, in the order of the manifest's `after`.
  ///
  /// A predecessor is a step that must end before the step starts.
  public func predecessors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.predecessors(of: step)
  }

  /// Returns the indices of the steps of which a step is a predecessor, in manifest order.
  public func successors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.successors(of: step)
  }
}

extension LaunchOutline {
  /// The path of the manifest, or the name that was given for its text; `nil` for a launch that was created in code.
  public var manifestName: String? { manifest?.name }

  /// Returns the file of a location, which is the manifest or a file that it includes; `nil` without a manifest.
  package func file(of location: SourceLocation?) -> String? { location?.file ?? manifestName }

  /// Returns the locations of the steps' commands in the manifest, by step index; `nil` for unknown locations.
  ///
  /// Takes O(n) in the manifest's length.
  package func locations() -> [SourceLocation?] {
    manifest?.locations(of: steps) ?? [SourceLocation?](repeating: nil, count: count)
  }

  /// Returns the location of one step's command, as ``locations()`` does.
  package func location(ofStep step: Int) -> SourceLocation? { manifest?.location(of: step, in: steps) }
}
