import AppBoot
import AppBootCommands
import Testing

@Suite("Secrets in a stream of bytes")
struct SecretFilterTests {
  private func secrets(_ values: String...) -> Secrets {
    let secrets = Secrets()
    for value in values { secrets.add(value) }
    return secrets
  }

  /// Filters a text in chunks of a size.
  private func filtered(_ text: [UInt8], _ secrets: Secrets, size: Int) -> String {
    var filter = SecretFilter(secrets)
    var result: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: size) {
      let chunk = Array(text[start..<min(start + size, text.count)])
      chunk.withUnsafeBytes { filter.append($0) { result += $0 } }
    }
    filter.finish { result += $0 }
    return String(decoding: result, as: UTF8.self)
  }

  @Test("A secret is replaced regardless of the chunk size", arguments: 1...30)
  func chunks(size: Int) {
    let text = Array("key=hunter2-secret;\nhunter2-secret and hunter2-secre".utf8)
    #expect(filtered(text, secrets("hunter2-secret"), size: size) == "key=***;\n*** and hunter2-secre")
  }

  @Test("Overlapping secrets become one mask, and the longest secret at one offset wins", arguments: 1...12)
  func overlaps(size: Int) {
    let secrets = secrets("abcde", "defgh", "abcdexyz")
    #expect(filtered(Array("1abcdefgh2".utf8), secrets, size: size) == "1***2")
    #expect(filtered(Array("1abcdexyz2".utf8), secrets, size: size) == "1***2")
    #expect(filtered(Array("1abcdeabcdex".utf8), secrets, size: size) == "1******x")
  }

  @Test(
    "The filter's result equals that of a plain search, for random text and any chunks", arguments: 0..<60)
  func random(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    let values = (0..<(1 + next(5))).map { _ in
      String(decoding: (0..<(4 + next(4))).map { _ in UInt8(ascii: "a") + UInt8(next(2)) }, as: UTF8.self)
    }
    let text = (0..<200).map { _ in UInt8(ascii: "a") + UInt8(next(3)) }
    let secrets = Secrets()
    for value in values { secrets.add(value) }
    let expected = plainly(text, values.map { Array($0.utf8) })
    for size in 1...9 { #expect(filtered(text, secrets, size: size) == expected, "\(values)") }
    #expect(secrets.masking(String(decoding: text, as: UTF8.self)) == expected)
  }

  /// Replaces each union of overlapping values, found by a search at each place.
  private func plainly(_ text: [UInt8], _ values: [[UInt8]]) -> String {
    var (result, end): ([UInt8], Int) = ([], 0)
    for place in text.indices {
      let found = values.filter { text[place...].starts(with: $0) }.map { place + $0.count }.max()
      if let found {
        if place >= end { result += Array("***".utf8) }
        end = max(end, found)
      }
      if place >= end { result.append(text[place]) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  @Test("Only the incomplete beginning of a secret is held back")
  func heldBack() {
    var filter = SecretFilter(secrets("hunter2-secret"))
    var passed: [String] = []
    for chunk in ["no secret\n", "a hunt", "er\n", "hunter2-secre"] {
      Array(chunk.utf8).withUnsafeBytes { bytes in
        filter.append(bytes) { passed.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    #expect(passed == ["no secret\n", "a ", "hunter\n"])
    #expect(filter.unfinished == Array("hunter2-secre".utf8))
    filter.finish { passed.append(String(decoding: $0, as: UTF8.self)) }
    #expect(passed.last == "hunter2-secre" && filter.unfinished.isEmpty)
  }

  @Test("Another filter continues a stream with the bytes that were held back")
  func handedOver() {
    let secrets = secrets("hunter2-secret")
    var filter = SecretFilter(secrets, held: Array("hunter2".utf8))
    var passed = ""
    Array("-secret!".utf8).withUnsafeBytes { bytes in
      filter.append(bytes) { passed += String(decoding: $0, as: UTF8.self) }
    }
    #expect(passed == "***!")
  }

  @Test("A secret that is added later is replaced from then on")
  func addedLater() {
    let secrets = Secrets()
    var filter = SecretFilter(secrets)
    var passed = ""
    for chunk in ["hunter2 ", "hunter2 "] {
      Array(chunk.utf8).withUnsafeBytes { bytes in
        filter.append(bytes) { passed += String(decoding: $0, as: UTF8.self) }
      }
      secrets.add("hunter2")
    }
    #expect(passed == "hunter2 *** ")
  }

  @Test("Without secrets the bytes are passed on as they are")
  func nothing() {
    #expect(filtered(Array("abc".utf8), Secrets(), size: 2) == "abc")
  }
}
