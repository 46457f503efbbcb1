import AppBoot
import AppBootCommands
import Testing

@Suite("Brief sizes")
struct ByteSizeTests {
  @Test(
    "A size for people has at most one decimal",
    arguments: [(0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (10 << 30, "10 GiB")]
      as [(Int64, String)])
  func brief(bytes: Int64, text: String) { #expect(ByteSize(bytes: bytes).brief == text) }
}
