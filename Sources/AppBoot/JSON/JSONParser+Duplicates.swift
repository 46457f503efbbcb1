extension JSONParser {
  /// The maximum number of members of an object in which each key is compared with each. Larger objects use hashing.
  private static let smallObject = 12

  /// Collects the keys that an object has twice. Keys are compared code point by code point (RFC 8259 section 8.3).
  mutating func findDuplicates(in object: Int, count: Int) {
    if count <= JSONParser.smallObject {
      findDuplicatesByComparing(in: object)
    } else {
      findDuplicatesByHashing(in: object, count: count)
    }
  }

  private mutating func findDuplicatesByComparing(in object: Int) {
    let end = nodes.count
    var key = object + 1
    while key < end {
      var earlier = object + 1
      while earlier < key {
        if isSameKey(earlier, key) {
          addDuplicate(first: earlier, second: key)
          break
        }
        earlier = Int(nodes[earlier + 1].next)
      }
      key = Int(nodes[key + 1].next)
    }
  }

  /// Collects the keys that an object has twice, with a hash table (open addressing).
  ///
  /// The hash has a random seed, so that no input can be made to have many collisions.
  private mutating func findDuplicatesByHashing(in object: Int, count: Int) {
    let mask = 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount) - 1
    // Half a hash and a key's node; no key has node 0, so that 0 is a free slot.
    var slots = [(hash: UInt32, key: UInt32)](repeating: (0, 0), count: mask + 1)
    let end = nodes.count
    var key = object + 1
    while key < end {
      let hash = hash(ofKey: key)
      let half = UInt32(truncatingIfNeeded: hash >> 32)
      var slot = hash & mask
      while slots[slot].key > 0, slots[slot].hash != half || !isSameKey(Int(slots[slot].key), key) {
        slot = (slot + 1) & mask
      }
      if slots[slot].key == 0 {
        slots[slot] = (half, UInt32(truncatingIfNeeded: key))
      } else {
        addDuplicate(first: Int(slots[slot].key), second: key)
      }
      key = Int(nodes[key + 1].next)
    }
  }

  private func hash(ofKey key: Int) -> Int {
    var hasher = Hasher()
    if nodes[key].hasEscapes {
      JSONEscape.unescape(nodes[key].content, in: bytes).withUnsafeBytes { hasher.combine(bytes: $0) }
    } else {
      let content = UnsafeBufferPointer(rebasing: bytes[nodes[key].content])
      hasher.combine(bytes: UnsafeRawBufferPointer(content))
    }
    return hasher.finalize()
  }

  @inline(__always)
  private func isSameKey(_ first: Int, _ second: Int) -> Bool {
    let (left, right) = (nodes[first], nodes[second])
    if left.hasEscapes || right.hasEscapes { return isSameUnescaped(left, right) }
    guard left.end - left.start == right.end - right.start else { return false }
    let (leftStart, rightStart) = (Int(left.start), Int(right.start))
    for offset in 0..<Int(left.end - left.start) where bytes[leftStart + offset] != bytes[rightStart + offset]
    {
      return false
    }
    return true
  }

  @inline(never)
  private func isSameUnescaped(_ left: JSONNode, _ right: JSONNode) -> Bool {
    JSONEscape.unescape(left.content, in: bytes) == JSONEscape.unescape(right.content, in: bytes)
  }

  private mutating func addDuplicate(first: Int, second: Int) {
    let key = JSONEscape.unescape(nodes[second].content, in: bytes)
    duplicates.append(
      JSONDuplicateKey(
        key: String(decoding: key, as: UTF8.self), first: nodes[first].range, second: nodes[second].range))
  }
}
