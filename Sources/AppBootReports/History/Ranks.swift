/// A namespace for functions on the ranks of values.
enum Ranks {
  /// Returns the rank of each value, from 1. Equal values share the mean of their ranks.
  static func of(_ values: [Int64]) -> [Double] {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var ranks = [Double](repeating: 0, count: values.count)
    var place = 0
    while place < order.count {
      var end = place
      while end < order.count, values[order[end]] == values[order[place]] { end += 1 }
      for index in order[place..<end] { ranks[index] = Double(place + end + 1) / 2 }
      place = end
    }
    return ranks
  }
}
