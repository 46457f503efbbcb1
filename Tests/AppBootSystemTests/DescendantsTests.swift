#if os(Linux)
@testable import AppBootSystem
import Testing

@Suite("Descendants")
struct DescendantsTests {
  private func entry(_ stat: String) -> ProcessEntry? {
    ProcessEntry(process: 42, stat: Array(stat.utf8))
  }

  @Test("A process entry has the parent and the state of any process name")
  func entries() {
    #expect(entry("42 (sh) S 17 42 42 0") == ProcessEntry(process: 42, parent: 17, state: UInt8(ascii: "S")))
    #expect(
      entry("42 (a) R 1 (b)) T 1234567 1")
        == ProcessEntry(process: 42, parent: 1_234_567, state: UInt8(ascii: "T")))
    #expect(entry("42 (sh)") == nil)
    #expect(entry("") == nil)
  }

  @Test("Descendants include the children of children, in any order of identifiers, and not the root")
  func family() {
    let entries = [(1, 0), (9, 30), (10, 1), (20, 10), (30, 20), (31, 1)].map {
      ProcessEntry(process: $0.0, parent: $0.1, state: UInt8(ascii: "S"))
    }
    #expect(Set(Descendants.of(10, in: entries).map(\.process)) == [9, 20, 30])
    #expect(Descendants.of(9, in: entries).isEmpty)
  }

  @Test("The list of processes has this process, with its parent's child")
  func all() throws {
    let child = try ProcessRequest(["sleep", "1000"]).start()
    defer {
      child.killGroup(Signals.kill)
      _ = child.wait()
      child.finish()
    }
    let children = Descendants.of(Host.processIdentifier, in: ProcessEntry.all())
    #expect(children.contains { $0.process == child.processIdentifier })
  }
}
#endif
