import AppBootSystem
import Testing

@Suite("LineSplitter")
struct LineSplitterTests {
  private func lines(_ chunks: [[UInt8]], skips: Bool = false) -> [String] {
    var splitter = LineSplitter()
    var lines: [String] = []
    let take: (UnsafeRawBufferPointer) -> Void = { lines.append(String(decoding: $0, as: UTF8.self)) }
    for chunk in chunks {
      chunk.withUnsafeBytes { bytes in
        if skips { splitter.appendSkippingToLast(bytes, take) } else { splitter.append(bytes, take) }
      }
    }
    splitter.finish(take)
    return lines
  }

  @Test("Every line is passed on, for any size of chunks", arguments: 1...9)
  func chunks(size: Int) {
    let text = Array("one\n\ntwo\nthree".utf8)
    let chunks = stride(from: 0, to: text.count, by: size).map {
      Array(text[$0..<min($0 + size, text.count)])
    }
    #expect(lines(chunks) == ["one", "", "two", "three"])
  }

  @Test("A line that is too long comes in pieces, and no byte is lost")
  func longLine() {
    let long = [UInt8](repeating: 0x61, count: 3 * LineSplitter.limit + 5)
    let pieces = lines([long, Array("b\nc\n".utf8)])
    #expect(pieces.map(\.utf8.count) == [LineSplitter.limit, LineSplitter.limit, LineSplitter.limit, 6, 1])
    #expect(pieces.dropLast().joined().utf8.count == long.count + 1)
  }

  @Test("A line that fills its last piece has no empty piece after it", arguments: [1, 2])
  func fullPieces(count: Int) {
    let line = [UInt8](repeating: 0x61, count: count * LineSplitter.limit)
    for chunks in [[line + Array("\nb\n".utf8)], [line, Array("\nb\n".utf8)]] {
      #expect(lines(chunks).map(\.utf8.count) == Array(repeating: LineSplitter.limit, count: count) + [1])
    }
  }

  @Test("A long line is cut between two characters", arguments: ["é", "€", "😀"])
  func characters(_ character: String) {
    for offset in 0..<4 {
      let text =
        String(repeating: "a", count: offset) + String(repeating: character, count: LineSplitter.limit)
      #expect(lines([Array(text.utf8)]).joined() == text)
    }
  }

  @Test("A long line that is not UTF-8 is cut all the same")
  func notUTF8() {
    let bytes = [UInt8](repeating: 0x80, count: LineSplitter.limit * 2)
    #expect(lines([bytes]).count == 2)
  }

  @Test("Skipping passes on the last line of each chunk")
  func skipping() {
    let chunks = ["a\nb\nc", "d\ne", "f", "\n"].map { Array($0.utf8) }
    #expect(lines(chunks, skips: true) == ["b", "cd", "ef"])
  }
}
