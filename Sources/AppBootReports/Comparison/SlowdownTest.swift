/// A test of a ``SlowdownRule``. By one clock, it decides whether the launch or a step is slower than in the base.
package struct SlowdownTest: Sendable, Hashable {
  /// The subject of a test: a step or the launch.
  package enum Subject: Sendable, Hashable {
    /// The step with this id.
    case step(String)
    /// The whole launch.
    case launch
  }

  /// The clock that measured the times.
  package enum Clock: String, Sendable, Hashable {
    /// The time from the start to the end.
    case elapsed
    /// The CPU time, which does not include waiting.
    case cpu
  }

  package let subject: Subject
  package let clock: Clock
  /// The base's fast time (``FastTime``), in nanoseconds.
  package let base: Int64
  /// The head's fast time, in nanoseconds.
  package let head: Int64
  /// The factor by which the machine slowed the head; an upper bound if the machine is busy.
  ///
  /// It is below 1 if the machine became faster.
  package let machineSlowdown: Double
  /// For each of the base's times, adjusted for the machine, the factor from it to the shortest time of the head.
  private var distances: [Double]
  private let headCount: Int

  /// The probability that so many base times are below all head times by chance.
  package var probability: Double { probability(beyond: 1) }

  /// Returns the probability that so many base times are below all head times by chance, if the head is slower by a
  /// factor.
  ///
  /// A low probability shows that the head is slower by more than this factor.
  func probability(beyond factor: Double) -> Double {
    PrecedenceTest.probability(
      below: distances.count { $0 > factor }, base: distances.count, head: headCount)
  }

  /// The slowdown factor without the machine's slowdown: 1.2 is 20 % slower.
  package var factor: Double { change / machineSlowdown }

  /// The slowdown factor including the machine's slowdown.
  package var change: Double { Double(head) / Double(max(1, base)) }

  /// The extra time of the head in nanoseconds that the machine's slowdown does not explain.
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
    distances = base.map { limit / (Double($0) * machineSlowdown) }
    headCount = head.count
  }

  /// The same test with base and head exchanged, for a head that is faster.
  var exchanged: SlowdownTest { SlowdownTest(exchanging: self) }

  private init(exchanging test: SlowdownTest) {
    (subject, clock) = (test.subject, test.clock)
    (base, head) = (test.head, test.base)
    machineSlowdown = 1 / test.machineSlowdown
    // The probability stays that of the decision.
    (distances, headCount) = (test.distances, test.headCount)
  }

  /// Returns this test with a probability that is computed from the base times of all given tests, including this one.
  func pooled(with tests: [SlowdownTest]) -> SlowdownTest {
    var test = self
    test.distances = tests.flatMap(\.distances)
    return test
  }
}
