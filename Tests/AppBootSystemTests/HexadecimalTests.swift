import AppBootSystem
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("are two lower-case ones a byte, and give the bytes back")
  func roundTrip() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = Hexadecimal.text(of: bytes)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect(Hexadecimal.bytes(of: text) == bytes)
    #expect(Hexadecimal.bytes(of: text.uppercased()) == bytes)
    #expect(Hexadecimal.text(of: []).isEmpty)
  }

  @Test(
    "are refused where one is missing or is none", arguments: ["", "0", "0g", "é0", "0x", "\u{FF10}\u{FF21}"])
  func refused(text: String) {
    #expect(Hexadecimal.bytes(of: text) == nil)
  }
}
