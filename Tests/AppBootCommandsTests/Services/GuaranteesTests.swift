import AppBootSystem
import Testing

@Suite("The table of guarantees")
struct GuaranteesTests {
  private let folder = FileSystem.directory(of: #filePath)
  private var example: String { FileSystem.join(folder, "../../../Examples/Lifecycle") }

  @Test("Each guarantee of swift-service-lifecycle names a test that exists")
  func names() throws {
    let files = try FileSystem.list(folder).map { FileSystem.join(folder, $0) }
    let others = FileSystem.join(example, "Tests/LifecycleKitTests/LifecycleTests.swift")
    let tests = try (files + [others]).map(text)
    var count = 0
    for row in try text(FileSystem.join(example, "README.md")).split(separator: "\n") {
      guard row.hasPrefix("| `test"), let name = row.split(separator: "\"").dropFirst().first else {
        continue
      }
      count += 1
      let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      #expect(cells.count == 5, "\(name) has no column that says what differs")
      #expect(
        tests.contains { $0.contains("@Test(\"\(name)\"") || $0.contains("\n    \"\(name)\"") }, "\(name)")
    }
    #expect(count > 20)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try FileSystem.readFile(path), as: UTF8.self)
  }
}
