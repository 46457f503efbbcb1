import AppBootSystem

/// A hash table of a manifest's entries by id, with open addressing. It is the fast path for finding entries.
///
/// Pays for "manifest to plan, a step at 1,000,000 ÷ at 1,000" in Docs/performance.md. With a dictionary a step at
/// 1,000,000 costs 1.24 instead of 0.69 µs, and the row is 1.4 to 1.9 (goal 1.5).
///
/// Ids are equal if they are equal as strings. If all ids are ASCII, comparing their bytes gives the same answer. Ids
/// that differ only in a last digit (`step-41`, `step-42`) are close in the table. An entry often comes after one with
/// a close number, so in a table of a million entries that slot is probably in the processor's cache.
struct EntryTable {
  private let entries: [ManifestEntry]
  private let comparesBytes: Bool
  private var slots: [Slot]
  private let mask: Int
  /// A flag for each entry: true for the first of several entries with the same id; empty if there are no duplicates.
  private var doubled: [Bool] = []
  private let seed = UInt64(truncatingIfNeeded: "".hashValue)

  /// A slot of the table: the index of an entry, and a tag from the hash of its id. A free slot has the index -1.
  ///
  /// Ids are compared only if their tags are equal, which is rare for different ids.
  private struct Slot {
    var entry: Int32 = -1
    var tag: UInt32 = 0
  }

  /// The key of an id: the slot at which its search begins, and its tag.
  private struct Key {
    let home: Int
    let tag: UInt32
  }

  init(of entries: [ManifestEntry]) {
    self.entries = entries
    comparesBytes = entries.indices.allSatisfy { entries[$0].id.utf8.allSatisfy { $0 < 0x80 } }
    var size = 8
    while size < entries.count * 2 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    mask = size - 1
  }

  /// Adds the entry at an index. Returns `nil`, or the index of an earlier entry with the same id.
  ///
  /// If there is an earlier entry, marks that entry as duplicated instead.
  mutating func insert(_ index: Int) -> Int? {
    let id = entries[index].id
    let (slot, tag) = comparesBytes ? id.withBytes { place(of: $0) } : place(of: id)
    let first = Int(slots[slot].entry)
    if first >= 0 {
      if doubled.isEmpty { doubled = [Bool](repeating: false, count: entries.count) }
      doubled[first] = true
      return first
    }
    slots[slot] = Slot(entry: Int32(index), tag: tag)
    return nil
  }

  /// Returns the index of the entry whose id is the string; `nil` if there is none.
  func index(of string: JSONValue) -> Int? {
    let index = string.withUTF8 { id -> Int32? in
      comparesBytes && id.allSatisfy { $0 < 0x80 } ? slots[place(of: id).slot].entry : nil
    }
    if let index { return index < 0 ? nil : Int(index) }
    return string.string.flatMap { self.index(of: $0) }
  }

  /// Returns the index of the entry with an id; `nil` if there is none.
  func index(of id: String) -> Int? {
    // Some characters outside ASCII equal an ASCII character: U+212A is a K.
    if comparesBytes { return entries.firstIndex { $0.id == id } }
    let found = slots[place(of: id).slot].entry
    return found < 0 ? nil : Int(found)
  }

  func isDoubled(_ index: Int) -> Bool { !doubled.isEmpty && doubled[index] }

  /// Returns the slot with an id, or the free slot for it.
  private func place(of id: String) -> (slot: Int, tag: UInt32) {
    let hash = UInt64(truncatingIfNeeded: id.hashValue)
    return place(Key(home: Int(truncatingIfNeeded: hash), tag: UInt32(truncatingIfNeeded: hash >> 32))) {
      $0 == id
    }
  }

  private func place(of id: UnsafeBufferPointer<UInt8>) -> (slot: Int, tag: UInt32) {
    place(key(of: id)) { text in text.withBytes { $0.hasSameBytes(as: id) } }
  }

  @inline(__always)
  private func place(_ key: Key, _ isSame: (String) -> Bool) -> (slot: Int, tag: UInt32) {
    var slot = key.home & mask
    while slots[slot].entry >= 0 {
      if slots[slot].tag == key.tag, isSame(entries[Int(slots[slot].entry)].id) { break }
      slot = (slot + 1) & mask
    }
    return (slot, key.tag)
  }

  /// Returns the key of an id. The hash is FNV-1a with a random seed; its high bits are combined with the low ones.
  ///
  /// For the home slot, a digit at the end of the id is added to the hash instead of being hashed.
  private func key(of id: UnsafeBufferPointer<UInt8>) -> Key {
    let prime: UInt64 = 0x0000_0100_0000_01B3
    var state = seed ^ 0xCBF2_9CE4_8422_2325
    for byte in id.dropLast() { state = (state ^ UInt64(byte)) &* prime }
    let last = id.last ?? 0
    let whole = (state ^ UInt64(last)) &* prime
    let isDigit = last >= UInt8(ascii: "0") && last <= UInt8(ascii: "9")
    let home = isDigit ? (state ^ (state >> 32)) &+ UInt64(last) : whole ^ (whole >> 32)
    return Key(home: Int(truncatingIfNeeded: home), tag: UInt32(truncatingIfNeeded: whole >> 32))
  }
}
