import Testing

@testable import AppBoot

@Suite("A size in bytes")
struct ByteSizeTests {
  @Test(
    "A size is a number and a unit",
    arguments: [
      ("0B", 0), ("1B", 1), ("512MiB", 512 << 20), ("10GiB", 10 << 30), ("1.5KiB", 1536), ("2kB", 2000),
      ("2KB", 2000),
      ("1.5GB", 1_500_000_000), ("3TiB", 3 << 40), ("1TB", 1_000_000_000_000), ("0.1B", 0),
    ] as [(String, Int64)])
  func sizes(text: String, bytes: Int64) throws { #expect(try ByteSize(parsing: text).bytes == bytes) }

  @Test(
    "A mistake in a size is reported with its correction",
    arguments: [
      ("10", #""10" has no unit: add one, for example "10MiB""#),
      ("10G", #"unknown unit "G": write "10GiB" (units of 1024) or "10GB" (units of 1000)"#),
      ("1gib", #"unknown unit "gib": write "1GiB" (units of 1024) or "1GB" (units of 1000)"#),
      ("1k", #"unknown unit "k": write "1KiB" (units of 1024) or "1kB" (units of 1000)"#),
      ("1 PB", #"unknown unit " PB": the units are B, KiB, MiB, GiB, TiB (1024) and kB, MB, GB, TB (1000)"#),
      ("", #""" is not a size: write a number and a unit, for example "512MiB""#),
      ("-1B", #""-1B" is not a size: write a number and a unit, for example "512MiB""#),
      ("1.B", #""1.B" is not a size: write a number and a unit, for example "512MiB""#),
      ("99999999TiB", #""99999999TiB" is more than 8388607TiB"#),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: ByteSizeError.self) { try ByteSize(parsing: text) }
    #expect(error?.description == message)
  }
}
