import AppBootSystem
import Testing

@testable import AppBoot

/// A list that counts how often a mirror reads its elements.
private struct Elements: CustomReflectable, Sendable {
  let count: Lock<Int>
  var customMirror: Mirror {
    Mirror(self, unlabeledChildren: (0..<3).lazy.map { _ in self.count.withLock { $0 += 1 } })
  }
}

private struct Credentials: Sendable {
  var user = "ada"
  var password = Secret("hunter22")
}

private struct Import: Command {
  let words: [Elements]
  var credentials: Credentials? = Credentials()
  var tokens = ["a": Secret("tea")]
  func execute(in context: LaunchContext) {}
}

@Suite("A review of a command that was created in code")
struct ParameterReviewTests {
  @Test("A review reads no elements of the collections that a command stores")
  func collections() {
    let reads = Lock(0)
    _ = ParameterReview(of: Import(words: [Elements](repeating: Elements(count: reads), count: 100)))
    #expect(reads.withLock(\.self) == 0)
  }

  @Test("A review finds the secrets among the stored properties, and in the properties of their structs")
  func secrets() {
    #expect(ParameterReview(of: Import(words: [])).secrets.sorted() == ["hunter22", "tea"])
  }
}
