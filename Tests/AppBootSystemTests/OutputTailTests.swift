import AppBootSystem
import Testing

@Suite("The tail of an output")
struct OutputTailTests {
  @Test("is the last bytes, however they arrive", arguments: 1...12)
  func lastBytes(chunk: Int) {
    let all = (0..<100).map { UInt8($0) }
    var tail = OutputTail(limit: 8)
    for start in stride(from: 0, to: 100, by: chunk) {
      tail.append(Array(all[start..<min(100, start + chunk)]))
    }
    #expect(tail.bytes == Array(all.suffix(8)))
    #expect(tail.totalCount == 100)
  }

  @Test("knows its last full line and its last line")
  func lines() {
    var tail = OutputTail()
    #expect(tail.lastFullLine == nil && tail.lastLine == nil)
    tail.append(Array("one\r\ntwo".utf8))
    #expect(tail.lastFullLine == "one" && tail.lastLine == "two")
    tail.append(Array("\n\n".utf8))
    #expect(tail.lastFullLine == "" && tail.lastLine == "two")
    #expect(tail.text == "one\r\ntwo\n\n")
  }

  @Test("finds lines that lie across the seam of the ring")
  func seam() {
    var tail = OutputTail(limit: 8)
    tail.append(Array("abcdefg\nhij\n".utf8))
    #expect(tail.text == "efg\nhij\n" && tail.lastFullLine == "hij")
  }
}
