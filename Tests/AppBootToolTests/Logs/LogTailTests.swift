import AppBootCommands
import AppBootReports
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("LogTail")
struct LogTailTests {
  private static let start = "2026-11-21T04:12:49.467Z"
  private static let launch = "20261121T041249.467Z-42"
  private let directory: TemporaryDirectory
  private let logs: String

  init() throws {
    directory = try TemporaryDirectory()
    logs = OutputLogs.directory(in: directory.path)
    try FileSystem.createDirectory(logs)
  }

  private func file(_ step: String, launch: String = Self.launch) -> RotatingFile {
    RotatingFile(launch: launch, name: step, in: logs, limits: LogLimits(maxSize: 1 << 24, files: 3))
  }

  private func append(_ text: String, to file: inout RotatingFile) throws {
    try Array(text.utf8).withUnsafeBytes { bytes throws in
      try file.append(bytes, [LogTimes.Mark(offset: 0, time: 1)])
    }
  }

  private func tail() -> LogTail { LogTail(state: directory.path, style: TextStyle()) }

  private func numbers(_ range: Range<Int>) -> String { range.map { "line \($0)\n" }.joined() }

  @Test("The tail begins with whole lines near the end, and goes on with the new ones")
  func follows() throws {
    var file = file("web")
    try append(numbers(0..<20_000), to: &file)
    var tail = tail()
    tail.select("web")
    let (first, isReset) = tail.read(launchStartedAt: Self.start, of: 1)
    #expect(isReset && first.last?.text == "line 19999" && first.last?.time == 1)
    #expect(first.count > 1000 && first.count < 10_000)
    #expect(first.first?.text == "line \(20_000 - first.count)")
    try append("more\n", to: &file)
    let next = tail.read(launchStartedAt: Self.start, of: 1)
    #expect(next.lines.map(\.text) == ["more"] && !next.isReset)
  }

  @Test(
    "Older lines are read in blocks up to the beginning of the log, each line once, also from rotated files")
  func older() throws {
    var file = RotatingFile(
      launch: Self.launch, name: "web", in: logs, limits: LogLimits(maxSize: 1 << 18, files: 9))
    for start in stride(from: 0, to: 100_000, by: 1000) {
      try append(numbers(start..<start + 1000), to: &file)
    }
    var tail = tail()
    tail.select("web")
    #expect(!tail.hasOlder)
    var lines = tail.read(launchStartedAt: Self.start, of: 1).lines
    try append("more\n", to: &file)
    var blocks = 0
    while tail.hasOlder, blocks < 100 {
      lines = tail.readOlder(of: 1) + lines
      blocks += 1
    }
    #expect(blocks > 3 && blocks < 10)
    #expect(lines.map(\.text) == (0..<100_000).map { "line \($0)" })
    #expect(tail.readOlder(of: 1).isEmpty)
    #expect(tail.read(launchStartedAt: Self.start, of: 1).lines.map(\.text) == ["more"])
  }

  @Test("A line that is longer than a block does not keep the reader from the lines before it")
  func long() throws {
    var file = file("web")
    try append("first\n" + String(repeating: "x", count: 900_000) + "\n" + numbers(0..<20_000), to: &file)
    var tail = tail()
    tail.select("web")
    _ = tail.read(launchStartedAt: Self.start, of: 1)
    var (lines, blocks) = ([LogTail.Line](), 0)
    while tail.hasOlder, blocks < 100 {
      lines = tail.readOlder(of: 1) + lines
      blocks += 1
    }
    #expect(lines.first?.text == "first" && blocks < 100)
  }

  @Test("The older lines of all steps together are the older lines of each step")
  func olderOfAll() throws {
    var (web, api) = (file("web"), file("api"))
    try append(numbers(0..<40_000), to: &web)
    try append(numbers(0..<10), to: &api)
    var tail = tail()
    tail.select(nil)
    var lines = tail.read(launchStartedAt: Self.start, of: 2).lines
    while tail.hasOlder { lines += tail.readOlder(of: 2) }
    #expect(lines.count { $0.step == "web" } == 40_000 && lines.count { $0.step == "api" } == 10)
  }

  @Test("After a flood, the lines between are left out")
  func flood() throws {
    var file = file("web")
    try append("first\n", to: &file)
    var tail = tail()
    tail.select("web")
    let first = tail.read(launchStartedAt: Self.start, of: 1)
    #expect(first.lines.map(\.text) == ["first"])
    try append(numbers(0..<50_000), to: &file)
    let (lines, isReset) = tail.read(launchStartedAt: Self.start, of: 1)
    #expect(isReset && lines.last?.text == "line 49999" && lines.count < 10_000)
  }

  @Test("The tail has only lines of its launch, and of all steps together if none is selected")
  func launches() throws {
    var (old, web, api) = (file("web", launch: "20251121T041249.467Z-41"), file("web"), file("api"))
    try append("old\n", to: &old)
    var tail = tail()
    tail.select(nil)
    let none = tail.read(launchStartedAt: Self.start, of: 2)
    try append("of web\n", to: &web)
    let one = tail.read(launchStartedAt: Self.start, of: 2)
    try append("of api\n", to: &api)
    let other = tail.read(launchStartedAt: Self.start, of: 2)
    #expect(none.lines.isEmpty && one.lines.map(\.text) == ["of web"] && other.lines.map(\.step) == ["api"])
    let last = tail.lastLines(of: ["web", "api", "none"], launchStartedAt: Self.start)
    #expect(last == ["web": "of web", "api": "of api"])
  }

  @Test("The last line of a step is shown from its beginning, and a very long one from a character on")
  func lastLine() throws {
    var file = file("web")
    var tail = tail()
    func last() -> String? { tail.lastLines(of: ["web"], launchStartedAt: Self.start)["web"] }
    // Each has two bytes.
    let long = String(repeating: "\u{E9}", count: 1500)
    try append("first\n\(long)\n", to: &file)
    #expect(last() == long)
    try append("\(long)\(long)\n", to: &file)
    #expect(last() == "…" + String(repeating: "\u{E9}", count: 2047))
    try append("short\n", to: &file)
    #expect(last() == "short")
  }
}
