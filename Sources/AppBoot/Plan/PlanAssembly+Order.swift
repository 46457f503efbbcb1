import AppBootSystem

extension PlanAssembly {
  /// Returns the graph; `nil` if an id is a duplicate or unknown, or if entries wait for each other.
  ///
  /// The graph leaves out unknown references, so that other cycles are still found. A reference to a duplicate id
  /// counts as one to the first entry with it; the report of a cycle through it mentions that.
  mutating func resolve(_ entries: [ManifestEntry]) -> DependencyGraph? {
    let before = problems.count
    let indices = indices(of: entries)
    if entries.allSatisfy(\.isAfterAbove) {
      return problems.count == before ? DependencyGraph(sequenceOf: entries.count) : nil
    }
    let graph = graph(of: entries, indices)
    let cycles = graph.shortestCycles(atMost: Self.cycleLimit + 1)
    for cycle in cycles.prefix(Self.cycleLimit) { reportCycle(cycle, entries, indices) }
    if cycles.count > Self.cycleLimit {
      problems.append(
        .error(
          "there are more cycles, and this entry is in one of them",
          at: entries[cycles[Self.cycleLimit][0]].idRange,
          help: "\(Self.cycleLimit) cycles are reported at a time: correct those first"))
    }
    return problems.count == before ? graph : nil
  }

  /// Returns the entries by id; reports duplicate ids.
  private mutating func indices(of entries: [ManifestEntry]) -> EntryTable {
    var table = EntryTable(of: entries)
    for index in entries.indices where !entries[index].id.isEmpty {
      guard let first = table.insert(index) else { continue }
      let entry = entries[index]
      problems.append(
        Diagnostic.error(
          "two entries have the id \"\(entry.id.excerpt)\"", at: entry.idRange,
          help: "give one of them an \"id\" of its own"
        ).noting("the first one", at: entries[first].idRange))
    }
    return table
  }

  private mutating func graph(of entries: [ManifestEntry], _ indices: EntryTable) -> DependencyGraph {
    var builder = DependencyGraph.Builder(capacity: entries.count)
    var names: NameSuggestions?
    for index in entries.indices {
      switch entries[index].order {
      case .above: if index > 0 { builder.addEdge(from: index - 1) }
      case .nothing: break
      case .listed(let list):
        list.forEachElement { element in
          guard element.kind == .string else { return }
          guard let target = indices.index(of: element) else {
            let id = element.string ?? ""
            return reportUnknown(ManifestEntry.Reference(id: id, range: element.range), entries, &names)
          }
          builder.addEdge(from: target)
        }
      }
      builder.endStep()
    }
    return builder.graph()
  }

  private mutating func reportUnknown(
    _ reference: ManifestEntry.Reference, _ entries: [ManifestEntry], _ names: inout NameSuggestions?
  ) {
    var suggestions =
      names ?? NameSuggestions(among: entries.map(\.id).filter { !$0.isEmpty }, called: "ids here")
    let help = suggestions.help(for: reference.id)
    names = suggestions
    problems.append(
      .error("no entry has the id \"\(reference.id.excerpt)\"", at: reference.range, help: help))
  }

  /// The number of cycles to report: the search for each takes time linear in the entries.
  private static let cycleLimit = 16

  /// The number of notes for one cycle: a cycle of 100,000 entries is shown in full, but not explained entry by entry.
  private static let noteLimit = 16

  private mutating func reportCycle(_ cycle: [Int], _ entries: [ManifestEntry], _ indices: EntryTable) {
    let ids = cycle.map { entries[$0].id.isEmpty ? "(no name)" : entries[$0].id }
    let path = (ids + ids.prefix(1)).joined(separator: " → ")
    let first = entries[cycle[0]]
    if cycle.count == 1, !first.isAfterAbove {
      problems.append(
        .error(
          "this entry waits for itself: \(path)", at: first.idRange,
          help: "remove its own id from its \"after\""))
      return
    }
    var problem = Diagnostic.error(
      "these entries wait for each other: \(path)", at: first.idRange,
      help: "each waits for the next; remove one id from an \"after\"")
    for index in cycle.lazy.filter({ entries[$0].isAfterAbove }).prefix(Self.noteLimit) {
      problem = problem.noting(
        "\"\(entries[index].id)\" has no \"after\", so it comes after the entry above it",
        at: entries[index].idRange)
    }
    for index in cycle.lazy.filter(indices.isDoubled).prefix(Self.noteLimit) {
      problem = problem.noting(
        "several entries have the id \"\(entries[index].id.excerpt)\"; this one is assumed",
        at: entries[index].idRange)
    }
    problems.append(problem)
  }
}

extension ManifestEntry {
  fileprivate var isAfterAbove: Bool {
    if case .above = order { true } else { false }
  }
}

/// The entries' indices by id: a hash table with open addressing.
///
/// Ids are equal if they are equal as strings. If all ids are ASCII, comparing their bytes gives the same answer.
/// Numbered ids (`step-41`, `step-42`) are neighbors in the table: an entry often comes after one with a number near
/// its own, and in a table of a million that slot is then in the processor's cache.
private struct EntryTable {
  private let entries: [ManifestEntry]
  private let comparesBytes: Bool
  private var slots: [Slot]
  private let mask: Int
  /// True for each entry whose id another entry has too; empty if there are no duplicates.
  private var doubled: [Bool] = []
  private let seed = UInt64(truncatingIfNeeded: "".hashValue)

  /// An entry, -1 for a free slot, and enough of its id's hash that hardly any other id has to be compared.
  private struct Slot {
    var entry: Int32 = -1
    var tag: UInt32 = 0
  }

  /// The slot at which the search for an id begins, and the tag of that id's slot.
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

  /// Adds an entry. Returns the index of the entry that has the same id; it then counts as a duplicate.
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

  /// Returns the entry with this string as its id.
  func index(of string: JSONValue) -> Int? {
    let index = string.withUTF8 { id -> Int32? in
      comparesBytes && id.allSatisfy { $0 < 0x80 } ? slots[place(of: id).slot].entry : nil
    }
    if let index { return index < 0 ? nil : Int(index) }
    guard let id = string.string else { return nil }
    // Some characters outside ASCII equal an ASCII character: U+212A is a K.
    if comparesBytes { return entries.firstIndex { $0.id == id } }
    let found = slots[place(of: id).slot].entry
    return found < 0 ? nil : Int(found)
  }

  func isDoubled(_ index: Int) -> Bool { !doubled.isEmpty && doubled[index] }

  /// Returns the slot with the id, or the free slot for it.
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

  /// Returns the key of an id: FNV-1a with a random seed and the high bits folded in, for many short ids.
  ///
  /// A digit at the end of the id is not hashed into the home slot, but moves it by that number.
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
