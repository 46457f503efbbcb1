import Testing

@testable import AppBootSystem

@Suite("Watched groups")
struct WatchedGroupsTests {
  private func groups(after messages: [Int32], bytesAtOnce: Int = 64) -> Set<Int32> {
    let bytes = messages.flatMap { message in withUnsafeBytes(of: message, Array.init) }
    var groups = WatchedGroups()
    for start in stride(from: 0, to: bytes.count, by: bytesAtOnce) {
      bytes[start..<min(start + bytesAtOnce, bytes.count)].withUnsafeBytes { groups.read($0) }
    }
    return groups.all
  }

  @Test("A group is known from its start to its end")
  func known() {
    #expect(groups(after: [100, 200, -100]) == [200])
  }

  @Test("A message can come in several reads", arguments: [1, 3, 5])
  func pieces(bytesAtOnce: Int) {
    #expect(groups(after: [70_000, 80_000, -80_000, 90_000], bytesAtOnce: bytesAtOnce) == [70_000, 90_000])
  }

  @Test("The numbers that kill(2) takes for other processes are no groups")
  func special() {
    #expect(groups(after: [0, 1, -1]).isEmpty)
  }
}
