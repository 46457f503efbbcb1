import Testing

@testable import AppBootTool

@Suite("A list in an environment variable")
struct VariableListTests {
  @Test("A list has names and values, without the spaces around them")
  func members() {
    let members = " a = 1 2 ,,b=x=y, c, d=".members
    #expect(members.map(\.name) == ["a", "b", "c", "d"])
    #expect(members.map(\.value) == ["1 2", "x=y", nil, ""])
    #expect("".members.isEmpty)
  }

  @Test("An encoded character is decoded, and another percent sign stays")
  func encoded() {
    #expect("a=%2C%c3%a9%".members.map(\.value) == [",é%"])
    #expect("a=10%zz%4".members.map(\.value) == ["10%zz%4"])
  }
}
