import AppBootTestSupport
import Testing

@testable import AppBootSystem

import AppBootLibC

@Suite("RotatingFile")
struct RotatingFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func log(maxSize: Int = 4, files: Int = 3, launch: String = "0-7", isShared: Bool = false) throws
    -> RotatingFile
  {
    RotatingFile(
      launch: launch, name: "web", in: directory.path, limits: LogLimits(maxSize: maxSize, files: files),
      older: isShared ? [] : try LogFile.replaceable(in: directory.path)["web"] ?? [], isShared: isShared)
  }

  private func files() throws -> [LogFile] { try LogFile.all(in: directory.path)["web"] ?? [] }

  /// The contents of the files, the oldest first.
  private func contents() throws -> [String] {
    try files().map { String(decoding: try FileSystem.readFile($0.path(in: directory.path)), as: UTF8.self) }
  }

  private func marks(_ number: Int = 0) throws -> [LogTimes.Mark] {
    let file = LogFile(launch: "0-7", name: "web", number: number)
    var times = LogTimes()
    times.append(try FileSystem.readFile(file.timesPath(in: directory.path)))
    return times.marks
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
    try FileSystem.createDirectory(directory.file("0-7"))
    #expect(symlink(directory.file("target"), directory.file("0-7/web.log")) == 0)
    var log = try log()
    #expect(throws: SystemError.self) { try append("abc", to: &log) }
    #expect(!FileSystem.exists(directory.file("target")))
  }

  @Test("A log creates nothing before its first byte")
  func nothing() throws {
    _ = try log()
    #expect(try FileSystem.list(directory.path) == [])
  }

  @Test("A full log is followed by the next number, and the oldest file is removed")
  func rotation() throws {
    var log = try log()
    for line in ["012\n", "345\n", "678\n", "9ab\n"] { try append(line, to: &log) }
    #expect(
      try FileSystem.list(directory.file("0-7"))
        == ["web.1.log", "web.1.times", "web.2.log", "web.2.times", "web.3.log", "web.3.times"])
    #expect(try contents() == ["345\n", "678\n", "9ab\n"])
  }

  @Test("A log file ends at a line end")
  func lines() throws {
    var log = try log(maxSize: 10)
    try append("one\ntwo\nthree\nfour\n", to: &log)
    #expect(try contents() == ["one\ntwo\n", "three\n", "four\n"])
  }

  @Test("A line that does not fit begins the next file")
  func nextFile() throws {
    var log = try log(maxSize: 8)
    try append("one\n", to: &log)
    try append("second\n", to: &log)
    #expect(try contents() == ["one\n", "second\n"])
  }

  @Test("A line that comes in two parts stays in one file")
  func parts() throws {
    var log = try log(maxSize: 8)
    for part in ["one\n", "tw", "o th\n", "4\n"] { try append(part, to: &log) }
    #expect(try contents() == ["one\ntwo th\n", "4\n"])
  }

  @Test("Only a line that is longer than the maximum size is split between files")
  func longLine() throws {
    var log = try log(maxSize: 4)
    try append("0123456789\n", to: &log)
    #expect(try contents() == ["0123", "4567", "89\n"])
  }

  @Test("A launch has a directory of its own, and appends to its newest file only if the log is shared")
  func launches() throws {
    var first = try log(launch: "0-1")
    try append("1", to: &first)
    var second = try log(launch: "0-2", isShared: true)
    try append("2", to: &second)
    var third = try log(launch: "0-2", isShared: true)
    try append("3", to: &third)
    #expect(try contents() == ["1", "23"])
    #expect(try FileSystem.list(directory.path) == ["0-1", "0-2"])
  }

  @Test("The files of earlier launches count, and are the first to be removed")
  func earlierLaunches() throws {
    for launch in ["1", "2", "3", "4"] {
      var log = try log(launch: "0-\(launch)")
      try append("\(launch)\n", to: &log)
    }
    #expect(try contents() == ["2\n", "3\n", "4\n"])
    var last = try log(maxSize: 2, launch: "0-5")
    for line in ["a\n", "b\n"] { try append(line, to: &last) }
    #expect(try contents() == ["4\n", "a\n", "b\n"])
  }

  @Test("A directory without files is removed at the next launch")
  func emptyDirectory() throws {
    for launch in ["1", "2"] {
      var log = try log(files: 1, launch: "0-\(launch)")
      try append("\(launch)\n", to: &log)
    }
    #expect(try FileSystem.list(directory.path) == ["0-1", "0-2"])
    #expect(try LogFile.replaceable(in: directory.path)["web"]?.map(\.launch) == ["0-2"])
    #expect(try FileSystem.list(directory.path) == ["0-2"])
  }

  @Test("Files beyond a lower limit are removed")
  func lowerLimit() throws {
    var first = try log(files: 5, launch: "0-1")
    for line in ["012\n", "345\n", "678\n", "9ab\n", "cde\n"] { try append(line, to: &first) }
    var second = try log(files: 2, launch: "0-2")
    try append("new\n", to: &second)
    #expect(try contents() == ["cde\n", "new\n"])
    #expect(try FileSystem.list(directory.file("0-1")).count == 2)
  }

  @Test("A launch whose processes still write keeps its files")
  func writingLaunch() throws {
    var old = try log(files: 1, launch: "0-1")
    try append("a0\n", to: &old)
    let lock = try #require(LogFile.lock(launch: "0-1", in: directory.path))
    for launch in ["2", "3"] {
      var new = try log(files: 1, launch: "0-\(launch)")
      try append("\(launch)\n", to: &new)
    }
    #expect(try contents() == ["a0\n", "3\n"])
    lock.release()
    var last = try log(files: 1, launch: "0-4")
    try append("4\n", to: &last)
    #expect(try contents() == ["4\n"])
  }

  @Test("A process that continues to write after a newer launch removed its files loses no line")
  func removedFiles() throws {
    var old = try log(files: 1, launch: "0-1")
    try append("a0\n", to: &old)
    var new = try log(files: 1, launch: "0-2")
    try append("b0\n", to: &new)
    #expect(try LogFile.replaceable(in: directory.path)["web"]?.map(\.launch) == ["0-2"])
    try append("a1\n", to: &old)
    #expect(try contents() == ["a1\n", "b0\n"])
  }

  @Test("Files beside the directories of launches, and other files in them, are left alone")
  func otherFiles() throws {
    let names = [
      "web.log", "0-7/.log", "0-7/web.x.log", "0-7/web.0.log", "0-7/web.-1.log", "0-7/web.01.log",
      "0-7/web.9223372036854775807.log", "0-7/web.txt", "0-7/web", "old/web.log", "2026-backup/web.log",
    ]
    for name in ["0-7", "old", "2026-backup"] { try FileSystem.createDirectory(directory.file(name)) }
    for name in names { try FileSystem.writeFile(atomically: [], to: directory.file(name)) }
    #expect(try files() == [])
    #expect(try LogFile.replaceable(in: directory.path).isEmpty)
    #expect(names.allSatisfy { FileSystem.exists(directory.file($0)) })
  }

  @Test("A link in place of a launch's directory is refused")
  func linkedDirectory() throws {
    try FileSystem.createDirectory(directory.file("target"))
    #expect(symlink(directory.file("target"), directory.file("0-7")) == 0)
    #expect(throws: SystemError.self) {
      try LogFile.createDirectory(ofLaunch: "0-7", in: directory.path)
    }
    #expect(LogFile.lock(launch: "0-7", in: directory.path) == nil)
  }

  @Test("A times file without its log file is removed with the files of its launch")
  func timesOnly() throws {
    try FileSystem.createDirectory(directory.file("0-1"))
    try FileSystem.writeFile(atomically: [], to: directory.file("0-1/web.2.times"))
    var log = try log(files: 1)
    try append("1\n", to: &log)
    #expect(try FileSystem.list(directory.file("0-1")) == [])
  }

  @Test("The times file of a log file has the times of its lines")
  func times() throws {
    var log = try log(maxSize: 8)
    try append("one\n", at: 1000, to: &log)
    try append("two\n", at: 2000, to: &log)
    try append(
      "three\nfour\n", [LogTimes.Mark(offset: 0, time: 3000), LogTimes.Mark(offset: 6, time: 5000)], to: &log)
    #expect(try marks() == [LogTimes.Mark(offset: 0, time: 1000), LogTimes.Mark(offset: 4, time: 2000)])
    #expect(try marks(1) == [LogTimes.Mark(offset: 0, time: 3000)])
    #expect(try marks(2).last?.time == 5000)
  }

  @Test("A log that was closed appends to its files")
  func closed() throws {
    var log = try log(maxSize: 100)
    try append("one\n", at: 1000, to: &log)
    log.close()
    try append("two\n", at: 2000, to: &log)
    #expect(try contents() == ["one\ntwo\n"])
    #expect(try marks().last == LogTimes.Mark(offset: 4, time: 2000))
  }

  @Test("A log that was closed turns to the newer file of another writer")
  func closedAndContinued() throws {
    var log = try log(maxSize: 8)
    try append("one\n", to: &log)
    log.close()
    var other = try self.log(maxSize: 8, isShared: true)
    try append("two\n", to: &other)
    try append("second\n", to: &other)
    try append("x\n", to: &log)
    #expect(try contents() == ["one\ntwo\n", "second\n", "x\n"])
  }

  @Test("A log that begins after another process began one continues it")
  func shared() throws {
    var other = try log(maxSize: 100, isShared: true)
    try append("one\n", to: &other)
    var log = try log(maxSize: 100)
    log.share()
    try append("two\n", to: &log)
    #expect(try contents() == ["one\ntwo\n"])
  }

  @Test("A file that was deleted is followed by the next one")
  func deleted() throws {
    var log = try log(maxSize: 100)
    try append("one\n", to: &log)
    try FileSystem.remove(directory.file("0-7/web.log"))
    try append("two\n", to: &log)
    #expect(try contents() == ["two\n"])
    #expect(try files().map(\.number) == [1])
  }

  @Test("Two writers of one launch share a file, with the times of both")
  func sharedFile() throws {
    var first = try log(maxSize: 100)
    try append("one\n", at: 1000, to: &first)
    var second = try log(maxSize: 100, isShared: true)
    try append("two\n", at: 2000, to: &second)
    try append("three\n", at: 3000, to: &first)
    #expect(try contents() == ["one\ntwo\nthree\n"])
    #expect(try marks() == [0, 4, 8].map { LogTimes.Mark(offset: $0, time: Int64($0 / 4 + 1) * 1000) })
  }

  @Test("Many writers that begin files at once lose no line", arguments: [true, false])
  func manyWriters(ofOneLaunch: Bool) throws {
    let threads = try (0..<4).map { writer in
      let log = try log(maxSize: 8, files: 1000, launch: ofOneLaunch ? "0-7" : "0-\(writer)", isShared: true)
      return try Thread.start(name: "writer") {
        var log = log
        for line in 100..<125 {
          let bytes = Array("\(writer)\(line)\n".utf8)
          #expect(throws: Never.self) {
            try bytes.withUnsafeBytes { try log.append($0, [LogTimes.Mark(offset: 0, time: 0)]) }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    let lines = try contents().joined().split(separator: "\n")
    #expect(lines.sorted() == (0..<4).flatMap { writer in (100..<125).map { "\(writer)\($0)" } })
  }

  @Test("Only the owner can read a log file, its times file and their directory")
  func mode() throws {
    var log = try log()
    try append("1", to: &log)
    for file in ["0-7", "0-7/web.log", "0-7/web.times"] {
      #expect(try FileSystem.permissions(directory.file(file)) & 0o077 == 0)
    }
  }
}
