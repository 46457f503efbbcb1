import AppBootSystem
import Testing

@Suite("Random bytes")
struct SecureRandomTests {
  @Test("come in the number asked for, and not twice alike", arguments: [0, 1, 32, 1000])
  func count(count: Int) throws {
    #expect(try SecureRandom.bytes(count).count == count)
    if count >= 32 { #expect(try SecureRandom.bytes(count) != SecureRandom.bytes(count)) }
  }

  @Test("have two hexadecimal digits each")
  func hexadecimal() throws {
    let text = try SecureRandom.hexadecimal(bytes: 32)
    #expect(text.count == 64 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
  }
}
