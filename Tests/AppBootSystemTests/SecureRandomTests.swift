import AppBootSystem
import Testing

@Suite("SecureRandom")
struct SecureRandomTests {
  @Test("Random bytes have the requested count and differ each time", arguments: [0, 1, 32, 1000])
  func count(count: Int) throws {
    #expect(try SecureRandom.bytes(count).count == count)
    if count >= 32 { #expect(try SecureRandom.bytes(count) != SecureRandom.bytes(count)) }
  }

  @Test("Each random byte has two hexadecimal digits")
  func hexadecimal() throws {
    let text = try SecureRandom.hexadecimal(bytes: 32)
    #expect(text.count == 64 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
  }
}
