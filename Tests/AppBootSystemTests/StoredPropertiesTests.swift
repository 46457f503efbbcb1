import AppBootSystem
import Testing

@Suite("StoredProperties")
struct StoredPropertiesTests {
  private final class Mark: Sendable {}

  private struct Wrapper<Value> {
    let mark: Mark
    let value: Value
  }

  /// Begins with a wrapper, and is none.
  private struct Group {
    let inner: Wrapper<Int>
  }

  private struct Mixed {
    var small: UInt8 = 1
    let first: Wrapper<String>
    var text = "t"
    let second: Wrapper<[Int]>
    let _group: Group
    let bare: Mark
    var flag = false
  }

  private struct Generic<Value> {
    let value: Value
    let wrapper: Wrapper<Value>
  }

  #if os(Linux)
  @Test("A wrapper's property is found by the object that it begins with")
  func names() {
    let (first, second, third) = (Mark(), Mark(), Mark())
    let mixed = Mixed(
      first: Wrapper(mark: first, value: "a"), second: Wrapper(mark: second, value: [1]),
      _group: Group(inner: Wrapper(mark: third, value: 1)), bare: third)
    let found = StoredProperties.names(
      of: mixed, beginningWith: [second, third, first].map(ObjectIdentifier.init), wrapper: Wrapper<Bool>.self
    )
    #expect(found?.names == ["second", nil, "first"])
    #expect(found?.count == 7)
  }

  @Test("The layout of a generic struct is that of its arguments")
  func generic() {
    let mark = Mark()
    let marks = [ObjectIdentifier(mark)]
    let small = Generic(value: 1 as UInt8, wrapper: Wrapper(mark: mark, value: 2 as UInt8))
    let large = Generic(value: "long", wrapper: Wrapper(mark: mark, value: "longer"))
    #expect(
      StoredProperties.names(of: small, beginningWith: marks, wrapper: Wrapper<Bool>.self)?.names == [
        "wrapper"
      ])
    #expect(
      StoredProperties.names(of: large, beginningWith: marks, wrapper: Wrapper<Bool>.self)?.names == [
        "wrapper"
      ])
  }
  #endif

  @Test("A class has no names of stored properties")
  func classes() {
    #expect(StoredProperties.names(of: Mark(), beginningWith: [], wrapper: Wrapper<Bool>.self) == nil)
  }
}
