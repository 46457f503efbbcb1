/// One question of a ``SlowdownGate``: does this take longer than in the baseline, by one of two clocks?
package struct SlowdownTest: Sendable {
  /// What is asked about.
  package enum Subject: Sendable, Hashable {
    /// A step, by its id.
    case step(String)
    /// The whole launch.
    case launch
  }

  /// What the time is.
  package enum Clock: String, Sendable, Hashable {
    /// From the beginning to the end.
    case elapsed
    /// What the processor spent on it.
    case processor
  }

  package let subject: Subject
  package let clock: Clock
  /// The fast time of the baseline (``FastTime``), in nanoseconds.
  package let base: Int64
  /// The fast time now, in nanoseconds.
  package let head: Int64
  /// By what factor other work is slower now, and up to what factor on a busy machine; below 1 where the machine is faster.
  package let pace: Double
  /// How many of the baseline's times, at the pace of everything else, are below all of now.
  private var below: Int
  private var baseCount: Int
  private let headCount: Int

  /// The probability of so many baseline times below all of now, were nothing slower.
  package var probability: Double {
    PrecedenceTest.probability(below: below, base: baseCount, head: headCount)
  }

  /// The factor by which it is slower now than everything else; 1.2 is 20 % slower.
  package var factor: Double { Double(head) / Double(max(1, base)) / pace }

  /// The factor by which it is slower now, whatever else is.
  package var change: Double { Double(head) / Double(max(1, base)) }

  /// The nanoseconds that it takes longer than at the pace of everything else.
  package var loss: Int64 {
    // Records made by hand may have any pace.
    Int64(min(Self.mostLoss, max(-Self.mostLoss, (Double(head) - Double(base) * pace).rounded())))
  }

  private static let mostLoss = 0x1p62

  init(_ subject: Subject, _ clock: Clock, base: [Int64], head: [Int64], pace: Double) {
    self.subject = subject
    self.clock = clock
    let size = FastTime.size(base.count, head.count)
    self.base = FastTime.of(base, size: size)
    self.head = FastTime.of(head, size: size)
    self.pace = pace
    // Other work shifts all times but the fastest ones: a test of ranks would take that for a slow-down.
    let limit = Double(head.min() ?? 0)
    below = base.count { Double($0) * pace < limit }
    (baseCount, headCount) = (base.count, head.count)
  }

  /// The same change, with the probability over the baseline's times of all these tests, its own among them.
  func pooled(with tests: [SlowdownTest]) -> SlowdownTest {
    var test = self
    test.below = tests.reduce(0) { $0 + $1.below }
    test.baseCount = tests.reduce(0) { $0 + $1.baseCount }
    return test
  }
}

/// What the fastest of a few launches takes: the mean of the smallest value over all choices of so many values.
///
/// The minimum itself would be smaller the more values there are, and one lucky value would decide it. This is
/// the same of sets of different sizes. It is a sum over order statistics: the i-th smallest of n values is the smallest of
/// C(n − i, k − 1) of the C(n, k) choices.
enum FastTime {
  /// How many launches are chosen of sets of these sizes: half of the smaller one.
  static func size(_ base: Int, _ head: Int) -> Int { max(1, min(base, head) / 2) }

  /// The time in nanoseconds; 0 where there is no value.
  static func of(_ values: [Int64], size: Int) -> Int64 {
    guard !values.isEmpty else { return 0 }
    let size = min(size, values.count)
    var weight = Double(size) / Double(values.count)
    var sum = 0.0
    for (index, value) in values.sorted().enumerated() {
      sum += weight * Double(value)
      // C(n − i − 1, k − 1) from C(n − i, k − 1).
      let rest = values.count - index - 1
      guard rest >= size else { break }
      weight *= Double(rest - size + 1) / Double(rest)
    }
    return Int64(sum.rounded())
  }
}
