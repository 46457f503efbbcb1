import Testing

@testable import AppBootSystem

@Suite("LogTimes")
struct LogTimesTests {
  private typealias Mark = LogTimes.Mark

  private func times(_ text: String) -> LogTimes {
    var times = LogTimes()
    times.append(Array(text.utf8))
    return times
  }

  @Test("A reader gets the marks that a writer added")
  func both() {
    let marks = [
      Mark(offset: 0, time: 1000), Mark(offset: 10, time: 5000), Mark(offset: 30, time: 4000),
      Mark(offset: 40, time: 4001, stream: .errors), Mark(offset: 50, time: 4002),
    ]
    var writer = LogTimes()
    #expect(times(marks.compactMap { writer.add($0) }.joined()).marks == marks)
  }

  @Test("A mark within 0.1 ms of the last one is omitted")
  func close() {
    var writer = LogTimes()
    #expect(writer.add(Mark(offset: 0, time: 1000)) == "0 1000\n")
    #expect(writer.add(Mark(offset: 10, time: 1000 + LogTimes.resolution - 1)) == nil)
    #expect(writer.add(Mark(offset: 20, time: 1000 + LogTimes.resolution)) == "20 1100\n")
  }

  @Test("A reader does not use a line before it is complete")
  func partial() {
    var reader = times("0 7\n1")
    #expect(reader.marks == [Mark(offset: 0, time: 7)])
    reader.append(Array("0 12\n".utf8))
    #expect(reader.marks.last == Mark(offset: 10, time: 12))
  }

  @Test(
    "A file of another form has no times",
    arguments: ["", "0 7", "0 x\n", "0\n", "0 7 8\n", "0 7 2 9\n", "text\n"])
  func other(_ text: String) {
    #expect(times(text).marks == [])
  }

  @Test("A line that is not a mark, or has an earlier offset than the last one, is skipped")
  func damaged() {
    let marks = times("-1 5\n0 7\nx y\n10 12\n9 13\n10 14\n").marks
    #expect(marks == [Mark(offset: 0, time: 7), Mark(offset: 10, time: 12), Mark(offset: 10, time: 14)])
  }
}
