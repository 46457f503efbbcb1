import AppBootSystem
import Testing

@Suite("StoredProperties")
struct StoredPropertiesTests {
  private final class Mark: Sendable {}

  private struct Mixed {
    var small: UInt8 = 1
    let first: Mark
    var text = "t"
    let second: Mark
    var flag = false
  }

  private struct Generic<Value> {
    let value: Value
    let mark: Mark
  }

  #if os(Linux)
  @Test("The property that begins with an object is found by the object")
  func names() {
    let (first, second, other) = (Mark(), Mark(), Mark())
    let found = StoredProperties.names(
      of: Mixed(first: first, second: second),
      beginningWith: [second, other, first].map(ObjectIdentifier.init))
    #expect(found?.names == ["second", nil, "first"])
    #expect(found?.count == 5)
  }

  @Test("The layout of a generic struct is that of its arguments")
  func generic() {
    let mark = Mark()
    for found in [
      StoredProperties.names(
        of: Generic(value: 1 as UInt8, mark: mark), beginningWith: [ObjectIdentifier(mark)]),
      StoredProperties.names(of: Generic(value: "long", mark: mark), beginningWith: [ObjectIdentifier(mark)]),
    ] { #expect(found?.names == ["mark"]) }
  }
  #endif

  @Test("A class has no names here")
  func classes() {
    #expect(StoredProperties.names(of: Mark(), beginningWith: []) == nil)
  }
}
