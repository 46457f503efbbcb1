import AppBoot
import AppBootRecords

/// The layout of a record over time: the row of each step that ran, and the end of the time axis.
///
/// The main lane has one row. The background lane has more if steps ran at the same time: a step is placed in the first
/// row that was free when it started.
struct Timeline {
  /// A row of the timeline. Its steps belong to one lane and ran one after the other.
  struct Row {
    let name: String
    let lane: Lane
    /// The indices of the steps in the row, sorted by start.
    var steps: [Int] = []
  }

  /// The rows. The row of the main lane comes first.
  let rows: [Row]
  /// The index of each step's row; `nil` for a step that never ran.
  let rowOfStep: [Int?]
  /// The latest time in the record, in nanoseconds; at least 1.
  let end: Int64
  /// The indices of the steps that ran, sorted by start, then in manifest order.
  let order: [Int]

  init(_ record: StartupRecord) {
    let starts = record.map(\.execution.startTime)
    order = record.indices.filter { starts[$0] != nil }
      .sorted { (starts[$0] ?? 0, $0) < (starts[$1] ?? 0, $1) }
    end = max(1, record.lastMoment)
    var main = RowAssignment()
    var background = RowAssignment()
    var rowOfStep = [Int?](repeating: nil, count: record.count)
    for index in order {
      let range = (starts[index] ?? 0)...(record[index].execution.endTime ?? end)
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

/// An assignment of time ranges, sorted by start, to the first row that is free.
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
