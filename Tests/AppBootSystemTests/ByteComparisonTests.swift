import Testing

@testable import AppBootSystem

@Suite("Byte comparison")
struct ByteComparisonTests {
  private func areSame(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    first.withUnsafeBufferPointer { first in second.withUnsafeBufferPointer { first.hasSameBytes(as: $0) } }
  }

  @Test("Buffers are equal if their lengths and all bytes are equal")
  func comparison() {
    #expect(areSame([1, 2, 255], [1, 2, 255]))
    #expect(!areSame([1, 2, 3], [1, 2, 4]))
    #expect(!areSame([1, 2], [1, 2, 3]))
    #expect(!areSame([0], []))
  }

  @Test("Empty buffers are equal, with or without a base address")
  func empty() {
    let nowhere = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    #expect(areSame([], []))
    #expect(
      [1 as UInt8].withUnsafeBufferPointer {
        UnsafeBufferPointer(rebasing: $0[1...]).hasSameBytes(as: nowhere)
      })
  }
}
