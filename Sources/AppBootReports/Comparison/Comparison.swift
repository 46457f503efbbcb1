public import AppBoot

/// What differs between two sets of launches, per step and in all: a pure function of their records.
///
/// Each step's running times are compared by a Mann–Whitney test, whose probabilities are corrected over the steps by Holm's
/// method; the size is Hodges and Lehmann's estimate. Launches and steps that did not succeed are left out.
public struct Comparison: Sendable {
  /// When a difference counts.
  public struct Options: Sendable, Hashable {
    /// How sure a verdict has to be, over all steps together; between 0 and 1.
    public var confidence: Double
    /// The smallest difference that matters, as a part of the base: 0.02 is 2 %.
    public var minimumEffect: Double

    /// Creates options; by default 95 % and 2 %.
    public init(confidence: Double = 0.95, minimumEffect: Double = 0.02) {
      self.confidence = min(0.999_999, max(0.5, confidence))
      self.minimumEffect = max(0, minimumEffect)
    }
  }

  /// One of the two sets.
  public struct Side: Sendable, Hashable {
    /// The launch's name.
    public let name: String
    /// How many launches were compared.
    public let launches: Int
    /// How many were left out because they did not boot.
    public let leftOut: Int
    /// The machines they ran on, each once.
    public let hosts: [RecordHeader.Host]
  }

  /// A step that both sides have.
  public struct Step: Sendable {
    /// Its id in the head.
    public let id: String
    /// Its id in the base, where that was another one.
    public let formerID: String?
    /// The command's name.
    public let command: String
    /// How its running time differs.
    public let effect: Effect
  }

  /// What the verdicts go by.
  public let options: Options
  /// What is compared with.
  public let base: Side
  /// What is compared.
  public let head: Side
  /// How the time of the whole launch differs.
  public let launch: Effect
  /// The steps that both have, in the head's order.
  public let steps: [Step]
  /// The ids that only the head has.
  public let added: [String]
  /// The ids that only the base has.
  public let removed: [String]
  /// The ids in the head of steps that stand in another order than before.
  public let reordered: [String]

  /// Compares two sets of records.
  public init(base: [StartupRecord], head: [StartupRecord], options: Options = Options()) {
    self.options = options
    let (first, second) = (LaunchSet(base), LaunchSet(head))
    self.base = first.side
    self.head = second.side
    let whole = EffectTest(base: first.durations, head: second.durations, confidence: options.confidence)
    launch = whole.effect(probability: whole.probability, family: 1, options)
    let matching = StepMatching(base: first, head: second)
    let tests = matching.pairs.map { pair in
      EffectTest(
        base: first.running(pair.base), head: second.running(pair.head), confidence: options.confidence)
    }
    // A step that never ran cannot show anything, and must not cost the others.
    let ran = tests.indices.filter { !tests[$0].base.isEmpty && !tests[$0].head.isEmpty }
    var probabilities = [Double](repeating: 1, count: tests.count)
    for (index, value) in zip(ran, HolmCorrection.adjusted(ran.map { tests[$0].probability })) {
      probabilities[index] = value
    }
    steps = matching.pairs.indices.map { index in
      let pair = matching.pairs[index]
      return Step(
        id: pair.head, formerID: pair.base == pair.head ? nil : pair.base, command: pair.command,
        effect: tests[index].effect(probability: probabilities[index], family: ran.count, options))
    }
    added = matching.added
    removed = matching.removed
    reordered = matching.reordered
  }

  /// The steps whose name changed.
  public var renamed: [Step] { steps.filter { $0.formerID != nil } }

  /// Whether the two sets ran on machines of different kinds.
  public var hostsDiffer: Bool {
    Set(base.hosts) != Set(head.hosts) && !base.hosts.isEmpty && !head.hosts.isEmpty
  }
}
