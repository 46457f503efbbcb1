/// An estimate of the factor by which the machine slowed a step.
///
/// The factor is the median of the other steps' factors. With fewer than three other steps, it is the factor of the
/// calibration: fixed computations that `check` times between launches. They can slow down although a launch does not,
/// so the other steps are the better measure. A median that is too high for an idle machine shows that other programs
/// slow some steps more than others. Then the largest factor of the other steps counts.
struct MachineSlowdown {
  /// The minimum number of other steps whose median is used.
  static let fewest = 3

  private let sorted: [Double]
  private let calibration: Double
  private let least: Double

  /// Creates the rule from measured factors. A factor above 1 is a slowdown.
  ///
  /// - Parameters:
  ///   - ratios: The factors of the steps.
  ///   - calibration: The factor of calibration runs.
  ///   - least: The minimum result if the median of the other steps is used.
  init(_ ratios: [Double], calibration: Double, least: Double) {
    sorted = ratios.sorted()
    (self.calibration, self.least) = (calibration, least)
  }

  /// Returns the factor by which the machine slowed a step, from the factors of all other steps.
  ///
  /// - Parameter ratio: The factor of the step itself, which is left out; `nil` if the step has none.
  func without(_ ratio: Double?) -> Double {
    let hole = ratio.flatMap(index)
    let count = sorted.count - (hole == nil ? 0 : 1)
    guard count >= Self.fewest else { return calibration }
    func value(_ index: Int) -> Double { sorted[hole.map { index >= $0 ? index + 1 : index } ?? index] }
    let median = (value((count - 1) / 2) + value(count / 2)) / 2
    return median <= SpeedAdjustedTimes.idleLimit ? max(least, median) : value(count - 1)
  }

  /// Returns the index of the first equal factor, found by bisection; `nil` if no factor is equal.
  private func index(of ratio: Double) -> Int? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < ratio { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == ratio ? low : nil
  }
}
