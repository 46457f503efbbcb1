import Testing

@testable import AppBoot

@Suite("The table of step details")
struct StepDetailsTableTests {
  @Test("A step has no details before its first change")
  func empty() {
    var table = StepDetailsTable()
    #expect(table[0] == nil && table[1_000] == nil)
    table.change(5) { $0.note = "five" }
    #expect(table[5]?.note == "five")
    #expect(table[4] == nil && table[6] == nil)
  }

  @Test("Tables with the same details are equal, in any order of changes")
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
