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
    let hasMore = tail.readMore()
    #expect(hasMore)
    let more = tail.read(launchStartedAt: Self.start, of: 1)
    #expect(more.isReset && more.lines.count > first.count && more.lines.last?.text == "more")
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
}
