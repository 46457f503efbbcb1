import AppBoot

/// A record laid out over time: which row of which lane each step ran in, and until when the picture goes.
///
/// The main lane has one row. The background lane has as many as steps ran side by side: a step takes the
/// first row that was free when it started.
struct Timeline {
  /// One row of the picture.
  struct Row {
    let name: String
    let lane: Lane
    /// The steps in it, by start.
    var steps: [Int] = []
  }

  /// The rows: main first.
  let rows: [Row]
  /// Each step's row; `nil` where it never ran.
  let rowOfStep: [Int?]
  /// The latest moment that the record tells of, in nanoseconds; at least 1.
  let end: Int64
  /// The steps that ran, by start and then in manifest order.
  let order: [Int]

  init(_ record: StartupRecord) {
    let starts = record.map(\.execution.start)
    order = record.indices.filter { starts[$0] != nil }
      .sorted { (starts[$0] ?? 0, $0) < (starts[$1] ?? 0, $1) }
    end = max(1, record.lastMoment)
    var main = RowAssignment()
    var background = RowAssignment()
    var rowOfStep = [Int?](repeating: nil, count: record.count)
    for index in order {
      let range = (starts[index] ?? 0)...(record[index].execution.end ?? end)
      rowOfStep[index] = record[index].step.lane == .main ? main.place(range) : background.place(range)
    }
    var rows = (0..<main.count).map { Row(name: $0 == 0 ? "main" : "main \($0 + 1)", lane: .main) }
    rows += (0..<background.count).map { Row(name: "background \($0 + 1)", lane: .background) }
    for index in order {
      guard let place = rowOfStep[index] else { continue }
      let row = record[index].step.lane == .main ? place : main.count + place
      rowOfStep[index] = row
      rows[row].steps.append(index)
    }
    self.rows = rows
    self.rowOfStep = rowOfStep
  }
}

/// Gives each of a series of ranges, in the order of their starts, the first row that is free.
private struct RowAssignment {
  private var ends: [Int64] = []

  var count: Int { ends.count }

  mutating func place(_ range: ClosedRange<Int64>) -> Int {
    if let free = ends.firstIndex(where: { $0 <= range.lowerBound }) {
      ends[free] = range.upperBound
      return free
    }
    ends.append(range.upperBound)
    return ends.count - 1
  }
}
