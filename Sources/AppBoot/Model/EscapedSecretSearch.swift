/// A search for secrets in which at least one character is escaped, each in any way.
///
/// The search goes through the text once. It looks for an escape that may be the first one of a secret, and compares
/// the bytes before it as they are. Then it follows all readings of the bytes after it at the same time. A byte that
/// begins an escape can have two: `%25` is a percent sign, or a percent sign before "25".
struct EscapedSecretSearch {
  /// The secrets that were found, in the order of their ends.
  private(set) var matches: [Range<Int>] = []
  /// The first offset at which the remaining bytes may be the beginning of a secret.
  private(set) var openEnd: Int
  private let bytes: UnsafeRawBufferPointer
  private let patterns: SecretPatterns
  /// The readings that continue at the next offsets, by the offset's remainder.
  private var readings: [[Reading]] = []
  /// The number of readings.
  private var count = 0

  private struct Reading {
    /// The byte of the secret that has to come next.
    let next: SecretPatterns.Place
    /// The offset at which the secret begins.
    var start: Int
  }

  /// The number of offsets that readings can continue at: an escape, and the next offset.
  private static let slots = SecretEscape.longest + 1

  init(_ patterns: SecretPatterns, in bytes: UnsafeRawBufferPointer) {
    (self.patterns, self.bytes, openEnd) = (patterns, bytes, bytes.count)
  }

  mutating func run() {
    var offset = 0
    while true {
      if count == 0 {
        guard let next = patterns.firstEscape(in: bytes, from: offset) else { return }
        offset = next
      }
      guard offset < bytes.count else { return finish() }
      let escape = SecretEscape.read(bytes, at: offset)
      if count > 0 { advance(at: offset, escape) }
      begin(at: offset, escape)
      offset += 1
    }
  }

  /// Begins the secrets whose first escape is at an offset.
  private mutating func begin(at offset: Int, _ reading: SecretEscape.Reading) {
    switch reading {
    case .none: return
    case .incomplete: openEnd = min(openEnd, beginning(before: offset))
    case .escape(let escape):
      for place in patterns.places(of: escape[0]) where patterns.has(escape, at: place) {
        let start = offset - place.offset
        guard start >= 0, patterns.hasPlain(upTo: place, at: start, of: bytes) else { continue }
        add(Reading(next: place.advanced(by: escape.count), start: start), at: offset + escape.length)
      }
    }
  }

  /// Returns the first offset from which the bytes before `offset` are the beginning of a secret.
  private func beginning(before offset: Int) -> Int {
    var first = offset
    guard offset > 0 else { return first }
    for byte in SecretPatterns.readings(of: bytes[offset - 1]) {
      for place in patterns.places(of: byte) {
        let start = offset - 1 - place.offset
        let next = place.advanced(by: 1)
        guard start >= 0, start < first, patterns[next] != nil,
          patterns.hasPlain(upTo: next, at: start, of: bytes)
        else { continue }
        first = start
      }
    }
    return first
  }

  /// Continues the readings that have reached an offset.
  private mutating func advance(at offset: Int, _ reading: SecretEscape.Reading) {
    let slot = offset % Self.slots
    count -= readings[slot].count
    for index in readings[slot].indices {
      let (next, start) = (readings[slot][index].next, readings[slot][index].start)
      guard let wanted = patterns[next] else {
        matches.append(start..<offset)
        continue
      }
      if SecretPatterns.accepts(bytes[offset], for: wanted) {
        add(Reading(next: next.advanced(by: 1), start: start), at: offset + 1)
      }
      switch reading {
      case .none: break
      case .incomplete: openEnd = min(openEnd, start)
      case .escape(let escape):
        guard patterns.has(escape, at: next) else { continue }
        add(Reading(next: next.advanced(by: escape.count), start: start), at: offset + escape.length)
      }
    }
    readings[slot].removeAll(keepingCapacity: true)
  }

  /// Ends the readings that have reached the end of the text.
  private mutating func finish() {
    for reading in readings[bytes.count % Self.slots] {
      if patterns[reading.next] == nil {
        matches.append(reading.start..<bytes.count)
      } else {
        openEnd = min(openEnd, reading.start)
      }
    }
  }

  /// Adds a reading that continues at an offset. Of two at the same byte of a secret, the one that began first counts.
  private mutating func add(_ reading: Reading, at offset: Int) {
    if readings.isEmpty { readings = [[Reading]](repeating: [], count: Self.slots) }
    let slot = offset % Self.slots
    if let same = readings[slot].firstIndex(where: { $0.next == reading.next }) {
      readings[slot][same].start = min(readings[slot][same].start, reading.start)
    } else {
      readings[slot].append(reading)
      count += 1
    }
  }
}
