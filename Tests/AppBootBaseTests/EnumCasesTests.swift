import AppBootBase
import Testing

private enum Season { case spring, summer, autumn, winter }
private enum Single { case one }
private enum Loaded {
  case none
  case some(Bool)
}

@Suite("The cases of an enum")
struct EnumCasesTests {
  #if os(Linux)
  @Test("The cases are those of the declaration, in order")
  func cases() {
    #expect(EnumCases.all(of: Season.self) == [.spring, .summer, .autumn, .winter])
  }
  #endif

  @Test("Other types, and enums with associated values or one case, have no list")
  func others() {
    #expect(EnumCases.all(of: Int8.self) == nil)
    #expect(EnumCases.all(of: Bool.self) == nil)
    #expect(EnumCases.all(of: Single.self) == nil)
    #expect(EnumCases.all(of: Loaded.self) == nil)
    #expect(EnumCases.all(of: String.self) == nil)
  }
}
