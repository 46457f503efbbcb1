#if os(Linux)
import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("ProcessFamily", .ownProcess)
struct ProcessFamilyTests {
  @Test("A family without members has ended, although an orphan of another program ended meanwhile")
  func strangers() throws {
    try Subreaper.start(ownsChildren: false)
    let parent = try ProcessRequest(["sh", "-c", "sleep 1000 & echo $!"], captureOutput: true).start()
    var bytes: [UInt8] = []
    var isOpen = true
    while isOpen, !bytes.contains(UInt8(ascii: "\n")) { isOpen = parent.readOutput { bytes += $0 } }
    let orphan = try #require(
      Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)))
    _ = parent.wait()
    parent.finish()
    let root = try ProcessRequest(["true"]).start()
    _ = root.wait()
    var family = ProcessFamily(of: root.processIdentifier, marks: ["MARK": "family"])
    let first = family.members()
    #expect(first == .unknown)
    Signals.send(Signals.kill, to: orphan)
    let hasEnded = Patience.wait { !Signals.send(0, to: orphan) }
    #expect(hasEnded)
    let second = family.members()
    #expect(second == .none)
    root.finish()
  }
}
#endif
