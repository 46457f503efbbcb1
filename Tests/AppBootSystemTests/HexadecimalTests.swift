import AppBootSystem
import Testing

@Suite("Hexadecimal")
struct HexadecimalTests {
  @Test("Bytes convert to two lower-case digits each, and back")
  func roundTrip() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = Hexadecimal.text(of: bytes)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect(Hexadecimal.bytes(of: text) == bytes)
    #expect(Hexadecimal.bytes(of: text.uppercased()) == bytes)
    #expect(Hexadecimal.text(of: []).isEmpty)
  }

  @Test(
    "Text with a missing or invalid digit is refused",
    arguments: ["", "0", "0g", "é0", "0x", "\u{FF10}\u{FF21}"])
  func refused(text: String) {
    #expect(Hexadecimal.bytes(of: text) == nil)
  }
}
