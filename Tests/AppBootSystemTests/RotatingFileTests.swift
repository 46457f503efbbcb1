import AppBootTestSupport
import Testing

@testable import AppBootSystem

import AppBootLibC

@Suite("RotatingFile")
struct RotatingFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func log(maxSize: Int = 4, files: Int = 3, launch: String = "L", continues: Bool = false)
    -> RotatingFile
  {
    RotatingFile(
      in: directory.path, name: "web", launch: launch,
      limits: LogLimits(maxSize: maxSize, files: files),
      continues: continues)
  }

  /// The contents of the files, the newest first.
  private func contents() throws -> [String] {
    try (0..<10).compactMap { age in
      let path = RotatingFile.path(in: directory.path, name: "web", age: age)
      guard FileSystem.exists(path) else { return nil }
      return String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    }
  }

  private func times(_ age: Int) throws -> LogTimes? {
    LogTimes(try FileSystem.readFile(RotatingFile.timesPath(in: directory.path, name: "web", age: age)))
  }

  private func append(_ text: String, at time: Int64 = 0, to log: inout RotatingFile) throws {
    try append(text, [LogTimes.Mark(offset: 0, time: time)], to: &log)
  }

  private func append(_ text: String, _ marks: [LogTimes.Mark], to log: inout RotatingFile) throws {
    var text = text
    try text.withUTF8 { bytes throws in try log.append(UnsafeRawBufferPointer(bytes), marks) }
  }

  @Test("A log is not written through a symbolic link")
  func linked() throws {
    #expect(symlink(directory.file("target"), directory.file("web.log")) == 0)
    var log = log(continues: true)
    try append("abc", to: &log)
    #expect(!FileSystem.exists(directory.file("target")))
  }

  @Test("A log creates nothing before its first byte")
  func nothing() throws {
    _ = log()
    #expect(try FileSystem.list(directory.path) == [])
  }

  @Test("A full log is renamed, and the oldest file is removed")
  func rotation() throws {
    var log = log()
    for line in ["012\n", "345\n", "678\n", "9ab\n"] { try append(line, to: &log) }
    #expect(
      try FileSystem.list(directory.path)
        == ["web.1.log", "web.1.times", "web.2.log", "web.2.times", "web.log", "web.times"])
    #expect(try contents() == ["9ab\n", "678\n", "345\n"])
  }

  @Test("A log file ends at a line end")
  func lines() throws {
    var log = log(maxSize: 10)
    try append("one\ntwo\nthree\nfour\n", to: &log)
    #expect(try contents() == ["four\n", "three\n", "one\ntwo\n"])
  }

  @Test("A line that does not fit begins the next file")
  func nextFile() throws {
    var log = log(maxSize: 8)
    try append("one\n", to: &log)
    try append("second\n", to: &log)
    #expect(try contents() == ["second\n", "one\n"])
  }

  @Test("A line that comes in two parts stays in one file")
  func parts() throws {
    var log = log(maxSize: 8)
    for part in ["one\n", "tw", "o th\n", "4\n"] { try append(part, to: &log) }
    #expect(try contents() == ["4\n", "one\ntwo th\n"])
  }

  @Test("Only a line that is longer than the maximum size is split between files")
  func longLine() throws {
    var log = log(maxSize: 4)
    try append("0123456789\n", to: &log)
    #expect(try contents() == ["89\n", "4567", "0123"])
  }

  @Test("A log appends to the newest file only if it continues a log of the same launch")
  func launches() throws {
    var first = log(launch: "1")
    try append("1", to: &first)
    var second = log(launch: "2", continues: true)
    try append("2", to: &second)
    var third = log(launch: "2", continues: true)
    try append("3", to: &third)
    #expect(try contents() == ["23", "1"])
  }

  @Test("Files beyond a lower limit are removed")
  func lowerLimit() throws {
    var first = log(files: 5)
    for line in ["012\n", "345\n", "678\n", "9ab\n", "cde\n"] { try append(line, to: &first) }
    var second = log(files: 2)
    try append("new\n", to: &second)
    #expect(try contents() == ["new\n", "cde\n"])
    #expect(try FileSystem.list(directory.path).count == 4)
  }

  @Test("The times file of a log file has its launch, its number and the times of its lines")
  func times() throws {
    var log = log(maxSize: 8)
    try append("one\n", at: 1000, to: &log)
    try append("two\n", at: 2000, to: &log)
    try append(
      "three\nfour\n", [LogTimes.Mark(offset: 0, time: 3000), LogTimes.Mark(offset: 6, time: 5000)], to: &log)
    let old = try #require(try times(2))
    #expect(old.launch == "L" && old.number == 0)
    #expect(old.marks == [LogTimes.Mark(offset: 0, time: 1000), LogTimes.Mark(offset: 4, time: 2000)])
    #expect(try times(1)?.marks == [LogTimes.Mark(offset: 0, time: 3000)])
    let new = try #require(try times(0))
    #expect(new.number == 2 && new.marks.last?.time == 5000)
  }

  @Test("A log that was closed appends to its files")
  func closed() throws {
    var log = log(maxSize: 100)
    try append("one\n", at: 1000, to: &log)
    log.close()
    try append("two\n", at: 2000, to: &log)
    #expect(try contents() == ["one\ntwo\n"])
    #expect(try times(0)?.marks.last == LogTimes.Mark(offset: 4, time: 2000))
  }

  @Test("A new launch and a process that an older one left running keep all their lines")
  func twoWriters() throws {
    var old = log(files: 9, launch: "1")
    try append("a0\n", to: &old)
    var new = log(files: 9, launch: "2")
    try append("b0\n", to: &new)
    for number in 1...3 {
      try append("a\(number)\n", to: &old)
      try append("b\(number)\n", to: &new)
    }
    #expect(try contents() == ["b3\n", "b2\n", "b1\n", "b0\n", "a3\n", "a2\n", "a1\n", "a0\n"])
    #expect(try (0..<8).map { try times($0)?.launch } == ["2", "2", "2", "2", "1", "1", "1", "1"])
    #expect(try (0..<8).map { try times($0)?.number } == [3, 2, 1, 0, 3, 2, 1, 0])
  }

  @Test("A log that begins for an older launch moves no file of a newer one")
  func olderLaunch() throws {
    var first = log(launch: "1")
    try append("1\n", to: &first)
    var third = log(launch: "3")
    try append("3\n", to: &third)
    var second = log(launch: "2", continues: true)
    try append("2\n", to: &second)
    #expect(try contents() == ["3\n", "2\n", "1\n"])
    try append("4\n", to: &third)
    #expect(try contents() == ["3\n4\n", "2\n", "1\n"])
  }

  @Test("A process that an older launch left running keeps its latest file after a newer launch")
  func removedFiles() throws {
    var old = log(files: 2, launch: "1")
    try append("a0\n", to: &old)
    var new = log(files: 2, launch: "2")
    for line in ["b0\n", "b1\n", "b2\n"] { try append(line, to: &new) }
    for line in ["a1\n", "a2\n"] { try append(line, to: &old) }
    try append("b3\n", to: &new)
    #expect(try contents() == ["b3\n", "b2\n", "a2\n"])
  }

  @Test("A log that was closed finds its file if another writer of the launch has begun a newer one")
  func closedAndMoved() throws {
    var log = log(maxSize: 8)
    try append("one\n", to: &log)
    log.close()
    var other = self.log(maxSize: 8, continues: true)
    try append("second\n", to: &other)
    try append("x\n", to: &log)
    #expect(try contents() == ["x\n", "second\n", "one\n"])
    #expect(try times(0)?.number == 2)
  }

  @Test("A log that was closed does not read its times again")
  func closedTimes() throws {
    var log = log(maxSize: 100)
    try append("one\n", at: 1000, to: &log)
    log.close()
    let path = directory.file("web.times")
    let times = try FileSystem.readFile(path)
    // Of the same size, and in the same file.
    let file = try AppendFile(path, truncating: true)
    try file.append([UInt8](repeating: UInt8(ascii: "#"), count: times.count))
    try append("two\n", at: 3000, to: &log)
    #expect(String(decoding: try FileSystem.readFile(path), as: UTF8.self).hasSuffix("##4 2000\n"))
  }

  @Test("What two older launches left running keep a file each beside the files of a newer launch")
  func twoOlderLaunches() throws {
    var first = log(files: 2, launch: "1")
    try append("a0\n", to: &first)
    var second = log(files: 2, launch: "2")
    try append("b0\n", to: &second)
    var third = log(files: 2, launch: "3")
    for line in ["c0\n", "c1\n"] { try append(line, to: &third) }
    try append("a1\n", to: &first)
    for line in ["b1\n", "b2\n"] { try append(line, to: &second) }
    #expect(try contents() == ["c1\n", "c0\n", "b2\n", "a1\n"])
  }

  @Test("A file that was deleted is begun again")
  func deleted() throws {
    var log = log(maxSize: 100)
    try append("one\n", to: &log)
    try FileSystem.remove(directory.file("web.log"))
    try append("two\n", to: &log)
    #expect(try contents() == ["two\n"])
    #expect(try times(0)?.number == 1)
  }

  @Test("Two writers of one launch share a file, with the times of both")
  func sharedFile() throws {
    var first = log(maxSize: 100)
    try append("one\n", at: 1000, to: &first)
    var second = log(maxSize: 100, continues: true)
    try append("two\n", at: 2000, to: &second)
    try append("three\n", at: 3000, to: &first)
    #expect(try contents() == ["one\ntwo\nthree\n"])
    let marks = try #require(try times(0)).marks
    #expect(marks == [0, 4, 8].map { LogTimes.Mark(offset: $0, time: Int64($0 / 4 + 1) * 1000) })
  }

  @Test("Many writers that begin files at once lose no line")
  func manyWriters() throws {
    let threads = try (0..<4).map { writer in
      let log = log(maxSize: 8, files: 1000, launch: "\(writer)")
      return try Thread.start(name: "writer") {
        var log = log
        log.longestWait = 600_000_000_000
        for line in 100..<125 {
          let bytes = Array("\(writer)\(line)\n".utf8)
          #expect(throws: Never.self) {
            try bytes.withUnsafeBytes { try log.append($0, [LogTimes.Mark(offset: 0, time: 0)]) }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    let lines = try FileSystem.list(directory.path).filter { $0.hasSuffix(".log") }.flatMap { name in
      String(decoding: try FileSystem.readFile(directory.file(name)), as: UTF8.self).split(separator: "\n")
    }
    #expect(lines.sorted() == (0..<4).flatMap { writer in (100..<125).map { "\(writer)\($0)" } })
  }

  @Test("Only the owner can read a log file and its times file")
  func mode() throws {
    var log = log()
    try append("1", to: &log)
    for file in ["web.log", "web.times"] {
      #expect(try FileSystem.permissions(directory.file(file)) & 0o077 == 0)
    }
  }
}
