import Glibc

@testable import AppBoot

/// A mutator that changes JSON and keeps it valid: it replaces, inserts, removes and doubles values, members and lines.
struct JSONMutator {
  /// A value or a key of a text.
  private struct Part {
    let range: Range<Int>
    let kind: JSONValue.Kind
    var isKey = false
  }

  private static let (comma, colon, quote) = (UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""))
  /// The values and keys to insert, as JSON.
  private static let words = readWords()

  private var random: Random

  init(seed: UInt32) { random = Random(seed) }

  /// Returns the changed input; `nil` if it is not JSON, or if another kind of change should be made.
  mutating func change(_ bytes: [UInt8]) -> [UInt8]? {
    guard random.below(8) > 0 else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1, isJSON(lines[0]) else { return changed(bytes[...]) }
    return changeLines(lines)
  }

  // MARK: - Lines

  /// Changes a text of one JSON value on each line.
  private mutating func changeLines(_ lines: [ArraySlice<UInt8>]) -> [UInt8]? {
    var lines = lines
    let place = random.below(lines.count)
    switch random.below(8) {
    case 0: lines.insert(lines[place], at: random.below(lines.count))
    case 1: lines.remove(at: place)
    case 2: lines.swapAt(place, random.below(lines.count))
    case 3: lines[place] = lines[place].prefix(random.below(lines[place].count + 1))
    default:
      guard let line = changed(lines[place]) else { return nil }
      lines[place] = line[...]
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  private func isJSON(_ line: ArraySlice<UInt8>) -> Bool { parsed(line) != nil }

  private func parsed(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
    try? JSONDocument(parsing: SourceText(name: "", bytes: Array(bytes))).root
  }

  // MARK: - Values

  private mutating func changed(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let root = parsed(bytes) else { return nil }
    var text = Array(bytes)
    // Several changes at once reach states that no single one reaches.
    for _ in 0..<(1 + random.below(3)) {
      guard let value = text.count == bytes.count ? root : parsed(text[...]) else { break }
      var parts: [Part] = []
      Self.collect(value, into: &parts)
      text = changed(text, at: parts[random.below(parts.count)], of: parts)
    }
    return text
  }

  private static func collect(_ value: JSONValue, into parts: inout [Part]) {
    let range = Int(value.range.start)..<Int(value.range.end)
    parts.append(Part(range: range, kind: value.kind))
    for element in value.elements { collect(element, into: &parts) }
    for member in value.members {
      let key = member.key.range
      parts.append(Part(range: Int(key.start)..<Int(key.end), kind: .string, isKey: true))
      collect(member.value, into: &parts)
    }
  }

  private mutating func changed(_ text: [UInt8], at part: Part, of parts: [Part]) -> [UInt8] {
    if part.isKey {
      let isRenamed = random.below(2) == 0
      let key = word { $0.first == Self.quote }
      if isRenamed { return replaced(text, part.range, by: key) }
      return replaced(
        text, part.range.lowerBound..<part.range.lowerBound, by: key + [Self.colon] + word() + [Self.comma])
    }
    switch random.below(8) {
    case 0, 1: return replaced(text, part.range, by: word())
    case 2:
      let other = parts[random.below(parts.count)]
      return replaced(text, part.range, by: Array(text[other.range]))
    case 3:
      return replaced(
        text, part.range.lowerBound..<part.range.lowerBound, by: text[part.range] + [Self.comma])
    case 4: return removed(text, part.range)
    case 5: return inserted(text, part)
    case 6:
      return replaced(text, part.range, by: [UInt8(ascii: "[")] + text[part.range] + [UInt8(ascii: "]")])
    default:
      return part.kind == .string ? changedString(text, part.range) : replaced(text, part.range, by: word())
    }
  }

  /// Inserts a member or an element at the beginning of a container.
  private mutating func inserted(_ text: [UInt8], _ part: Part) -> [UInt8] {
    guard part.kind == .object || part.kind == .array else { return replaced(text, part.range, by: word()) }
    let place = part.range.lowerBound + 1
    let key = part.kind == .object ? word { $0.first == Self.quote } + [Self.colon] : []
    let isEmpty =
      text[place..<part.range.upperBound].first { $0 > 0x20 }.map { $0 == 0x5D || $0 == 0x7D } ?? true
    return replaced(text, place..<place, by: key + word() + (isEmpty ? [] : [Self.comma]))
  }

  /// Removes a value, its key and one of its commas.
  private func removed(_ text: [UInt8], _ range: Range<Int>) -> [UInt8] {
    let end = text[range.upperBound...].firstIndex { $0 > 0x20 } ?? text.count
    guard end < text.count, text[end] == Self.comma else {
      return replaced(text, range, by: Array("null".utf8))
    }
    let before = text[..<range.lowerBound].lastIndex { $0 > 0x20 } ?? 0
    guard text[before] == Self.colon else { return replaced(text, range.lowerBound..<(end + 1), by: []) }
    let key = text[..<before].lastIndex { "{,".utf8.contains($0) }.map { $0 + 1 } ?? before
    return replaced(text, key..<(end + 1), by: [])
  }

  /// Changes bytes inside of a string.
  private mutating func changedString(_ text: [UInt8], _ range: Range<Int>) -> [UInt8] {
    let content = Array(text[(range.lowerBound + 1)..<(range.upperBound - 1)])
    var buffer = content + [UInt8](repeating: 0, count: 32)
    let limit = buffer.count
    let count = buffer.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mutateBytes($0, content.count, limit) } ?? 0
    }
    return replaced(text, (range.lowerBound + 1)..<(range.upperBound - 1), by: Array(buffer[..<count]))
  }

  private func replaced(_ text: [UInt8], _ range: Range<Int>, by bytes: [UInt8]) -> [UInt8] {
    text[..<range.lowerBound] + bytes + text[range.upperBound...]
  }

  // MARK: - Words

  private mutating func word(where isFit: ([UInt8]) -> Bool = { _ in true }) -> [UInt8] {
    for _ in 0..<32 {
      let word = Self.words[random.below(Self.words.count)]
      if isFit(word) { return word }
    }
    return Array("\"a\"".utf8)
  }

  /// Reads the file that `FUZZ_WORDS` names, with one JSON value on each line.
  private static func readWords() -> [[UInt8]] {
    guard let path = getenv("FUZZ_WORDS"), let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var words: [[UInt8]] = []
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while true {
      let count = getline(&line, &capacity, file)
      guard count > 0, let line else { return words }
      let bytes = UnsafeRawBufferPointer(start: line, count: count)
      words.append(Array(bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]))
    }
  }
}

/// A generator of pseudo-random numbers: xorshift (Marsaglia, 2003).
struct Random {
  private var state: UInt64

  init(_ seed: UInt32) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// Returns a number from 0 up to, but not including, a limit of at least 1.
  mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 16) % max(1, limit)
  }
}
