/// A queue whose first element is the smallest (a binary heap). Adding and removing an element take O(log n).
struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  /// The smallest element; `nil` if the heap is empty.
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the smallest element; returns `nil` if the heap is empty.
  mutating func removeFirst() -> Element? {
    guard let last = elements.indices.last else { return nil }
    elements.swapAt(0, last)
    let first = elements.removeLast()
    var parent = 0
    while let child = smallerChild(of: parent), elements[child] < elements[parent] {
      elements.swapAt(child, parent)
      parent = child
    }
    return first
  }

  private func smallerChild(of parent: Int) -> Int? {
    let (left, right) = (2 * parent + 1, 2 * parent + 2)
    guard left < elements.count else { return nil }
    return right < elements.count && elements[right] < elements[left] ? right : left
  }
}

extension Heap: Sendable where Element: Sendable {}

/// A queue of ready steps. The step that starts first is at the front.
struct ReadyQueue: Sendable {
  private struct Entry: Comparable {
    let rank: Int32
    let step: Int

    static func < (left: Entry, right: Entry) -> Bool { (left.rank, left.step) < (right.rank, right.step) }
  }

  private let ranks: [Int32]?
  private var entries = Heap<Entry>()

  init(ranks: [Int32]?) {
    self.ranks = ranks
  }

  var first: Int? { entries.first?.step }

  /// Returns whether the left step starts before the right one.
  func precedes(_ left: Int, _ right: Int) -> Bool { entry(left) < entry(right) }

  mutating func insert(_ step: Int) { entries.insert(entry(step)) }

  mutating func removeFirst() -> Int? { entries.removeFirst()?.step }

  /// Returns the entry of a step. Without ranks, steps start in manifest order.
  private func entry(_ step: Int) -> Entry { Entry(rank: ranks?[step] ?? 0, step: step) }
}

/// A queue of the coordinator's timers. The timer with the earliest deadline is at the front.
struct TimerQueue: Sendable {
  enum Kind: Sendable, Equatable {
    /// The timeout of the launch.
    case launch
    /// The end of the grace period after a cancellation.
    case grace
    /// The end of the grace period of a process that was asked to stop.
    case kill(EngineWork)
    /// The end of the time within which a main-lane step must return.
    case hang(Int)
    /// The start of the next attempt.
    case retry(Int)
    /// The timeout of an attempt.
    case step(Int, attempt: Int)
    /// The end of work that only waits, because another step failed.
    case wait(EngineWork)
    /// The timeout of an undo.
    case undo(Int)
  }

  struct Timer: Sendable, Comparable {
    let deadline: Int64
    /// The number of the timers before this one. Of timers with one deadline, the first one fires first.
    fileprivate let number: Int
    let kind: Kind

    static func < (left: Timer, right: Timer) -> Bool {
      (left.deadline, left.number) < (right.deadline, right.number)
    }
  }

  private var timers = Heap<Timer>()
  private var count = 0

  var first: Timer? { timers.first }

  /// Adds a timer that fires `delay` nanoseconds after a time. If that is beyond the range of the clock, it never
  /// fires.
  mutating func add(_ kind: Kind, after delay: Int64, from time: Int64) {
    let (sum, overflow) = time.addingReportingOverflow(delay)
    timers.insert(Timer(deadline: overflow ? .max : sum, number: count, kind: kind))
    count += 1
  }

  mutating func removeFirst() { _ = timers.removeFirst() }
}
