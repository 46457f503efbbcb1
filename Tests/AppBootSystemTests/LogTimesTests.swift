import Testing

@testable import AppBootSystem

@Suite("LogTimes")
struct LogTimesTests {
  private typealias Mark = LogTimes.Mark

  @Test("A reader gets the marks that a writer added")
  func both() throws {
    var writer = LogTimes(launch: "L", number: 2, time: 1000)
    var text = writer.header
    for mark in [Mark(offset: 10, time: 5000), Mark(offset: 30, time: 4000)] {
      text += writer.add(mark) ?? ""
    }
    let reader = try #require(LogTimes(Array(text.utf8)))
    #expect(reader.launch == "L" && reader.number == 2)
    #expect(
      reader.marks == [
        Mark(offset: 0, time: 1000), Mark(offset: 10, time: 5000), Mark(offset: 30, time: 4000),
      ])
  }

  @Test("A mark within 0.1 ms of the last one is omitted")
  func close() {
    var writer = LogTimes(launch: "L", number: 0, time: 1000)
    #expect(writer.add(Mark(offset: 10, time: 1000 + LogTimes.resolution - 1)) == nil)
    #expect(writer.add(Mark(offset: 20, time: 1000 + LogTimes.resolution)) == "20 100\n")
  }

  @Test("A reader does not use a line before it is complete")
  func partial() throws {
    var reader = try #require(LogTimes(Array("appboot-times 1 L 0 7\n1".utf8)))
    #expect(reader.marks.count == 1)
    reader.append(Array("0 5\n".utf8))
    #expect(reader.marks.last == Mark(offset: 10, time: 12))
  }

  @Test(
    "A file of another form has no times",
    arguments: ["", "appboot-times 1 L 0 7", "appboot-times 2 L 0 7\n", "appboot-times 1 L x 7\n", "text\n"])
  func other(_ text: String) {
    #expect(LogTimes(Array(text.utf8)) == nil)
  }

  @Test("A line that is not a mark is skipped")
  func damaged() throws {
    let reader = try #require(LogTimes(Array("appboot-times 1 L 0 7\nx y\n-1 5\n10 5\n".utf8)))
    #expect(reader.marks == [Mark(offset: 0, time: 7), Mark(offset: 10, time: 12)])
  }
}
