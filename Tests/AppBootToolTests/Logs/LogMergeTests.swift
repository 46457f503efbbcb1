import AppBoot
import AppBootCommands
import AppBootSystem
import Testing
import AppBootTestSupport

@testable import AppBootTool

@Suite("LogMerge")
struct LogMergeTests {
  private let directory: TemporaryDirectory
  private let logs: String

  init() throws {
    directory = try TemporaryDirectory()
    logs = OutputLogs.directory(in: directory.path)
    try FileSystem.createDirectory(logs)
  }

  private func file(_ step: String, launch: String = "0-1", maxSize: Int = 8, files: Int = 3) -> RotatingFile
  {
    RotatingFile(
      launch: launch, name: step, in: logs, limits: LogLimits(maxSize: maxSize, files: files))
  }

  private func append(_ text: String, at time: Int64 = 0, to file: inout RotatingFile) throws {
    try Array(text.utf8).withUnsafeBytes { bytes throws in
      try file.append(bytes, [LogTimes.Mark(offset: 0, time: time)])
    }
  }

  private func text(_ item: LogMerge.Item) -> String {
    switch item {
    case .line(let line, let step):
      "\(step) \(line.launch.dropFirst(2)) \(String(decoding: line.bytes, as: UTF8.self))\(line.isWhole ? "" : "…")"
    case .pruned(.files(let count), let step): "\(step) lost \(count)"
    case .pruned(.unknown, let step): "\(step) lost"
    case .earlier(let step, let launch): "\(step ?? "all") earlier \(launch.dropFirst(2))"
    case .unreadable(let step, _): "\(step) left out"
    case .untimed(let steps): "untimed \(steps.joined(separator: " "))"
    }
  }

  /// The items of the next round.
  private func read(_ merge: inout LogMerge) throws -> [String] {
    var items: [String] = []
    try merge.beginRound()
    _ = try merge.readRound { items.append(text($0)) }
    return items
  }

  private func merge(of step: String? = nil) -> LogMerge {
    LogMerge(state: directory.path, steps: step.map { [$0] } ?? [], readsAll: true)
  }

  /// Returns a reader of the step "a" that has read the first line of its file.
  private func begun(_ file: inout RotatingFile) throws -> LogMerge {
    try append("one\n", to: &file)
    var merge = merge(of: "a")
    #expect(try read(&merge) == ["a 1 one"])
    return merge
  }

  @Test("The files of a step are read in order, the oldest first")
  func all() throws {
    var file = file("a")
    for line in ["one\n", "two\n", "three\n", "four\n", "five\n"] { try append(line, to: &file) }
    var merge = merge(of: "a")
    #expect(try read(&merge) == ["a 1 three", "a 1 four", "a 1 five"])
    #expect(try read(&merge) == [])
  }

  @Test("A step's files of earlier launches come before those of the latest")
  func launches() throws {
    var first = file("a", launch: "0-1")
    try append("one\nend", to: &first)
    var second = file("a", launch: "0-2")
    try append("two\n", to: &second)
    var merge = merge(of: "a")
    #expect(try read(&merge) == ["a 1 one", "a 1 end", "a 2 two"])
  }

  @Test("The files of a step that begins later are reported if they were pruned before they were read")
  func prunedBefore() throws {
    var first = file("a")
    try append("one\n", to: &first)
    var merge = merge()
    #expect(try read(&merge) == ["a 1 one"])
    var second = file("b", files: 1)
    for line in ["two\n", "three\n", "four\n"] { try append(line, at: 1, to: &second) }
    #expect(try read(&merge) == ["b lost 2", "b 1 four"])
  }

  @Test("Only the steps of the latest launch are shown, and only its files")
  func latest() throws {
    for (step, launch, text) in [("a", "1", "old\n"), ("b", "1", "old\n"), ("a", "2", "one\ntwo\nthree\n")] {
      var file = file(step, launch: "0-\(launch)")
      try append(text, to: &file)
    }
    var merge = merge()
    #expect(try read(&merge) == ["a 2 one", "a 2 two", "a 2 three"])
  }

  @Test("The launches since that of the running app are shown, and steps that print later are added")
  func runningApp() throws {
    for (step, launch) in [("a", "1"), ("b", "2"), ("c", "3")] {
      var file = file(step, launch: "0-\(launch)")
      try append("\(step)\n", at: 1000, to: &file)
    }
    var merge = LogMerge(state: directory.path, steps: [], app: "0-2")
    #expect(try read(&merge).sorted() == ["b 2 b", "c 3 c"])
    var late = file("d", launch: "0-2")
    try append("d\n", at: 2000, to: &late)
    #expect(try read(&merge) == ["d 2 d"])
    var asked = LogMerge(state: directory.path, steps: ["b"], recorded: "0-3", app: "0-2")
    #expect(try read(&asked) == ["b 2 b"])
    var old = LogMerge(state: directory.path, steps: ["a"], app: "0-2")
    #expect(try read(&old) == ["a earlier 1", "a 1 a"])
  }

  @Test("The lines of several steps are in chronological order")
  func times() throws {
    var (first, second) = (file("a", maxSize: 100), file("b", maxSize: 100))
    for (text, time) in [("1\n", 1000), ("3\n3\n", 3000), ("6\n", 6000)] as [(String, Int64)] {
      try append(text, at: time, to: &first)
    }
    for (text, time) in [("2\n", 2000), ("4\n", 4000), ("5\n", 5000)] as [(String, Int64)] {
      try append(text, at: time, to: &second)
    }
    var merge = merge()
    #expect(try read(&merge) == ["a 1 1", "b 1 2", "a 1 3", "a 1 3", "b 1 4", "b 1 5", "a 1 6"])
  }

  @Test("A clock that is set back does not change the order of a step's lines")
  func clock() throws {
    var (first, second) = (file("a", maxSize: 100), file("b", maxSize: 100))
    try append("1\n", at: 9000, to: &first)
    try append("2\n", at: 1000, to: &first)
    try append("0\n", at: 5000, to: &second)
    var merge = merge()
    #expect(try read(&merge) == ["b 1 0", "a 1 1", "a 1 2"])
  }

  @Test("Each added line is read once, also from later files")
  func added() throws {
    var file = file("a")
    var merge = try begun(&file)
    for line in ["two\n", "three\n", "fo"] { try append(line, to: &file) }
    #expect(try read(&merge) == ["a 1 two", "a 1 three"])
    try append("ur\n", to: &file)
    #expect(try read(&merge) == ["a 1 four"])
  }

  @Test("An open file is read to its end after it was pruned, and missing files are counted")
  func pruned() throws {
    var file = file("a")
    var merge = try begun(&file)
    for line in ["1\n", "second\n", "third\n", "fourth\n", "fifth\n", "sixth\n"] {
      try append(line, to: &file)
    }
    #expect(try read(&merge) == ["a 1 1", "a lost 2", "a 1 fourth", "a 1 fifth", "a 1 sixth"])
  }

  @Test("Nothing is reported as lost if the next file is still there")
  func justInTime() throws {
    var file = file("a")
    var merge = try begun(&file)
    for line in ["second\n", "third\n", "fourth\n"] { try append(line, to: &file) }
    #expect(try read(&merge) == ["a 1 second", "a 1 third", "a 1 fourth"])
  }

  @Test("A line that spans several files is read as one line")
  func longLine() throws {
    var file = file("a")
    try append("0123456789abcdefghi\nx", to: &file)
    var merge = merge(of: "a")
    #expect(try read(&merge) == ["a 1 0123456789abcdefghi"])
    var rest: [String] = []
    merge.finish { rest.append(text($0)) }
    #expect(rest == ["a 1 x"])
  }

  @Test("A line that is longer than the limit is read in parts")
  func veryLongLine() throws {
    var file = file("a", maxSize: 4 << 20)
    try append(String(repeating: "x", count: LogReader.lineLimit) + "y\n", to: &file)
    var merge = merge(of: "a")
    let items = try read(&merge)
    #expect(items.count == 2 && items.first?.last == "…" && items.last?.last == "y")
  }

  @Test("What a process adds to the log of an older launch is read before the files of the newer one")
  func olderLaunch() throws {
    var first = file("a", launch: "0-1")
    try append("one\n", to: &first)
    var second = file("a", launch: "0-2")
    try append("two\n", to: &second)
    try append("late\nlater\n", to: &first)
    var merge = merge(of: "a")
    #expect(try read(&merge) == ["a 1 one", "a 1 late", "a 1 later", "a 2 two"])
  }

  @Test("A file that a newer launch removed is reported, because others may be missing too")
  func removedByNewerLaunch() throws {
    var file = file("a")
    var merge = try begun(&file)
    var new = RotatingFile(
      launch: "0-2", name: "a", in: logs, limits: LogLimits(maxSize: 8, files: 1),
      older: try LogFile.replaceable(in: logs)["a"] ?? [])
    try append("two\n", to: &new)
    #expect(try read(&merge) == ["a lost", "a 2 two"])
  }

  /// Replaces the times of the newest file of a step by other bytes.
  private func damageTimes(of step: String, _ text: String = "") throws {
    let file = try #require(try LogFile.all(in: logs)[step]?.last)
    try FileSystem.writeFile(atomically: Array(text.utf8), to: file.timesPath(in: logs))
  }

  @Test("Lines whose times are damaged are shown at the time of the last change of their file")
  func damagedTimes() throws {
    var (first, second, third) = (file("a", maxSize: 100), file("b"), file("c", maxSize: 100))
    try append("1\n2\n", at: 1000, to: &first)
    for line in ["early\n", "late\n", "last\n"] { try append(line, at: 2000, to: &second) }
    try append("3\n", at: 3000, to: &third)
    // Later than the end of any test.
    try append("4\n", at: 1 << 60, to: &third)
    try damageTimes(of: "a", "0 \0")
    try damageTimes(of: "b")
    var merge = merge()
    let items = try read(&merge)
    #expect(
      items.sorted() == [
        "a 1 1", "a 1 2", "b 1 early", "b 1 last", "b 1 late", "c 1 3", "c 1 4", "untimed a b",
      ])
    #expect(items.first == "b 1 early" && items.suffix(2) == ["c 1 4", "untimed a b"])
    #expect(items.filter { $0.hasPrefix("b") } == ["b 1 early", "b 1 late", "b 1 last"])
    #expect(try read(&merge) == [])
  }

  @Test("A log file without times belongs to the launch of its directory")
  func launchWithoutTimes() throws {
    for (step, launch) in [("a", "1"), ("b", "2")] {
      var file = file(step, launch: "0-\(launch)")
      try append("\(step)\n", to: &file)
      try damageTimes(of: step)
    }
    var latest = merge()
    #expect(try read(&latest) == ["b 2 b", "untimed b"])
  }

  @Test("A log file without a times file is read")
  func noTimes() throws {
    try FileSystem.createDirectory(FileSystem.join(logs, "0-1"))
    let path = LogFile(launch: "0-1", name: "a").path(in: logs)
    try FileSystem.writeFile(atomically: Array("one\n".utf8), to: path)
    var merge = merge()
    #expect(try read(&merge) == ["a 1 one", "untimed a"])
  }
}
