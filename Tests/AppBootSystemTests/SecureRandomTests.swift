import AppBootSystem
import Testing

@Suite("SecureRandom")
struct SecureRandomTests {
  @Test("Each random byte has two hexadecimal digits, which differ each time", arguments: [0, 1, 32, 1000])
  func hexadecimal(count: Int) {
    let text = SecureRandom.hexadecimal(bytes: count)
    #expect(text.count == 2 * count && text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    if count >= 32 { #expect(text != SecureRandom.hexadecimal(bytes: count)) }
  }
}
