/// The machine's slowdown factor for a step, judged by the other steps, or by calibration runs if there are fewer than
/// three other steps.
///
/// The median of the other steps' factors is the better measure: calibration runs can slow down although a launch does
/// not. If the median exceeds the limit of an idle machine, some steps are slowed more than others, and the largest
/// factor counts.
struct MachineSlowdown {
  /// The fewest other steps whose median is meaningful.
  static let fewest = 3

  private let sorted: [Double]
  private let calibration: Double
  private let least: Double

  /// Creates the rule from the measured slowdowns.
  ///
  /// - Parameters:
  ///   - ratios: The slowdown factors of the steps.
  ///   - calibration: The slowdown factor of calibration runs.
  ///   - least: The lower bound of the factor that other steps give.
  init(_ ratios: [Double], calibration: Double, least: Double) {
    sorted = ratios.sorted()
    (self.calibration, self.least) = (calibration, least)
  }

  /// Returns the machine's slowdown factor for a step, from the factors of all other steps.
  ///
  /// - Parameter ratio: The step's own factor, which does not count; `nil` if it has none.
  func without(_ ratio: Double?) -> Double {
    let hole = ratio.flatMap(index)
    let count = sorted.count - (hole == nil ? 0 : 1)
    guard count >= Self.fewest else { return calibration }
    func value(_ index: Int) -> Double { sorted[hole.map { index >= $0 ? index + 1 : index } ?? index] }
    let median = (value((count - 1) / 2) + value(count / 2)) / 2
    return median <= SpeedAdjustedTimes.idleLimit ? max(least, median) : value(count - 1)
  }

  /// Returns the first index of a factor, found by bisection.
  private func index(of ratio: Double) -> Int? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < ratio { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == ratio ? low : nil
  }
}
