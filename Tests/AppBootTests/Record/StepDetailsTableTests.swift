import Testing

@testable import AppBoot

@Suite("The table of details")
struct StepDetailsTableTests {
  @Test("has nothing for a step until something is said of it")
  func empty() {
    var table = StepDetailsTable()
    #expect(table[0] == nil && table[1_000] == nil)
    table.change(5) { $0.note = "five" }
    #expect(table[5]?.note == "five")
    #expect(table[4] == nil && table[6] == nil)
  }

  @Test("is equal to another that was told the same in another order")
  func equality() {
    var (one, other) = (StepDetailsTable(), StepDetailsTable())
    for step in [2, 7] { one.change(step) { $0.note = "\(step)" } }
    for step in [7, 2] { other.change(step) { $0.note = "\(step)" } }
    #expect(one == other)
    other[7] = nil
    #expect(one != other)
    one[7] = nil
    #expect(one == other && one[7] == nil)
  }
}
