#if os(Linux)
@testable import AppBootSystem
import Testing

@Suite("Descendants")
struct DescendantsTests {
  private func entry(_ stat: String) -> ProcessEntry? {
    ProcessEntry(process: 42, stat: Array(stat.utf8))
  }

  @Test("A process entry has the parent, the group, the state, the threads and the start of any process name")
  func entries() {
    #expect(
      entry("42 (sh) S 17 40 42 0")
        == ProcessEntry(process: 42, parent: 17, group: 40, state: UInt8(ascii: "S")))
    #expect(
      entry("42 (a) R 1 (b)) T 1234567 1")
        == ProcessEntry(process: 42, parent: 1_234_567, group: 1, state: UInt8(ascii: "T")))
    let long = entry("42 (sh) Z 17 40 42 0 -1 4 0 0 0 0 0 0 0 0 20 0 3 0 77 0 0")
    #expect(
      long
        == ProcessEntry(
          process: 42, parent: 17, group: 40, state: UInt8(ascii: "Z"), threads: 3, start: 77))
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

  @Test("A search for processes that do not end waits 5 s, and no longer")
  func limit() {
    #expect(Duration.nanoseconds(Descendants.limit) == .seconds(5))
    var looks = 0
    let begin = MonotonicClock.now()
    Descendants.kill(until: { false }, within: 20_000_000) { _ in
      looks += 1
      return []
    }
    #expect(looks > 0 && MonotonicClock.now() - begin >= 20_000_000)
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
