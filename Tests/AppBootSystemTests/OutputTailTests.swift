import AppBootSystem
import Testing

@Suite("OutputTail")
struct OutputTailTests {
  @Test("A tail has the last bytes, for any size of chunks", arguments: 1...12)
  func lastBytes(chunk: Int) {
    let all = (0..<100).map { UInt8($0) }
    var tail = OutputTail(limit: 8)
    for start in stride(from: 0, to: 100, by: chunk) {
      tail.append(Array(all[start..<min(100, start + chunk)]))
    }
    #expect(tail.bytes == Array(all.suffix(8)))
    #expect(tail.totalCount == 100)
  }

  @Test("A tail has a last line, which may be unfinished")
  func lines() {
    var tail = OutputTail()
    #expect(!tail.endsInsideLine && tail.lastLine == nil)
    tail.append(Array("one\r\ntwo".utf8))
    #expect(tail.endsInsideLine && tail.lastLine == "two")
    tail.append(Array("\n\n".utf8))
    #expect(!tail.endsInsideLine && tail.lastLine == "two")
    #expect(tail.text == "one\r\ntwo\n\n")
  }

  @Test("A tail finds lines that wrap around its buffer")
  func seam() {
    var tail = OutputTail(limit: 8)
    tail.append(Array("abcdefg\nhij\n".utf8))
    #expect(tail.text == "efg\nhij\n" && tail.lastLine == "hij")
  }
}
