/// A test of a ``SlowdownRule``: it decides by one clock if the launch or a step is slower than in the base.
package struct SlowdownTest: Sendable, Hashable {
  /// The subject of a test: the launch or a step.
  package enum Subject: Sendable, Hashable {
    /// A step, by its id.
    case step(String)
    /// The whole launch.
    case launch
  }

  /// The clock that measured the times.
  package enum Clock: String, Sendable, Hashable {
    /// The time from the beginning to the end.
    case elapsed
    /// The CPU time.
    case cpu
  }

  package let subject: Subject
  package let clock: Clock
  /// The base's fast time (``FastTime``), in nanoseconds.
  package let base: Int64
  /// The head's fast time, in nanoseconds.
  package let head: Int64
  /// The slowdown factor of other work, its upper bound on a busy machine; below 1 if the machine became
  /// faster.
  package let machineSlowdown: Double
  /// The number of the base's times that are below all of the head's after they are adjusted for the machine.
  private var below: Int
  private var baseCount: Int
  private let headCount: Int

  /// The probability of this many base times below all of the head's if nothing is slower.
  package var probability: Double {
    PrecedenceTest.probability(below: below, base: baseCount, head: headCount)
  }

  /// The slowdown factor against other work; 1.2 is 20 % slower.
  package var factor: Double { change / machineSlowdown }

  /// The slowdown factor with the machine's own slowdown included.
  package var change: Double { Double(head) / Double(max(1, base)) }

  /// The extra nanoseconds that other work's slowdown does not explain.
  package var loss: Int64 {
    // Times in records made by hand can have any ratio.
    let loss = (Double(head) - Double(base) * machineSlowdown).rounded()
    return Int64(min(Self.mostLoss, max(-Self.mostLoss, loss)))
  }

  private static let mostLoss = 0x1p62

  init(_ subject: Subject, _ clock: Clock, base: [Int64], head: [Int64], machineSlowdown: Double) {
    self.subject = subject
    self.clock = clock
    let size = FastTime.size(base.count, head.count)
    self.base = FastTime.of(base, size: size)
    self.head = FastTime.of(head, size: size)
    self.machineSlowdown = machineSlowdown
    // Other work shifts all times but the fastest: a rank test would report that as a slowdown.
    let limit = Double(head.min() ?? 0)
    below = base.count { Double($0) * machineSlowdown < limit }
    (baseCount, headCount) = (base.count, head.count)
  }

  /// The same test with the sides exchanged: of a base that is slower than a head, the test of a faster head.
  var exchanged: SlowdownTest { SlowdownTest(exchanging: self) }

  private init(exchanging test: SlowdownTest) {
    (subject, clock) = (test.subject, test.clock)
    (base, head) = (test.head, test.base)
    machineSlowdown = 1 / test.machineSlowdown
    // The probability stays that of the decision.
    (below, baseCount, headCount) = (test.below, test.baseCount, test.headCount)
  }

  /// Returns this test with a probability that counts the base's times of all the given tests, which include this test.
  func pooled(with tests: [SlowdownTest]) -> SlowdownTest {
    var test = self
    test.below = tests.reduce(0) { $0 + $1.below }
    test.baseCount = tests.reduce(0) { $0 + $1.baseCount }
    return test
  }
}
